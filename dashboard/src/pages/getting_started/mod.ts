import { RocketIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = {
  label: "Getting started",
  path: "/getting-started",
  icon: RocketIcon,
};

export const routes = [
  workspacePage("/getting-started", {
    component: lazyRouteComponent(() => import("./getting_started_page.tsx"), "GettingStartedPage"),
  }),
] as const;
