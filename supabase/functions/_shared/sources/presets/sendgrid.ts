import { asRecord, asText, ignore, type MappedItem, refuse } from "../drafts.ts";
import type { Material } from "../values.ts";
import { type BounceReason, classifyBounce } from "./bounces.ts";
import { type Report, toDraft } from "./reports.ts";

const names: Readonly<Record<string, Report["name"]>> = {
  delivered: "email_delivered",
  bounce: "email_bounced",
  dropped: "email_failed",
  spamreport: "email_complained",
  unsubscribe: "unsubscribed",
  group_unsubscribe: "unsubscribed",
};

/**
 * Maps one event of SendGrid's Event Webhook. A custom argument `external_id` names the customer;
 * otherwise their address identifies them.
 */
export function mapSendgrid({ payload }: Material, messageId: string): MappedItem {
  const item = asRecord(payload);
  const type = asText(item.event) ?? "";
  const name = Object.hasOwn(names, type) ? names[type] : undefined;
  if (name === undefined) return ignore(`Event "${type}" is not in the preset`);
  const email = asText(item.email);
  if (email === undefined) return refuse("email", "is required");
  const draft = toDraft({
    name,
    email,
    key: asText(item.sg_event_id) ?? messageId,
    externalId: asText(item.external_id),
    at: item.timestamp,
    properties: {
      message_id: asText(item.sg_message_id),
      ...readBounce(name, item),
      status: asText(item.status),
      categories: typeof item.category === "string" ? [item.category] : item.category,
      unsubscribe_group_id: asText(item.asm_group_id),
    },
    sendIds: [item.send_id, item["smtp-id"]],
    // Every event is about one recipient.
    isOnly: true,
  });
  return { kind: "drafts", drafts: [draft] };
}

function readBounce(
  name: Report["name"],
  item: Record<string, unknown>,
): Record<string, unknown> {
  const reason = asText(item.reason);
  if (name !== "email_bounced") return { reason };
  const classification = asText(item.bounce_classification);
  return {
    ...classifyBounce({
      status: asText(item.status),
      diagnostic: reason,
      isPermanent: item.type !== "blocked",
      reason: readClassification(classification),
    }),
    bounce_subtype: asText(item.type),
    bounce_classification: classification,
    diagnostic: reason,
  };
}

function readClassification(classification: string | undefined): BounceReason | undefined {
  if (classification === "Invalid Address") return "unknown_address";
  return classification === "Content" ? "content_refused" : undefined;
}
