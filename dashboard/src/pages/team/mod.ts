import { PeopleIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { movedPage, settingsPage } from "../../url/routes.ts";

export const settingsEntry: NavigationEntry = {
  label: "Team",
  path: "/settings/team",
  icon: PeopleIcon,
};

export const settingsRoutes = [
  settingsPage("/team", {
    component: lazyRouteComponent(() => import("./team_page.tsx"), "TeamPage"),
  }),
] as const;

export const routes = [movedPage("/team", "/settings/team")] as const;
