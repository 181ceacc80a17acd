import { MeterIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { movedPage, rangeFilters, settingsPage } from "../../url/routes.ts";

export const settingsEntry: NavigationEntry = {
  label: "Usage",
  path: "/settings/usage",
  icon: MeterIcon,
};

export const settingsRoutes = [
  settingsPage("/usage", {
    filters: [...rangeFilters],
    component: lazyRouteComponent(() => import("./usage_page.tsx"), "UsagePage"),
  }),
] as const;

export const routes = [movedPage("/usage", "/settings/usage")] as const;
