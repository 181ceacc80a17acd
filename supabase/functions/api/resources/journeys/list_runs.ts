import { requireJourneyId } from "./journey_queries.ts";
import { listJourneyRuns, listStuckRuns } from "../runs/run_queries.ts";
import { pageOf } from "../../contract/fields.ts";
import { listedRun, runQuery } from "../../contract/journeys.ts";
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
  description: "Lists the runs of all versions, newest first. With a step and its version, lists " +
    "the runs that are there now. With stuck, lists the active runs that should have moved over " +
    "two minutes ago: at most 1,000, the most overdue ones. A paused journey has none.",
  scopes: ["journeys:read"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Journey",
  query: runQuery,
  status: 200,
  response: pageOf(listedRun),
  async handle({ tx, workspaceId, params, query }) {
    const journeyId = await requireJourneyId(tx, { workspaceId, name: params.id });
    const { limit, cursor, state, step, version, stuck } = query;
    const standing = step === undefined || version === undefined ? undefined : { step, version };
    const page = readPage(form, { limit, cursor });
    const key = { workspaceId, journeyId, ...page };
    const rows = stuck
      ? await listStuckRuns(tx, key)
      : await listJourneyRuns(tx, { ...key, state, standing });
    return toPage(form, { rows, limit, positionOf: positionOfId });
  },
});
