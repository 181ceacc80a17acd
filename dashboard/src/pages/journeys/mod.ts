import { WorkflowIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = {
  label: "Journeys",
  path: "/journeys",
  icon: WorkflowIcon,
};

export const routes = [
  workspacePage("/journeys", {
    filters: ["q", "state", "sort"],
    component: lazyRouteComponent(() => import("./journeys_page.tsx"), "JourneysPage"),
  }),
  workspacePage("/journeys/$journeyId", {
    filters: ["tab", "step", "view", "version", "run", "state", "customer_id", "with", "job"],
    component: lazyRouteComponent(() => import("./journey_page.tsx"), "JourneyPage"),
  }),
] as const;
