import { GearIcon, OrganizationIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { settingsPage } from "../../url/routes.ts";

export const navigation: NavigationEntry = { label: "Settings", path: "/settings", icon: GearIcon };

export const settingsEntry: NavigationEntry = {
  label: "Workspace",
  path: "/settings",
  icon: OrganizationIcon,
};

export const settingsRoutes = [
  settingsPage("/", {
    component: lazyRouteComponent(() => import("./settings_page.tsx"), "SettingsPage"),
  }),
] as const;
