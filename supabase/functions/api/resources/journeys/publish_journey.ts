import { ApiError } from "../../../_shared/errors/errors.ts";
import { findLiquidFaults } from "./find_liquid_faults.ts";
import { findJourney, requireJourneyId } from "./journey_queries.ts";
import { findReferents, publishVersion } from "./version_queries.ts";
import { requirePublishable } from "../../contract/journeys/check_definition.ts";
import { journey, publication } from "../../contract/journeys.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";

export const publishJourney = defineRoute({
  operationId: "publishJourney",
  method: "POST",
  path: "/journeys/{id}/publish",
  tag: "Journeys",
  summary: "Publish the draft of a journey",
  description: "Checks the whole draft and creates the next version, which never changes. A new " +
    "journey starts to run. A paused journey stays paused. If the draft has problems, the error " +
    "lists up to 100 of them.",
  scopes: ["journeys:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Journey",
  body: publication,
  isBodyOptional: true,
  status: 200,
  response: journey,
  errors: ["conflict"],
  action: "journey.publish",
  async handle({ tx, workspaceId, params, body, caller, audit }) {
    const journeyId = await requireJourneyId(tx, { workspaceId, name: params.id });
    const key = { workspaceId, journeyId };
    const { definition, draft_revision } = requireFound(await findJourney(tx, key), "Journey");
    if ((body.draft_revision ?? draft_revision) !== draft_revision) {
      const message = "Cannot publish journey: its draft has changed since it was read";
      throw new ApiError("conflict", message);
    }
    const found = await findReferents(tx, { workspaceId, definition });
    const inside = body.inside ?? "stay";
    const version = await publishVersion(tx, {
      ...key,
      definition: requirePublishable(definition, found, findLiquidFaults(definition)),
      inside,
      published_by: caller.kind === "session" ? caller.userId : null,
    });
    await audit(journeyId, { version, inside });
    return requireFound(await findJourney(tx, key), "Journey");
  },
});
