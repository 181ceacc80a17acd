import { z } from "zod";
import { listKeys } from "../../../_shared/db/managed_keys.ts";
import { uuidPlace } from "../../cursor.ts";
import { pageOf, paging } from "../../fields.ts";
import { placeOfId, readPage, toPage } from "../../page.ts";
import { defineRoute } from "../../route.ts";
import { apiKey } from "./schema.ts";

const form = { list: "api-keys", forms: [uuidPlace] };

export const listApiKeys = defineRoute({
  operationId: "listApiKeys",
  method: "GET",
  path: "/api-keys",
  tag: "API keys",
  summary: "List API keys, revoked ones included",
  scopes: [],
  leastRole: "admin",
  query: z.strictObject(paging),
  status: 200,
  answer: pageOf(apiKey),
  async handle({ tx, workspaceId, query }) {
    const rows = await listKeys(tx, { workspaceId, ...readPage(form, query) });
    return toPage(form, { rows, limit: query.limit, placeOf: placeOfId });
  },
});
