import { PersonIcon } from "@primer/octicons-react";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { accountRoute, settingsPage } from "../../url/routes.ts";

export const settingsEntry: NavigationEntry = {
  label: "Account",
  path: "/settings/account",
  icon: PersonIcon,
};

export const settingsRoutes = [
  settingsPage("/account", {
    component: lazyRouteComponent(
      () => import("./account_settings_page.tsx"),
      "AccountSettingsPage",
    ),
  }),
] as const;

export const routes = [
  createRoute({
    getParentRoute: () => accountRoute,
    path: "/",
    component: lazyRouteComponent(() => import("./start_page.tsx"), "StartPage"),
  }),
  createRoute({
    getParentRoute: () => accountRoute,
    path: "/invitations",
    component: lazyRouteComponent(() => import("./invitations_page.tsx"), "InvitationsPage"),
  }),
  createRoute({
    getParentRoute: () => accountRoute,
    path: "/account",
    component: lazyRouteComponent(() => import("./account_page.tsx"), "AccountPage"),
  }),
] as const;
