import { createSource as insertSource, findSource } from "./source_queries.ts";
import { generateSourceSecret } from "../../../_shared/sources/secrets.ts";
import { createSourceId } from "../../../_shared/sources/source_ids.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { requireSecret, requireSettings } from "./require_secret.ts";
import { newSource, requireRules, sourceWithSecret } from "../../contract/sources.ts";

export const createSource = defineRoute({
  operationId: "createSource",
  method: "POST",
  path: "/sources",
  tag: "Sources",
  summary: "Create a source",
  description:
    "Only this response shows the secret. Some senders generate the secret and show it " +
    "after you enter the address: rotate the source's secret to set it.",
  scopes: ["sources:write"],
  leastRole: "admin",
  body: newSource,
  status: 201,
  response: sourceWithSecret,
  errors: ["limit_reached"],
  action: "source.create",
  async handle({ tx, workspaceId, body, service, audit }) {
    const { scheme, secret: given, ...fields } = body;
    requireSettings({ scheme, ...fields });
    requireSecret({ scheme, ...fields }, given);
    requireRules({ scheme, preset: fields.preset ?? null, mapping: fields.mapping ?? null });
    const key = { workspaceId, sourceId: createSourceId(service.cell, service.now()) };
    const secret = given ?? generateSourceSecret(scheme);
    const owner = { kind: "source", workspaceId, id: key.sourceId } as const;
    const ciphertext = secret && await service.secretBox.encrypt(owner, secret);
    await insertSource(tx, { ...key, scheme, fields, ciphertext });
    await audit(key.sourceId, { name: body.name, scheme });
    return { ...requireFound(await findSource(tx, key), "Source"), secret: secret ?? null };
  },
});
