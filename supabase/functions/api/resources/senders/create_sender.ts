import { ApiError } from "../../../_shared/errors/errors.ts";
import { createUuidV7 } from "../../../_shared/ids/uuid_v7.ts";
import { newSender, sender } from "../../contract/senders.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { checkWritten, saveSecrets } from "./save_sender.ts";
import { findSender, insertSender } from "./sender_queries.ts";

export const createSender = defineRoute({
  operationId: "createSender",
  method: "POST",
  path: "/senders",
  tag: "Senders",
  summary: "Create a sender",
  description: "Its credentials are encrypted and never shown.",
  scopes: ["senders:write"],
  leastRole: "admin",
  body: newSender,
  status: 201,
  response: sender,
  errors: ["conflict", "limit_reached"],
  action: "sender.create",
  async handle({ tx, workspaceId, body, service, audit }) {
    const { config, secrets } = checkWritten(body, undefined, service);
    const senderId = createUuidV7(service.now());
    if (!await insertSender(tx, { workspaceId, senderId, fields: { ...body, config } })) {
      throw new ApiError("conflict", `Cannot create sender: the key "${body.key}" is in use`);
    }
    await saveSecrets(tx, { workspaceId, senderId, secrets, service, isNew: true });
    await audit(senderId, { name: body.name });
    return requireFound(await findSender(tx, { workspaceId, name: senderId }), "Sender");
  },
});
