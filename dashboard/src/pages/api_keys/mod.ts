import { KeyIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = {
  label: "API keys",
  path: "/api-keys",
  icon: KeyIcon,
  role: "admin",
};

export const routes = [
  workspacePage("/api-keys", {
    component: lazyRouteComponent(() => import("./api_keys_page.tsx"), "ApiKeysPage"),
  }),
] as const;
