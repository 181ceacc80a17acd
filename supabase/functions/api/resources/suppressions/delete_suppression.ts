import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { removeSuppression } from "./suppression_queries.ts";

export const deleteSuppression = defineRoute({
  operationId: "deleteSuppression",
  method: "DELETE",
  path: "/suppressions/{id}",
  tag: "Suppressions",
  summary: "Lift a suppression",
  description: "The service can send to the address again. Opt-outs stay.",
  scopes: ["suppressions:write"],
  leastRole: "admin",
  params,
  entity: "Suppression",
  status: 204,
  action: "suppression.delete",
  async handle({ tx, workspaceId, params, audit }) {
    requireFound(await removeSuppression(tx, { workspaceId, id: params.id }), "Suppression");
    await audit(params.id);
  },
});
