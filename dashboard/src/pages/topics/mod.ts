import { RssIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = {
  label: "Topics",
  path: "/topics",
  icon: RssIcon,
};

export const routes = [
  workspacePage("/topics", {
    filters: ["sort"],
    component: lazyRouteComponent(() => import("./topics_page.tsx"), "TopicsPage"),
  }),
] as const;
