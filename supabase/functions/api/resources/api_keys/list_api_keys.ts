import { z } from "zod";
import { listKeys } from "./api_key_queries.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { pageOf, paging } from "../../contract/fields.ts";
import { positionOfId, readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { apiKey } from "../../contract/api_keys.ts";

const form = { list: "api-keys", forms: [uuidPosition] };

export const listApiKeys = defineRoute({
  operationId: "listApiKeys",
  method: "GET",
  path: "/api-keys",
  tag: "API keys",
  summary: "List API keys, including revoked ones",
  scopes: [],
  leastRole: "admin",
  query: z.strictObject(paging),
  status: 200,
  response: pageOf(apiKey),
  async handle({ tx, workspaceId, query }) {
    const rows = await listKeys(tx, { workspaceId, ...readPage(form, query) });
    return toPage(form, { rows, limit: query.limit, positionOf: positionOfId });
  },
});
