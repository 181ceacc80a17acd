import { lazyRouteComponent } from "@tanstack/react-router";
import { rangeFilters, workspacePage } from "../../url/routes.ts";

export const routes = [
  workspacePage("/deliveries", {
    filters: ["destination_id", "event_type", "ok", "columns", "sort", ...rangeFilters],
    component: lazyRouteComponent(() => import("./deliveries_page.tsx"), "DeliveriesPage"),
  }),
  workspacePage("/deliveries/$deliveryId", {
    component: lazyRouteComponent(() => import("./delivery_page.tsx"), "DeliveryPage"),
  }),
] as const;
