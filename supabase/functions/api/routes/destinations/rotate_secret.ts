import { z } from "zod";
import { findDestination, rotateSecret as rotateRow } from "../../../_shared/db/destinations.ts";
import { generateSecret } from "../../../_shared/signing.ts";
import { integer, params } from "../../fields.ts";
import { requireFound } from "../../found.ts";
import { defineRoute } from "../../route.ts";
import { destinationWithSecret } from "./schema.ts";

const daySeconds = 24 * 60 * 60;

export const rotateSecret = defineRoute({
  operationId: "rotateSecret",
  method: "POST",
  path: "/destinations/{id}/rotate-secret",
  tag: "Destinations",
  summary: "Replace the signing secret",
  description:
    "The answer is the only one that shows the new secret. The old one stays valid for " +
    "overlap_seconds: 0 to 7 days, 24 hours unless given.",
  scopes: ["destinations:write"],
  leastRole: "admin",
  params,
  body: z.strictObject({ overlap_seconds: integer(0, 7 * daySeconds).optional() }),
  isBodyOptional: true,
  status: 200,
  answer: destinationWithSecret,
  action: "destination.rotate_secret",
  async handle({ tx, workspaceId, params, body, service, audit }) {
    const key = { workspaceId, destinationId: params.id };
    const found = requireFound(await findDestination(tx, key), "Destination");
    const secret = generateSecret();
    const owner = { kind: "destination", workspaceId, id: params.id } as const;
    const ciphertext = await service.secretBox.encrypt(owner, secret);
    const overlapSeconds = body.overlap_seconds ?? daySeconds;
    await rotateRow(tx, { ...key, ciphertext, overlapSeconds });
    await audit(params.id, { overlap_seconds: overlapSeconds });
    return { ...found, secret };
  },
});
