import { namedParams } from "../../contract/resource_names.ts";
import { sender, senderEdit } from "../../contract/senders.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { requireFreeKey } from "../../kernel/require_free_key.ts";
import { defineRoute } from "../../kernel/route.ts";
import { checkWritten, saveSecrets } from "./save_sender.ts";
import { changeSender, findSender } from "./sender_queries.ts";
import { getSender } from "./get_sender.ts";

export const updateSender = defineRoute({
  operationId: "updateSender",
  method: "PATCH",
  path: "/senders/{id}",
  tag: "Senders",
  summary: "Change, enable or disable a sender",
  description: "Replaces `config` as a whole, but keeps a secret that you leave out.",
  scopes: ["senders:write"],
  leastRole: "admin",
  params: namedParams,
  entity: "Sender",
  body: senderEdit,
  status: 200,
  response: sender,
  errors: ["conflict"],
  action: "sender.update",
  shownBy: getSender,
  async handle({ tx, workspaceId, params, body, service, audit }) {
    const found = await findSender(tx, { workspaceId, name: params.id });
    const stored = requireFound(found, "Sender");
    const senderId = stored.id;
    const { provider = stored.provider } = body;
    const isConfigured = provider !== stored.provider || body.config !== undefined;
    const checked = isConfigured
      ? checkWritten({ provider, config: body.config }, stored, service)
      : undefined;
    const fields = { ...body, ...(checked === undefined ? {} : { config: checked.config }) };
    const change = changeSender(tx, { workspaceId, senderId, fields });
    await requireFreeKey("sender", body.key, change);
    await saveSecrets(tx, { workspaceId, senderId, secrets: checked?.secrets, service });
    await audit(senderId, { fields: Object.keys(body) });
    return requireFound(await findSender(tx, { workspaceId, name: senderId }), "Sender");
  },
});
