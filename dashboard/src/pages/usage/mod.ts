import { MeterIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { rangeFilters, workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = { label: "Usage", path: "/usage", icon: MeterIcon };

export const routes = [
  workspacePage("/usage", {
    filters: [...rangeFilters],
    component: lazyRouteComponent(() => import("./usage_page.tsx"), "UsagePage"),
  }),
] as const;
