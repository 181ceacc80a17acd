import { MailIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = {
  label: "Senders",
  path: "/senders",
  icon: MailIcon,
};

export const routes = [
  workspacePage("/senders", {
    filters: ["sort"],
    component: lazyRouteComponent(() => import("./senders_page.tsx"), "SendersPage"),
  }),
  workspacePage("/senders/$senderId", {
    component: lazyRouteComponent(() => import("./sender_page.tsx"), "SenderPage"),
  }),
] as const;
