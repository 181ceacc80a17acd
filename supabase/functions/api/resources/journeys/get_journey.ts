import { findJourney, requireJourneyId } from "./journey_queries.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { journey } from "../../contract/journeys.ts";

export const getJourney = defineRoute({
  operationId: "getJourney",
  method: "GET",
  path: "/journeys/{id}",
  tag: "Journeys",
  summary: "Get a journey",
  scopes: ["journeys:read"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Journey",
  status: 200,
  response: journey,
  async handle({ tx, workspaceId, params }) {
    const journeyId = await requireJourneyId(tx, { workspaceId, name: params.id });
    return requireFound(await findJourney(tx, { workspaceId, journeyId }), "Journey");
  },
});
