import { z } from "zod";
import { listDestinations as listRows } from "./destination_queries.ts";
import { uuidPlace } from "../../kernel/cursor.ts";
import { pageOf, paging } from "../../contract/fields.ts";
import { placeOfId, readPage, toPage } from "../../kernel/page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { destination } from "../../contract/destinations.ts";

const form = { list: "destinations", forms: [uuidPlace] };

export const listDestinations = defineRoute({
  operationId: "listDestinations",
  method: "GET",
  path: "/destinations",
  tag: "Destinations",
  summary: "List destinations",
  scopes: ["destinations:read"],
  leastRole: "viewer",
  query: z.strictObject(paging),
  status: 200,
  answer: pageOf(destination),
  async handle({ tx, workspaceId, query }) {
    const rows = await listRows(tx, { workspaceId, ...readPage(form, query) });
    return toPage(form, { rows, limit: query.limit, placeOf: placeOfId });
  },
});
