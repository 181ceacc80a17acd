import { z } from "zod";
import { listCampaigns as listRows } from "./campaign_queries.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { pageOf, paging } from "../../contract/fields.ts";
import { positionOfId, readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { campaign, campaignState } from "../../contract/campaigns.ts";

const form = { list: "campaigns", forms: [uuidPosition] };

export const listCampaigns = defineRoute({
  operationId: "listCampaigns",
  method: "GET",
  path: "/campaigns",
  tag: "Campaigns",
  summary: "List campaigns",
  scopes: ["campaigns:read"],
  leastRole: "viewer",
  query: z.strictObject({ state: campaignState.optional(), ...paging }),
  status: 200,
  response: pageOf(campaign),
  async handle({ tx, workspaceId, query }) {
    const { limit, cursor, state } = query;
    const page = readPage(form, { limit, cursor });
    const rows = await listRows(tx, { workspaceId, state, ...page });
    return toPage(form, { rows, limit, positionOf: positionOfId });
  },
});
