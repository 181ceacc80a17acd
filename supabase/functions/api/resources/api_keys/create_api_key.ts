import { z } from "zod";
import { createKey, findKey } from "./api_key_queries.ts";
import { invalidInput } from "../../../_shared/errors/errors.ts";
import { generateApiKey } from "../../../_shared/access/keys.ts";
import { createUuidV7 } from "../../../_shared/ids/uuid_v7.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { requireUser } from "../../kernel/require_user.ts";
import { apiKey, newApiKey } from "../../contract/api_keys.ts";

export const createApiKey = defineRoute({
  operationId: "createApiKey",
  method: "POST",
  path: "/api-keys",
  tag: "API keys",
  summary: "Create an API key",
  description: "Only this response shows the key.",
  scopes: [],
  leastRole: "admin",
  body: newApiKey,
  status: 201,
  response: apiKey.extend({
    key: z.string().meta({ example: "pk_004f8Jk2mN0pQrStUvWxYz1aBcDeFgHiJkLmNoPq" }),
  }).meta({ id: "CreatedApiKey" }),
  errors: ["limit_reached"],
  action: "api_key.create",
  async handle({ tx, workspaceId, caller, body, service, audit }) {
    const expiresAt = body.expires_at ?? undefined;
    if (expiresAt !== undefined && Date.parse(expiresAt) <= service.now().getTime()) {
      throw invalidInput([{ field: "expires_at", message: "must not be in the past" }]);
    }
    const { userId } = requireUser(caller);
    const { key, hash, lastFour } = await generateApiKey(service.cell);
    const id = { workspaceId, keyId: createUuidV7(service.now()) };
    const { name, scopes } = body;
    await createKey(tx, { ...id, userId, name, scopes, expiresAt, hash, lastFour });
    await audit(id.keyId, { scopes, expires_at: expiresAt ?? null });
    return { ...requireFound(await findKey(tx, id), "API key"), key };
  },
});
