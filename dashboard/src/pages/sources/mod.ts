import { InboxIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = { label: "Sources", path: "/sources", icon: InboxIcon };

export const routes = [
  workspacePage("/sources", {
    filters: ["sort"],
    component: lazyRouteComponent(() => import("./sources_page.tsx"), "SourcesPage"),
  }),
  workspacePage("/sources/new", {
    filters: ["sender"],
    component: lazyRouteComponent(() => import("./new_source_page.tsx"), "NewSourcePage"),
  }),
  workspacePage("/sources/$sourceId", {
    filters: ["tab", "outcome", "receipt", "entry", "sort"],
    component: lazyRouteComponent(() => import("./source_page.tsx"), "SourcePage"),
  }),
] as const;
