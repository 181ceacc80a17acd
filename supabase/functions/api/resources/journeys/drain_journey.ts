import { findJourney, requireJourneyId, setJourneyState } from "./journey_queries.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { journey } from "../../contract/journeys.ts";

export const drainJourney = defineRoute({
  operationId: "drainJourney",
  method: "POST",
  path: "/journeys/{id}/drain",
  tag: "Journeys",
  summary: "Drain a journey",
  description: "No more customers enter. Customers who are inside continue.",
  scopes: ["journeys:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Journey",
  status: 200,
  response: journey,
  errors: ["conflict"],
  action: "journey.drain",
  async handle({ tx, workspaceId, params, audit }) {
    const journeyId = await requireJourneyId(tx, { workspaceId, name: params.id });
    await setJourneyState(tx, { workspaceId, journeyId, state: "draining" });
    await audit(journeyId);
    return requireFound(await findJourney(tx, { workspaceId, journeyId }), "Journey");
  },
});
