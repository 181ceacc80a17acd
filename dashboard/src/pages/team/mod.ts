import { PeopleIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = { label: "Team", path: "/team", icon: PeopleIcon };

export const routes = [
  workspacePage("/team", {
    component: lazyRouteComponent(() => import("./team_page.tsx"), "TeamPage"),
  }),
] as const;
