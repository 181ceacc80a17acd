import { findJourney, requireJourneyId, updateJourney as updateRow } from "./journey_queries.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { bodyDepth, journey, journeyEdit } from "../../contract/journeys.ts";
import { getJourney } from "./get_journey.ts";

export const updateJourney = defineRoute({
  operationId: "updateJourney",
  method: "PATCH",
  path: "/journeys/{id}",
  tag: "Journeys",
  summary: "Change a journey",
  description: "A definition replaces the draft. Runs are not affected until you publish it.",
  scopes: ["journeys:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Journey",
  body: journeyEdit,
  maxDepth: bodyDepth,
  status: 200,
  response: journey,
  errors: ["conflict"],
  action: "journey.update",
  shownBy: getJourney,
  async handle({ tx, workspaceId, params, body, audit }) {
    const journeyId = await requireJourneyId(tx, { workspaceId, name: params.id });
    await updateRow(tx, { workspaceId, journeyId, fields: body });
    await audit(journeyId, {
      fields: Object.keys(body).filter((name) => name !== "draft_revision"),
    });
    return requireFound(await findJourney(tx, { workspaceId, journeyId }), "Journey");
  },
});
