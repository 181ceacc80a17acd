import { KeyIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { movedPage, settingsPage } from "../../url/routes.ts";

export const settingsEntry: NavigationEntry = {
  label: "API keys",
  path: "/settings/api-keys",
  icon: KeyIcon,
  role: "admin",
};

export const settingsRoutes = [
  settingsPage("/api-keys", {
    component: lazyRouteComponent(() => import("./api_keys_page.tsx"), "ApiKeysPage"),
  }),
] as const;

export const routes = [movedPage("/api-keys", "/settings/api-keys")] as const;
