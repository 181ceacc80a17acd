import { MegaphoneIcon } from "@primer/octicons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../ui/navigation_entry.ts";
import { workspacePage } from "../../url/routes.ts";

export const navigation: NavigationEntry = {
  label: "Campaigns",
  path: "/campaigns",
  icon: MegaphoneIcon,
};

export const routes = [
  workspacePage("/campaigns", {
    filters: ["state", "sort"],
    component: lazyRouteComponent(() => import("./campaigns_page.tsx"), "CampaignsPage"),
  }),
  workspacePage("/campaigns/new", {
    filters: ["segment"],
    component: lazyRouteComponent(() => import("./edit_campaign_page.tsx"), "NewCampaignPage"),
  }),
  workspacePage("/campaigns/$campaignId", {
    component: lazyRouteComponent(() => import("./campaign_page.tsx"), "CampaignPage"),
  }),
  workspacePage("/campaigns/$campaignId/edit", {
    component: lazyRouteComponent(() => import("./edit_campaign_page.tsx"), "EditCampaignPage"),
  }),
] as const;
