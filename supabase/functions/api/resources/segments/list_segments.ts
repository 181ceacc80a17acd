import { z } from "zod";
import { listSegments as listRows } from "./segment_queries.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { oneOf, pageOf, paging, text } from "../../contract/fields.ts";
import { readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { positionByName, sortedForm } from "../../kernel/sorting.ts";
import { nameSort } from "../../contract/sorting.ts";
import { segment } from "../../contract/segments.ts";

const form = { list: "segments", forms: [uuidPosition] };

export const listSegments = defineRoute({
  operationId: "listSegments",
  method: "GET",
  path: "/segments",
  tag: "Segments",
  summary: "List segments",
  scopes: ["segments:read"],
  leastRole: "viewer",
  query: z.strictObject({
    q: text(200).optional().meta({ description: "Beginning of the name, ignoring case." }),
    kind: oneOf(["live", "static"]).optional(),
    ...nameSort,
    ...paging,
  }),
  status: 200,
  response: pageOf(segment),
  async handle({ tx, workspaceId, query }) {
    const { limit, cursor, ...filter } = query;
    const sorted = sortedForm(form, filter.sort);
    const rows = await listRows(tx, {
      workspaceId,
      ...filter,
      ...readPage(sorted, { limit, cursor }),
    });
    return toPage(sorted, { rows, limit, positionOf: positionByName(filter.sort) });
  },
});
