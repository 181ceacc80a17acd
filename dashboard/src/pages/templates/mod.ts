import { FileIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = {
  label: "Templates",
  path: "/templates",
  icon: FileIcon,
};

export const routes = [
  workspacePage("/templates", {
    filters: ["sort"],
    component: lazyRouteComponent(() => import("./templates_page.tsx"), "TemplatesPage"),
  }),
  workspacePage("/templates/$templateId", {
    filters: ["customer_id", "tab"],
    component: lazyRouteComponent(() => import("./template_page.tsx"), "TemplatePage"),
  }),
] as const;
