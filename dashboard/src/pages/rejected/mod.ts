import { CircleSlashIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = {
  label: "Rejected entries",
  path: "/rejected",
  icon: CircleSlashIcon,
};

export const routes = [
  workspacePage("/rejected", {
    filters: ["code", "field", "origin", "source_id", "reason", "status", "entry", "sort"],
    component: lazyRouteComponent(() => import("./rejected_page.tsx"), "RejectedPage"),
  }),
] as const;
