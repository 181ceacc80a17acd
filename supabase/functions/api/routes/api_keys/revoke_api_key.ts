import { revokeKey } from "../../../_shared/db/managed_keys.ts";
import { params } from "../../fields.ts";
import { requireFound } from "../../found.ts";
import { defineRoute } from "../../route.ts";

export const revokeApiKey = defineRoute({
  operationId: "revokeApiKey",
  method: "DELETE",
  path: "/api-keys/{id}",
  tag: "API keys",
  summary: "Revoke an API key",
  description: "It stops working within 10 s and stays in the list.",
  scopes: [],
  leastRole: "admin",
  params,
  status: 204,
  action: "api_key.revoke",
  async handle({ tx, workspaceId, params, audit }) {
    requireFound(await revokeKey(tx, { workspaceId, keyId: params.id }), "API key");
    await audit(params.id);
  },
});
