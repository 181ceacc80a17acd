import { deleteJourney as deleteRow, requireJourneyId } from "./journey_queries.ts";
import { defineRoute } from "../../kernel/route.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { getJourney } from "./get_journey.ts";

export const deleteJourney = defineRoute({
  operationId: "deleteJourney",
  method: "DELETE",
  path: "/journeys/{id}",
  tag: "Journeys",
  summary: "Delete a journey",
  description: "Deletes its versions and runs too. You cannot delete a journey that has active " +
    "runs (stop it first) or that a segment refers to.",
  scopes: ["journeys:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Journey",
  status: 204,
  errors: ["conflict"],
  action: "journey.delete",
  shownBy: getJourney,
  async handle({ tx, workspaceId, params, audit }) {
    const journeyId = await requireJourneyId(tx, { workspaceId, name: params.id });
    await deleteRow(tx, { workspaceId, journeyId });
    await audit(journeyId);
  },
});
