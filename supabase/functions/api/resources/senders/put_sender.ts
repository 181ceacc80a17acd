import { ApiError } from "../../../_shared/errors/errors.ts";
import { createUuidV7 } from "../../../_shared/ids/uuid_v7.ts";
import { outboundLimits } from "../../contract/limits.ts";
import { isUuid, namedParams } from "../../contract/resource_names.ts";
import { sender, senderPut } from "../../contract/senders.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { checkWritten, saveSecrets } from "./save_sender.ts";
import { changeSender, findSender, insertSender } from "./sender_queries.ts";

export const putSender = defineRoute({
  operationId: "putSender",
  method: "PUT",
  path: "/senders/{id}",
  tag: "Senders",
  summary: "Create or replace a sender",
  description: "Creates the sender if no sender has this key. An id replaces an existing sender " +
    "only. A secret that is left out is kept.",
  scopes: ["senders:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Sender",
  body: senderPut,
  status: 200,
  mayCreate: true,
  response: sender,
  errors: ["conflict", "limit_reached"],
  action: ["sender.update", "sender.create"],
  async handle({ tx, workspaceId, params, body, service, audit, noteCreated }) {
    const stored = await findSender(tx, { workspaceId, name: params.id });
    if (isUuid(params.id)) requireFound(stored, "Sender");
    const { config, secrets } = checkWritten(body, stored, service);
    const fields = {
      ...body,
      config,
      reply_to: body.reply_to ?? null,
      rate_per_second: body.rate_per_second ?? null,
      max_concurrency: body.max_concurrency ?? outboundLimits.defaultConcurrency,
      on_unknown: body.on_unknown ?? "stop",
      enabled: body.enabled ?? true,
    };
    const senderId = stored?.id ?? createUuidV7(service.now());
    if (stored === undefined) {
      const isNew = await insertSender(tx, {
        workspaceId,
        senderId,
        fields: { ...fields, key: params.id },
      });
      if (!isNew) {
        throw new ApiError("conflict", `Cannot create sender: the key "${params.id}" is in use`);
      }
      noteCreated();
    } else {
      await changeSender(tx, { workspaceId, senderId, fields });
    }
    await saveSecrets(tx, { workspaceId, senderId, secrets, service });
    await audit({
      id: senderId,
      action: stored === undefined ? "sender.create" : "sender.update",
    });
    return requireFound(await findSender(tx, { workspaceId, name: senderId }), "Sender");
  },
});
