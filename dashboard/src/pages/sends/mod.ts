import { PaperAirplaneIcon, QuestionIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { rangeFilters, workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = {
  label: "Sends",
  path: "/sends",
  icon: PaperAirplaneIcon,
};

/** The page that the list of sends leads to; the search finds it too. */
export const explainEntry: NavigationEntry = {
  label: "Why wasn’t it sent?",
  path: "/sends/explain",
  icon: QuestionIcon,
};

export const routes = [
  workspacePage("/sends", {
    filters: [
      "state",
      "engagement",
      "campaign_id",
      "journey_id",
      "template_id",
      "sender_id",
      "customer_id",
      "columns",
      "sort",
      ...rangeFilters,
    ],
    component: lazyRouteComponent(() => import("./sends_page.tsx"), "SendsPage"),
  }),
  workspacePage("/sends/explain", {
    filters: ["customer_id", "campaign_id", "journey_id"],
    component: lazyRouteComponent(() => import("./explain_page.tsx"), "ExplainPage"),
  }),
  workspacePage("/sends/$sendId", {
    component: lazyRouteComponent(() => import("./send_page.tsx"), "SendPage"),
  }),
] as const;
