import { admins, members } from "./actors.ts";
import type { Write } from "./write.ts";

const editors = admins("campaigns:write");

/** Functions that show something of campaigns. */
export const campaignLookups: readonly Write[] = [
  {
    title: "what a campaign did for a customer",
    statement: ({ workspaceId, campaignId, customerId }) =>
      `select from private.explain_recipient('${workspaceId}', '${campaignId}', '${customerId}') as r
       where r is not null`,
    right: members("campaigns:read", "campaigns:write", "sends:read"),
  },
  {
    title: "who would get a campaign",
    statement: ({ workspaceId, campaignId }) =>
      `select from private.review_campaign('${workspaceId}', '${campaignId}') as r
       where r is not null`,
    right: members("campaigns:read", "campaigns:write"),
  },
];

/** Functions that change campaigns. */
export const campaignWrites: readonly Write[] = [
  {
    title: "create a campaign",
    statement: ({ workspaceId, segmentId, templateId, senderId }) =>
      `select private.create_campaign('${workspaceId}', '{"name": "x", "segment": "${segmentId}",
         "template": "${templateId}", "sender": "${senderId}"}')`,
    right: editors,
  },
  {
    title: "change a campaign",
    statement: ({ workspaceId, campaignId }) =>
      `select private.update_campaign('${workspaceId}', '${campaignId}', '{"name": "x"}')`,
    right: editors,
  },
  {
    title: "delete a campaign",
    statement: ({ workspaceId, campaignId }) =>
      `select private.delete_campaign('${workspaceId}', '${campaignId}')`,
    right: editors,
  },
  {
    title: "send a campaign",
    statement: ({ workspaceId, campaignId }) =>
      `select private.start_campaign('${workspaceId}', '${campaignId}', '{"now": true}')`,
    right: editors,
  },
  {
    title: "pause a campaign",
    statement: ({ workspaceId, sendingCampaignId }) =>
      `select private.pause_campaign('${workspaceId}', '${sendingCampaignId}')`,
    right: editors,
  },
  {
    title: "resume a campaign",
    statement: ({ workspaceId, pausedCampaignId }) =>
      `select private.resume_campaign('${workspaceId}', '${pausedCampaignId}')`,
    right: editors,
  },
  {
    title: "cancel a campaign",
    statement: ({ workspaceId, sendingCampaignId }) =>
      `select private.cancel_campaign('${workspaceId}', '${sendingCampaignId}')`,
    right: editors,
  },
  {
    title: "test a campaign",
    statement: ({ workspaceId, campaignId }) =>
      `select private.test_campaign(
         '${workspaceId}', '${campaignId}', '{"addresses": ["me@example.com"]}')`,
    right: editors,
  },
];
