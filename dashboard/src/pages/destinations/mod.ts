import { WebhookIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { rangeFilters, workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = {
  label: "Destinations",
  path: "/destinations",
  icon: WebhookIcon,
};

export const routes = [
  workspacePage("/destinations", {
    filters: ["q", "health", "sort"],
    component: lazyRouteComponent(() => import("./destinations_page.tsx"), "DestinationsPage"),
  }),
  workspacePage("/destinations/new", {
    component: lazyRouteComponent(() => import("./new_destination_page.tsx"), "NewDestinationPage"),
  }),
  workspacePage("/destinations/$destinationId", {
    filters: [...rangeFilters],
    component: lazyRouteComponent(() => import("./destination_page.tsx"), "DestinationPage"),
  }),
] as const;
