import { ApiError } from "../../../_shared/errors/errors.ts";
import { createUuidV7 } from "../../../_shared/ids/uuid_v7.ts";
import { outboundLimits } from "../../contract/limits.ts";
import { isUuid, namedParams } from "../../contract/resource_names.ts";
import { newSender, sender } from "../../contract/senders.ts";
import { readPathKey } from "../../kernel/path_key.ts";
import { requireFreeKey } from "../../kernel/require_free_key.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { checkWritten, saveSecrets } from "./save_sender.ts";
import { changeSender, findSender, insertSender } from "./sender_queries.ts";
import { getSender } from "./get_sender.ts";

export const putSender = defineRoute({
  operationId: "putSender",
  method: "PUT",
  path: "/senders/{id}",
  tag: "Senders",
  summary: "Create or replace a sender",
  description: "With a key, creates the sender or replaces it. With an id, replaces an existing " +
    "sender. A secret that is left out is kept.",
  scopes: ["senders:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Sender",
  body: newSender,
  status: 200,
  mayCreate: true,
  response: sender,
  errors: ["conflict", "limit_reached"],
  action: ["sender.update", "sender.create"],
  shownBy: getSender,
  async handle({ tx, workspaceId, params, body, service, audit, noteCreated }) {
    const stored = await findSender(tx, { workspaceId, name: params.id });
    const key = isUuid(params.id) ? body.key : readPathKey(params.id, body);
    if (isUuid(params.id)) requireFound(stored, "Sender");
    const { config, secrets } = checkWritten(body, stored, service);
    const fields = {
      ...body,
      key,
      config,
      reply_to: body.reply_to ?? null,
      rate_per_second: body.rate_per_second ?? null,
      max_concurrency: body.max_concurrency ?? outboundLimits.defaultConcurrency,
      on_unknown: body.on_unknown ?? "stop",
      enabled: body.enabled ?? true,
    };
    const senderId = stored?.id ?? createUuidV7(service.now());
    if (stored === undefined) {
      const isNew = await insertSender(tx, { workspaceId, senderId, fields });
      if (!isNew) {
        throw new ApiError("conflict", `Cannot create sender: the key "${params.id}" is in use`);
      }
      noteCreated();
    } else {
      const change = changeSender(tx, { workspaceId, senderId, fields });
      await requireFreeKey("sender", key, change);
    }
    await saveSecrets(tx, { workspaceId, senderId, secrets, service, isNew: stored === undefined });
    await audit({
      id: senderId,
      action: stored === undefined ? "sender.create" : "sender.update",
    });
    return requireFound(await findSender(tx, { workspaceId, name: senderId }), "Sender");
  },
});
