import { z } from "zod";
import { listSources as listRows } from "../../../_shared/db/sources.ts";
import { uuidPlace } from "../../cursor.ts";
import { pageOf, paging } from "../../fields.ts";
import { placeOfId, readPage, toPage } from "../../page.ts";
import { defineRoute } from "../../route.ts";
import { source } from "./schema.ts";

const form = { list: "sources", forms: [uuidPlace] };

export const listSources = defineRoute({
  operationId: "listSources",
  method: "GET",
  path: "/sources",
  tag: "Sources",
  summary: "List sources",
  scopes: ["sources:read"],
  leastRole: "viewer",
  query: z.strictObject(paging),
  status: 200,
  answer: pageOf(source),
  async handle({ tx, workspaceId, query }) {
    const rows = await listRows(tx, { workspaceId, ...readPage(form, query) });
    return toPage(form, { rows, limit: query.limit, placeOf: placeOfId });
  },
});
