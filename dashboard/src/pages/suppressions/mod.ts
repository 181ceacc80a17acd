import { MuteIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = {
  label: "Suppressions",
  path: "/suppressions",
  icon: MuteIcon,
};

export const routes = [
  workspacePage("/suppressions", {
    filters: ["email", "reason"],
    component: lazyRouteComponent(() => import("./suppressions_page.tsx"), "SuppressionsPage"),
  }),
] as const;
