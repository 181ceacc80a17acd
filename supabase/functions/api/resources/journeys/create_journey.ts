import { createJourney as insertJourney, findJourney } from "./journey_queries.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { bodyDepth, journey, newJourney } from "../../contract/journeys.ts";

export const createJourney = defineRoute({
  operationId: "createJourney",
  method: "POST",
  path: "/journeys",
  tag: "Journeys",
  summary: "Create a journey",
  description: "The journey is a draft: nobody can enter until you publish it.",
  scopes: ["journeys:write"],
  leastRole: "admin",
  body: newJourney,
  maxDepth: bodyDepth,
  status: 201,
  response: journey,
  errors: ["conflict", "limit_reached"],
  action: "journey.create",
  async handle({ tx, workspaceId, body, audit }) {
    const journeyId = await insertJourney(tx, { workspaceId, fields: body });
    await audit(journeyId, { name: body.name });
    return requireFound(await findJourney(tx, { workspaceId, journeyId }), "Journey");
  },
});
