import { PaperAirplaneIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { rangeFilters, workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = {
  label: "Deliveries",
  path: "/deliveries",
  icon: PaperAirplaneIcon,
};

export const routes = [
  workspacePage("/deliveries", {
    filters: ["destination_id", "event_type", "ok", ...rangeFilters],
    component: lazyRouteComponent(() => import("./deliveries_page.tsx"), "DeliveriesPage"),
  }),
  workspacePage("/deliveries/$deliveryId", {
    component: lazyRouteComponent(() => import("./delivery_page.tsx"), "DeliveryPage"),
  }),
] as const;
