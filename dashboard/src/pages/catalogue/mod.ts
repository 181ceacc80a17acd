import { BookIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = {
  label: "Catalogue",
  path: "/catalogue",
  icon: BookIcon,
};

export const routes = [
  workspacePage("/catalogue", {
    filters: ["q", "status", "sort"],
    component: lazyRouteComponent(() => import("./catalogue_page.tsx"), "CataloguePage"),
  }),
  workspacePage("/catalogue/event", {
    filters: ["name", "event"],
    component: lazyRouteComponent(
      () => import("./catalogued_event_page.tsx"),
      "CataloguedEventPage",
    ),
  }),
] as const;
