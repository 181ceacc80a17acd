import { findJourney, requireJourneyId, setJourneyState } from "./journey_queries.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { journey } from "../../contract/journeys.ts";

export const stopJourney = defineRoute({
  operationId: "stopJourney",
  method: "POST",
  path: "/journeys/{id}/stop",
  tag: "Journeys",
  summary: "Stop a journey",
  description: "All runs end with the reason `stopped`. A stopped journey stays stopped.",
  scopes: ["journeys:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Journey",
  status: 200,
  response: journey,
  errors: ["conflict"],
  action: "journey.stop",
  async handle({ tx, workspaceId, params, audit }) {
    const journeyId = await requireJourneyId(tx, { workspaceId, name: params.id });
    await setJourneyState(tx, { workspaceId, journeyId, state: "stopped" });
    await audit(journeyId);
    return requireFound(await findJourney(tx, { workspaceId, journeyId }), "Journey");
  },
});
