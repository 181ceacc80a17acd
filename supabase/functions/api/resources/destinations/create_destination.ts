import { createDestination as insertDestination, findDestination } from "./destination_queries.ts";
import { generateSecret } from "../../../_shared/secrets/signing.ts";
import { createUuidV7 } from "../../../_shared/ids/uuid_v7.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import {
  bodyDepth,
  destinationWithSecret,
  newDestination,
  requireUrl,
} from "../../contract/destinations.ts";
import { describeHeaders, saveHeaders } from "./save_headers.ts";

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
  maxDepth: bodyDepth,
  status: 201,
  response: destinationWithSecret,
  errors: ["limit_reached"],
  action: "destination.create",
  async handle({ tx, workspaceId, body, service, audit }) {
    // Values of headers are secrets, and never reach the database as they are.
    const { headers, ...fields } = body;
    requireUrl(body.url, service.allowedRanges);
    const key = { workspaceId, destinationId: createUuidV7(service.now()) };
    const secret = generateSecret();
    const owner = { kind: "destination", workspaceId, id: key.destinationId } as const;
    const ciphertext = await service.secretBox.encrypt(owner, secret);
    await insertDestination(tx, { ...key, fields, ciphertext });
    await saveHeaders(tx, { ...key, headers, service });
    await audit(key.destinationId, {
      name: body.name,
      headers: describeHeaders({ header_names: [] }, headers),
    });
    return { ...requireFound(await findDestination(tx, key), "Destination"), secret };
  },
});
