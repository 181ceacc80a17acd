import { BroadcastIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { rangeFilters, workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = {
  label: "Live events",
  path: "/events",
  icon: BroadcastIcon,
};

export const routes = [
  workspacePage("/events", {
    filters: ["name", "service", "customer_id", "event", "filter", ...rangeFilters],
    component: lazyRouteComponent(() => import("./events_page.tsx"), "EventsPage"),
  }),
] as const;
