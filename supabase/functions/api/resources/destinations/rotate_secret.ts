import { z } from "zod";
import { findDestination, rotateSecret as rotateRow } from "./destination_queries.ts";
import { generateSecret } from "../../../_shared/secrets/signing.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { overlapSeconds, usualOverlapSeconds } from "../../contract/rotation_overlap.ts";
import { defineRoute } from "../../kernel/route.ts";
import { destinationWithSecret } from "../../contract/destinations.ts";

export const rotateSecret = defineRoute({
  operationId: "rotateSecret",
  method: "POST",
  path: "/destinations/{id}/rotate-secret",
  tag: "Destinations",
  summary: "Replace the signing secret",
  description: "Only this response shows the new secret. The old secret stays valid for " +
    "`overlap_seconds`: 0 to 7 days, by default 24 hours.",
  scopes: ["destinations:write"],
  leastRole: "admin",
  params,
  entity: "Destination",
  body: z.strictObject({ overlap_seconds: overlapSeconds }),
  isBodyOptional: true,
  status: 200,
  response: destinationWithSecret,
  errors: ["limit_reached"],
  action: "destination.rotate_secret",
  async handle({ tx, workspaceId, params, body, service, audit }) {
    const key = { workspaceId, destinationId: params.id };
    const found = requireFound(await findDestination(tx, key), "Destination");
    const secret = generateSecret();
    const owner = { kind: "destination", workspaceId, id: params.id } as const;
    const ciphertext = await service.secretBox.encrypt(owner, secret);
    const { overlap_seconds = usualOverlapSeconds } = body;
    await rotateRow(tx, { ...key, ciphertext, overlapSeconds: overlap_seconds });
    await audit(params.id, { overlap_seconds });
    return { ...found, secret };
  },
});
