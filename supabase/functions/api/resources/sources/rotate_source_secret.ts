import { z } from "zod";
import { findSource, rotateSourceSecret as rotateRow } from "./source_queries.ts";
import { invalidInput } from "../../../_shared/errors/errors.ts";
import { generateSourceSecret } from "../../../_shared/sources/secrets.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { overlapSeconds, usualOverlapSeconds } from "../../contract/rotation_overlap.ts";
import { defineRoute } from "../../kernel/route.ts";
import { requireSecret } from "./require_secret.ts";
import { secret, sourceWithSecret } from "../../contract/sources.ts";

export const rotateSourceSecret = defineRoute({
  operationId: "rotateSourceSecret",
  method: "POST",
  path: "/sources/{id}/rotate-secret",
  tag: "Sources",
  summary: "Set or replace the secret of a source",
  description: "Only this response shows the new secret. The old secret stays valid for " +
    "`overlap_seconds`: 0 to 7 days, by default 24 hours. Takes effect within 10 seconds.",
  scopes: ["sources:write"],
  leastRole: "admin",
  params,
  entity: "Source",
  body: z.strictObject({
    secret: secret.optional(),
    overlap_seconds: overlapSeconds,
  }),
  isBodyOptional: true,
  status: 200,
  response: sourceWithSecret,
  errors: ["limit_reached"],
  action: "source.rotate_secret",
  async handle({ tx, workspaceId, params, body, service, audit }) {
    const key = { workspaceId, sourceId: params.id };
    const source = requireFound(await findSource(tx, key), "Source");
    const { scheme } = source;
    requireSecret(source, scheme === "sns" ? body.secret ?? "" : body.secret);
    const next = body.secret ?? generateSourceSecret(scheme);
    if (next === undefined) {
      const message = `is required: with "${scheme}" the sender generates it`;
      throw invalidInput([{ field: "secret", message }]);
    }
    const owner = { kind: "source", workspaceId, id: params.id } as const;
    const ciphertext = await service.secretBox.encrypt(owner, next);
    const { overlap_seconds = usualOverlapSeconds } = body;
    await rotateRow(tx, { ...key, ciphertext, overlapSeconds: overlap_seconds });
    await audit(params.id, { overlap_seconds });
    return { ...requireFound(await findSource(tx, key), "Source"), secret: next };
  },
});
