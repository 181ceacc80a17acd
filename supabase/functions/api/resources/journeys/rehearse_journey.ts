import { findRunnable } from "./find_runnable.ts";
import { requireJourneyId } from "./journey_queries.ts";
import { startRehearsal } from "./version_queries.ts";
import { newRehearsal, startedRehearsal } from "../../contract/rehearsals.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { defineRoute } from "../../kernel/route.ts";

export const rehearseJourney = defineRoute({
  operationId: "rehearseJourney",
  method: "POST",
  path: "/journeys/{id}/rehearse",
  tag: "Journeys",
  summary: "Rehearse a journey over recorded history",
  description: "Rehearses the draft or a version, as a job: `GET /api/jobs/{id}` shows who would " +
    "have entered, how many would have reached each step, what would have been sent, and ten " +
    "runs. Nothing is sent. Only the result is stored, for 30 days. A draft must be ready to " +
    "publish. A journey has one rehearsal at a time.",
  scopes: ["journeys:write"],
  leastRole: "member",
  params: namedParams,
  entity: "Journey",
  body: newRehearsal,
  status: 202,
  response: startedRehearsal,
  errors: ["conflict", "limit_reached"],
  action: "journey.rehearse",
  async handle({ tx, workspaceId, params, body, audit }) {
    const journeyId = await requireJourneyId(tx, { workspaceId, name: params.id });
    const { version, since } = body;
    const definition = await findRunnable(tx, { workspaceId, journeyId, version });
    const job_id = await startRehearsal(tx, { workspaceId, journeyId, definition, version, since });
    await audit(journeyId, { version: version ?? null, since });
    return { job_id };
  },
});
