import { invalidInput } from "../../../_shared/errors/errors.ts";
import { createdSend, newSend } from "../../contract/sends.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { requestSend, type ResolvedSend, resolveSend } from "./send_queries.ts";

export const createSend = defineRoute({
  operationId: "createSend",
  method: "POST",
  path: "/sends",
  tag: "Sends",
  summary: "Send a message to a customer",
  description: "Queues the message. Consent, caps, quiet hours and suppression are checked when " +
    "its turn comes: see the state of the send.",
  scopes: ["sends:write"],
  leastRole: "member",
  body: newSend,
  status: 202,
  response: createdSend,
  errors: ["not_found"],
  action: "send.create",
  async handle({ tx, workspaceId, body, service, audit }) {
    const resolved = await resolveSend(tx, { workspaceId, names: body });
    const customer_id = requireFound(resolved.customer_id, "Customer");
    const { send_id, is_new } = await requestSend(tx, {
      workspaceId,
      send: {
        ...requireParts(resolved, body.topic),
        customer_id,
        to: body.to ?? null,
        data: body.data ?? {},
        key: body.idempotency_key === undefined ? null : `api:${body.idempotency_key}`,
      },
      now: service.now(),
    });
    await audit(send_id, { customer_id, is_new });
    return { send_id };
  },
});

function requireParts(
  { template_id, has_unsubscribe, sender_id, topic_id }: ResolvedSend,
  topic: string | null | undefined,
) {
  const missing = (noun: string) => ({
    field: noun,
    message: `must be the id or key of a ${noun}`,
  });
  if (template_id === null) throw invalidInput([missing("template")]);
  if (sender_id === null) throw invalidInput([missing("sender")]);
  if (topic && topic_id === null) throw invalidInput([missing("topic")]);
  if (topic_id !== null && !has_unsubscribe) {
    const message =
      "must contain unsubscribe_url or preferences_url, because the message has a topic";
    throw invalidInput([{ field: "template", message }]);
  }
  return { template_id, sender_id, topic_id };
}
