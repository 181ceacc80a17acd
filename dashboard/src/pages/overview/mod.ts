import { HomeIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { rangeFilters, workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = { label: "Overview", path: "", icon: HomeIcon };

export const routes = [
  workspacePage("/", {
    filters: [...rangeFilters],
    component: lazyRouteComponent(() => import("./overview_page.tsx"), "OverviewPage"),
  }),
] as const;
