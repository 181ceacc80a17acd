import { z } from "zod";
import { listDestinations as listRows } from "../../../_shared/db/destinations.ts";
import { uuidPlace } from "../../cursor.ts";
import { pageOf, paging } from "../../fields.ts";
import { placeOfId, readPage, toPage } from "../../page.ts";
import { defineRoute } from "../../route.ts";
import { destination } from "./schema.ts";

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
