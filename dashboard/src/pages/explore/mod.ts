import { GraphIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { rangeFilters, workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = {
  label: "Explore",
  path: "/explore",
  icon: GraphIcon,
};

export const routes = [
  workspacePage("/explore", {
    filters: [
      "kind",
      "events",
      "measure",
      "value",
      "interval",
      "property",
      "top",
      "within",
      "periods",
      "depth",
      ...rangeFilters,
    ],
    component: lazyRouteComponent(() => import("./explore_page.tsx"), "ExplorePage"),
  }),
  workspacePage("/explore/board", {
    filters: ["board", ...rangeFilters],
    component: lazyRouteComponent(() => import("./board_page.tsx"), "BoardPage"),
  }),
] as const;
