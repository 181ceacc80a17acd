import { GraphIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { RANGE_FILTERS, workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = { label: "Overview", path: "", icon: GraphIcon };

export const routes = [
  workspacePage("/", {
    filters: [...RANGE_FILTERS],
    component: lazyRouteComponent(() => import("./overview_page.tsx"), "OverviewPage"),
  }),
] as const;
