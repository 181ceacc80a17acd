import { newSuppression, suppression } from "../../contract/suppressions.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { addSuppressions, findSuppression } from "./suppression_queries.ts";

export const createSuppression = defineRoute({
  operationId: "createSuppression",
  method: "POST",
  path: "/suppressions",
  tag: "Suppressions",
  summary: "Suppress an address",
  description: "If the address already has a suppression that is as strong, returns that one.",
  scopes: ["suppressions:write"],
  leastRole: "admin",
  body: newSuppression,
  status: 201,
  response: suppression,
  action: "suppression.create",
  async handle({ tx, workspaceId, body, audit }) {
    const { email, reason = "manual" } = body;
    await addSuppressions(tx, { workspaceId, entries: [{ email, reason, source: "api" }] });
    const found = requireFound(await findSuppression(tx, { workspaceId, email }), "Suppression");
    await audit(found.id, { reason });
    return found;
  },
});
