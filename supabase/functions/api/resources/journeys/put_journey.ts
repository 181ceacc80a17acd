import {
  findJourney,
  type JourneyFields,
  putJourney as putRow,
  requireJourneyId,
  updateJourney,
} from "./journey_queries.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import { readPathKey } from "../../kernel/path_key.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { isUuid, namedParams } from "../../contract/resource_names.ts";
import { bodyDepth, journey, newJourney } from "../../contract/journeys.ts";
import { getJourney } from "./get_journey.ts";

interface Put {
  workspaceId: string;
  /** The id or key in the path. */
  name: string;
  fields: JourneyFields;
}

export const putJourney = defineRoute({
  operationId: "putJourney",
  method: "PUT",
  path: "/journeys/{id}",
  tag: "Journeys",
  summary: "Create or replace a journey",
  description:
    "With a key, creates the journey or replaces all its fields. With an id, replaces all fields " +
    "of an existing journey. The definition replaces the draft. Published versions never change.",
  scopes: ["journeys:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Journey",
  body: newJourney,
  maxDepth: bodyDepth,
  status: 200,
  mayCreate: true,
  response: journey,
  errors: ["conflict", "limit_reached"],
  action: ["journey.update", "journey.create"],
  shownBy: getJourney,
  async handle({ tx, workspaceId, params, body, audit, noteCreated }) {
    const put = { workspaceId, name: params.id, fields: body };
    const { id, is_created } = isUuid(params.id) ? await replace(tx, put) : await putByKey(tx, put);
    if (is_created) noteCreated();
    const action = is_created ? "journey.create" : "journey.update";
    await audit({ id, action }, { name: body.name });
    return requireFound(await findJourney(tx, { workspaceId, journeyId: id }), "Journey");
  },
});

async function putByKey(tx: CallerSql, { workspaceId, name, fields }: Put) {
  return await putRow(tx, { workspaceId, key: readPathKey(name, fields), fields });
}

async function replace(tx: CallerSql, { workspaceId, name, fields }: Put) {
  const journeyId = await requireJourneyId(tx, { workspaceId, name });
  // A key that is left out stays, because other resources use it to name the journey.
  const all = { description: null, ...fields };
  await updateJourney(tx, { workspaceId, journeyId, fields: all });
  return { id: journeyId, is_created: false };
}
