import { z } from "zod";
import { listCampaigns as listRows } from "./campaign_queries.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { pageOf, paging } from "../../contract/fields.ts";
import { readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { positionByName, sortedForm } from "../../kernel/sorting.ts";
import { nameSort } from "../../contract/sorting.ts";
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
  query: z.strictObject({ state: campaignState.optional(), ...nameSort, ...paging }),
  status: 200,
  response: pageOf(campaign),
  async handle({ tx, workspaceId, query }) {
    const { sort, limit, cursor, state } = query;
    const sorted = sortedForm(form, sort);
    const page = readPage(sorted, { limit, cursor });
    const rows = await listRows(tx, { workspaceId, state, sort, ...page });
    return toPage(sorted, { rows, limit, positionOf: positionByName(sort) });
  },
});
