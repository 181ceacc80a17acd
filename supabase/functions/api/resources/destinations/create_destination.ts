import { createDestination as insertDestination, findDestination } from "./destination_queries.ts";
import { generateSecret } from "../../../_shared/secrets/signing.ts";
import { createUuidV7 } from "../../../_shared/ids/uuid_v7.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { destinationWithSecret, newDestination, requireUrl } from "../../contract/destinations.ts";

export const createDestination = defineRoute({
  operationId: "createDestination",
  method: "POST",
  path: "/destinations",
  tag: "Destinations",
  summary: "Create a destination",
  description: "Only this response shows the signing secret.",
  scopes: ["destinations:write"],
  leastRole: "admin",
  body: newDestination,
  status: 201,
  response: destinationWithSecret,
  errors: ["limit_reached"],
  action: "destination.create",
  async handle({ tx, workspaceId, body, service, audit }) {
    requireUrl(body.url, service.allowedRanges);
    const key = { workspaceId, destinationId: createUuidV7(service.now()) };
    const secret = generateSecret();
    const owner = { kind: "destination", workspaceId, id: key.destinationId } as const;
    const ciphertext = await service.secretBox.encrypt(owner, secret);
    await insertDestination(tx, { ...key, fields: body, ciphertext });
    await audit(key.destinationId, { name: body.name });
    return { ...requireFound(await findDestination(tx, key), "Destination"), secret };
  },
});
