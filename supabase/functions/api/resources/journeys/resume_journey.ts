import { findJourney, requireJourneyId, setJourneyState } from "./journey_queries.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { journey, resumption } from "../../contract/journeys.ts";

export const resumeJourney = defineRoute({
  operationId: "resumeJourney",
  method: "POST",
  path: "/journeys/{id}/resume",
  tag: "Journeys",
  summary: "Resume a journey",
  description: "Ends a pause or stops draining. Runs that fell due during the pause move on now.",
  scopes: ["journeys:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Journey",
  body: resumption,
  isBodyOptional: true,
  status: 200,
  response: journey,
  errors: ["conflict"],
  action: "journey.resume",
  async handle({ tx, workspaceId, params, body, audit }) {
    const journeyId = await requireJourneyId(tx, { workspaceId, name: params.id });
    const options = body.late === "skip" ? { late: "skip" } : {};
    await setJourneyState(tx, { workspaceId, journeyId, state: "running", options });
    await audit(journeyId, options);
    return requireFound(await findJourney(tx, { workspaceId, journeyId }), "Journey");
  },
});
