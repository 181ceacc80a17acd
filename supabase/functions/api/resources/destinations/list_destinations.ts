import { z } from "zod";
import { countDestinations, listDestinations as listRows } from "./destination_queries.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { oneOf, pageOf, paging, text } from "../../contract/fields.ts";
import { positionOfId, readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
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
    q: text(200).optional().meta({ description: "How the name begins, in upper or lower case." }),
    health: oneOf(healthStates).optional(),
    ...paging,
  }),
  status: 200,
  response: pageOf(destination).extend({ counts: destinationCounts }),
  async handle({ tx, workspaceId, query }) {
    const { limit, cursor, ...filter } = query;
    const rows = await listRows(tx, {
      workspaceId,
      ...filter,
      ...readPage(form, { limit, cursor }),
    });
    const counts = await countDestinations(tx, workspaceId);
    return { ...toPage(form, { rows, limit, positionOf: positionOfId }), counts };
  },
});
