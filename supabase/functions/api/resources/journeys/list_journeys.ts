import { z } from "zod";
import { listJourneys as listRows } from "./journey_queries.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { oneOf, pageOf, paging, text } from "../../contract/fields.ts";
import { readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";
import { positionByName, sortedForm } from "../../kernel/sorting.ts";
import { nameSort } from "../../contract/sorting.ts";
import { journeyStates, listedJourney } from "../../contract/journeys.ts";

const form = { list: "journeys", forms: [uuidPosition] };

export const listJourneys = defineRoute({
  operationId: "listJourneys",
  method: "GET",
  path: "/journeys",
  tag: "Journeys",
  summary: "List journeys",
  description: "Lists journeys without their definitions.",
  scopes: ["journeys:read"],
  leastRole: "viewer",
  query: z.strictObject({
    q: text(200).optional().meta({ description: "Beginning of the name, ignoring case." }),
    state: oneOf(journeyStates).optional(),
    ...nameSort,
    ...paging,
  }),
  status: 200,
  response: pageOf(listedJourney),
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
