import { GearIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = { label: "Settings", path: "/settings", icon: GearIcon };

export const routes = [
  workspacePage("/settings", {
    component: lazyRouteComponent(() => import("./settings_page.tsx"), "SettingsPage"),
  }),
] as const;
