import { z } from "zod";
import { requireJourneyId } from "./journey_queries.ts";
import { listJourneyRuns } from "../runs/run_queries.ts";
import { oneOf, pageOf, paging } from "../../contract/fields.ts";
import { listedRun } from "../../contract/journeys.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { uuidPosition } from "../../kernel/cursor.ts";
import { positionOfId, readPage, toPage } from "../../kernel/http_page.ts";
import { defineRoute } from "../../kernel/route.ts";

const form = { list: "journey-runs", forms: [uuidPosition] };

export const listRuns = defineRoute({
  operationId: "listRuns",
  method: "GET",
  path: "/journeys/{id}/runs",
  tag: "Journeys",
  summary: "List the runs of a journey",
  description: "Those of all versions, newest first.",
  scopes: ["journeys:read"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Journey",
  query: z.strictObject({ state: oneOf(["active", "ended"]).optional(), ...paging }),
  status: 200,
  response: pageOf(listedRun),
  async handle({ tx, workspaceId, params, query }) {
    const journeyId = await requireJourneyId(tx, { workspaceId, name: params.id });
    const { limit, cursor, state } = query;
    const page = readPage(form, { limit, cursor });
    const rows = await listJourneyRuns(tx, { workspaceId, journeyId, state, ...page });
    return toPage(form, { rows, limit, positionOf: positionOfId });
  },
});
