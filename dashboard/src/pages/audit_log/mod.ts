import { HistoryIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { movedPage, rangeFilters, settingsPage } from "../../url/routes.ts";

export const settingsEntry: NavigationEntry = {
  label: "Audit log",
  path: "/settings/audit-log",
  icon: HistoryIcon,
  role: "admin",
};

export const settingsRoutes = [
  settingsPage("/audit-log", {
    filters: ["action", "actor_id", "entity_id", "entry", "columns", "sort", ...rangeFilters],
    component: lazyRouteComponent(() => import("./audit_log_page.tsx"), "AuditLogPage"),
  }),
] as const;

export const routes = [movedPage("/audit-log", "/settings/audit-log")] as const;
