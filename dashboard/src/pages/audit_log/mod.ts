import { HistoryIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { rangeFilters, workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = {
  label: "Audit log",
  path: "/audit-log",
  icon: HistoryIcon,
  role: "admin",
};

export const routes = [
  workspacePage("/audit-log", {
    filters: ["action", "actor_id", "columns", ...rangeFilters],
    component: lazyRouteComponent(() => import("./audit_log_page.tsx"), "AuditLogPage"),
  }),
] as const;
