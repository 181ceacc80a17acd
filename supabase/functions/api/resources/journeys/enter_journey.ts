import { requireJourneyId } from "./journey_queries.ts";
import { enterCustomer, findCustomerId } from "./entry_queries.ts";
import { entry, newEntry } from "../../contract/journeys.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";

export const enterJourney = defineRoute({
  operationId: "enterJourney",
  method: "POST",
  path: "/journeys/{id}/enter",
  tag: "Journeys",
  summary: "Let a customer enter a journey",
  description: "Works for a running journey with any trigger. Returns 202 if a run began, or 200 " +
    "with the reason if the entry rules forbid it.",
  scopes: ["journeys:write"],
  leastRole: "member",
  params: namedParams,
  entity: "Journey",
  body: newEntry,
  hasBodyKey: true,
  status: 202,
  isDeclined: (response) => (response as { entered?: boolean }).entered === false,
  response: entry,
  action: "journey.enter",
  async handle({ tx, workspaceId, params, body, audit }) {
    const journeyId = await requireJourneyId(tx, { workspaceId, name: params.id });
    const customerId = requireFound(await findCustomerId(tx, { workspaceId, ...body }), "Customer");
    const answer = await enterCustomer(tx, {
      workspaceId,
      journeyId,
      customerId,
      data: body.data ?? {},
    });
    await audit(journeyId, { customer_id: customerId });
    return answer;
  },
});
