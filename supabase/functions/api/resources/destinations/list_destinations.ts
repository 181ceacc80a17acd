import { z } from "zod";
import { countDestinations, listDestinations as listRows } from "./destination_queries.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { oneOf, pageOf, paging, text } from "../../contract/fields.ts";
import { readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { positionByName, sortedForm } from "../../kernel/sorting.ts";
import { nameSort } from "../../contract/sorting.ts";
import { destination, destinationCounts, healthStates } from "../../contract/destinations.ts";

const form = { list: "destinations", forms: [uuidPosition] };

export const listDestinations = defineRoute({
  operationId: "listDestinations",
  method: "GET",
  path: "/destinations",
  tag: "Destinations",
  summary: "List destinations",
  scopes: ["destinations:read"],
  leastRole: "viewer",
  query: z.strictObject({
    q: text(200).optional().meta({ description: "Beginning of the name, ignoring case." }),
    health: oneOf(healthStates).optional(),
    ...nameSort,
    ...paging,
  }),
  status: 200,
  response: pageOf(destination).extend({ counts: destinationCounts }),
  async handle({ tx, workspaceId, query }) {
    const { limit, cursor, ...filter } = query;
    const sorted = sortedForm(form, filter.sort);
    const rows = await listRows(tx, {
      workspaceId,
      ...filter,
      ...readPage(sorted, { limit, cursor }),
    });
    const counts = await countDestinations(tx, workspaceId);
    return { ...toPage(sorted, { rows, limit, positionOf: positionByName(filter.sort) }), counts };
  },
});
