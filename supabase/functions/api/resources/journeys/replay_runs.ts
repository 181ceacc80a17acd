import { requireJourneyId } from "./journey_queries.ts";
import { replayRuns as replayRows } from "./entry_queries.ts";
import { replay, replayed } from "../../contract/journeys.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { defineRoute } from "../../kernel/route.ts";

export const replayRuns = defineRoute({
  operationId: "replayRuns",
  method: "POST",
  path: "/journeys/{id}/replay",
  tag: "Journeys",
  summary: "Make runs continue from a step",
  description: "Runs that have ended become active again. The steps take effect again.",
  scopes: ["journeys:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Journey",
  body: replay,
  status: 202,
  response: replayed,
  errors: ["conflict"],
  action: "journey.replay",
  async handle({ tx, workspaceId, params, body, audit }) {
    const journeyId = await requireJourneyId(tx, { workspaceId, name: params.id });
    const count = await replayRows(tx, { workspaceId, journeyId, ...body });
    await audit(journeyId, { from: body.from, replayed: count });
    return { replayed: count };
  },
});
