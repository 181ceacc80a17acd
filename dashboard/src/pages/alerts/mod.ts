import { AlertIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = {
  label: "Alerts",
  path: "/alerts",
  icon: AlertIcon,
};

export const routes = [
  workspacePage("/alerts", {
    filters: ["state", "rule"],
    component: lazyRouteComponent(() => import("./alerts_page.tsx"), "AlertsPage"),
  }),
] as const;
