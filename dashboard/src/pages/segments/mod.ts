import { PeopleIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { rangeFilters, workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = {
  label: "Segments",
  path: "/segments",
  icon: PeopleIcon,
};

export const routes = [
  workspacePage("/segments", {
    filters: ["q", "kind", "sort"],
    component: lazyRouteComponent(() => import("./segments_page.tsx"), "SegmentsPage"),
  }),
  workspacePage("/segments/new", {
    filters: ["filter"],
    component: lazyRouteComponent(() => import("./edit_segment_page.tsx"), "NewSegmentPage"),
  }),
  workspacePage("/segments/$segmentId", {
    filters: ["tab", "customer_id", ...rangeFilters],
    component: lazyRouteComponent(() => import("./segment_page.tsx"), "SegmentPage"),
  }),
  workspacePage("/segments/$segmentId/edit", {
    component: lazyRouteComponent(() => import("./edit_segment_page.tsx"), "EditSegmentPage"),
  }),
] as const;
