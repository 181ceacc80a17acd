import { ListUnorderedIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { rangeFilters, workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = {
  label: "Messages",
  path: "/messages",
  icon: ListUnorderedIcon,
};

export const routes = [
  workspacePage("/messages", {
    filters: [
      "destination_id",
      "customer_id",
      "event_type",
      "state",
      "message",
      "columns",
      ...rangeFilters,
    ],
    component: lazyRouteComponent(() => import("./messages_page.tsx"), "MessagesPage"),
  }),
] as const;
