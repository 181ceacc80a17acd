import { requireScope } from "../../../_shared/access/auth.ts";
import type { Definition } from "../../../_shared/journeys/definition.ts";
import { requirePublishable } from "../../contract/journeys/check_definition.ts";
import { newSimulation, simulation } from "../../contract/simulations.ts";
import { namedParams } from "../../contract/resource_names.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { findJourney, type JourneyKey, requireJourneyId } from "./journey_queries.ts";
import { findDefinitions, findReferents } from "./version_queries.ts";

export const simulateJourney = defineRoute({
  operationId: "simulateJourney",
  method: "POST",
  path: "/journeys/{id}/simulate",
  tag: "Journeys",
  summary: "Simulate a journey for one customer",
  description: "Of the draft or a version, from event to event and timer to timer. Nothing is " +
    "sent or stored. A draft needs to be ready to publish. A key also needs `customers:read` for " +
    "a customer that exists.",
  scopes: ["journeys:write"],
  leastRole: "member",
  params: namedParams,
  entity: "Journey",
  body: newSimulation,
  status: 200,
  response: simulation,
  isDry: true,
  async handle({ tx, workspaceId, params, body, caller, service, afterCommit }) {
    const isReal = body.customer_id !== undefined;
    if (isReal && caller.kind === "key") requireScope(caller.key, "customers:read");
    const journeyId = await requireJourneyId(tx, { workspaceId, name: params.id });
    const { version, ...rest } = body;
    const definition = await findDefinition(tx, { workspaceId, journeyId, version });
    const simulated = { workspace_id: workspaceId, journey_id: journeyId, definition, ...rest };
    return afterCommit(() => service.simulate(simulated));
  },
});

async function findDefinition(
  tx: CallerSql,
  { version, ...key }: JourneyKey & { version: number | undefined },
): Promise<Definition> {
  if (version !== undefined) {
    const found = await findDefinitions(tx, { ...key, versions: [version] });
    return requireFound(found.get(version), "Version");
  }
  const { definition } = requireFound(await findJourney(tx, key), "Journey");
  const { workspaceId } = key;
  return requirePublishable(definition, await findReferents(tx, { workspaceId, definition }));
}
