import { PersonIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { rangeFilters, workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = {
  label: "Customers",
  path: "/customers",
  icon: PersonIcon,
};

export const routes = [
  workspacePage("/customers", {
    filters: ["q", "filter", "columns", "sort"],
    component: lazyRouteComponent(() => import("./customers_page.tsx"), "CustomersPage"),
  }),
  workspacePage("/customers/$customerId", {
    filters: ["tab", "event", "name", ...rangeFilters],
    component: lazyRouteComponent(() => import("./customer_page.tsx"), "CustomerPage"),
  }),
] as const;
