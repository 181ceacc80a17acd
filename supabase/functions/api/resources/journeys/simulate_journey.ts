import { requireScope } from "../../../_shared/access/auth.ts";
import { newSimulation, simulation } from "../../contract/simulations.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { defineRoute } from "../../kernel/route.ts";
import { findRunnable } from "./find_runnable.ts";
import { requireJourneyId } from "./journey_queries.ts";

export const simulateJourney = defineRoute({
  operationId: "simulateJourney",
  method: "POST",
  path: "/journeys/{id}/simulate",
  tag: "Journeys",
  summary: "Simulate a journey for one customer",
  description: "Simulates the draft or a version, from event to event and timer to timer. " +
    "Nothing is sent or stored. A draft must be ready to publish. For an existing customer, a " +
    "key also needs `customers:read`.",
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
    const { version, events, ...rest } = body;
    const definition = await findRunnable(tx, { workspaceId, journeyId, version });
    const now = service.now().toISOString();
    const simulated = {
      ...rest,
      workspace_id: workspaceId,
      journey_id: journeyId,
      definition,
      events: events?.map(({ occurred_at: at = now, ...event }) => ({ ...event, at })),
    };
    return afterCommit(() => service.simulate(simulated));
  },
});
