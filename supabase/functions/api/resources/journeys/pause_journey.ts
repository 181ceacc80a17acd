import { findJourney, requireJourneyId, setJourneyState } from "./journey_queries.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { journey } from "../../contract/journeys.ts";

export const pauseJourney = defineRoute({
  operationId: "pauseJourney",
  method: "POST",
  path: "/journeys/{id}/pause",
  tag: "Journeys",
  summary: "Pause a journey",
  description:
    "No customer enters or moves. Timers that fall due wait until you resume the journey.",
  scopes: ["journeys:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Journey",
  status: 200,
  response: journey,
  errors: ["conflict"],
  action: "journey.pause",
  async handle({ tx, workspaceId, params, audit }) {
    const journeyId = await requireJourneyId(tx, { workspaceId, name: params.id });
    await setJourneyState(tx, { workspaceId, journeyId, state: "paused" });
    await audit(journeyId);
    return requireFound(await findJourney(tx, { workspaceId, journeyId }), "Journey");
  },
});
