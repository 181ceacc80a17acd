import { revokeKey } from "./api_key_queries.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";

export const revokeApiKey = defineRoute({
  operationId: "revokeApiKey",
  method: "DELETE",
  path: "/api-keys/{id}",
  tag: "API keys",
  summary: "Revoke an API key",
  description: "The key stops working within 10 s and stays in the list.",
  scopes: [],
  leastRole: "admin",
  params,
  entity: "API key",
  status: 204,
  action: "api_key.revoke",
  async handle({ tx, workspaceId, params, audit }) {
    requireFound(await revokeKey(tx, { workspaceId, keyId: params.id }), "API key");
    await audit(params.id);
  },
});
