import {
  asArray,
  asInstant,
  asRecord,
  asText,
  type Draft,
  dropMissing,
  ignore,
  type MappedItem,
  refuse,
} from "../drafts.ts";
import { isRecord } from "../../json/json.ts";
import type { Material } from "../values.ts";

// More than one message may create.
const maxAddresses = 4000;

const resendNames: Readonly<Record<string, string>> = {
  "email.bounced": "email_bounced",
  "email.complained": "email_complained",
  "contact.updated": "unsubscribed",
};

const sendgridNames: Readonly<Record<string, string>> = {
  bounce: "email_bounced",
  spamreport: "email_complained",
  unsubscribe: "unsubscribed",
  group_unsubscribe: "unsubscribed",
};

/**
 * Maps bounces, complaints and unsubscriptions of Resend, one event per address. A tag
 * `external_id` names the customer; otherwise their address identifies them.
 */
export function mapResend({ payload }: Material, messageId: string): MappedItem {
  const { type, created_at, data } = asRecord(payload);
  const body = asRecord(data);
  const name = resendNames[asText(type) ?? ""];
  if (name === undefined) return ignore(`Type "${asText(type) ?? ""}" is not in the preset`);
  if (type === "contact.updated" && body.unsubscribed !== true) {
    return ignore("Contact is not unsubscribed");
  }
  const addresses = type === "contact.updated" ? [body.email] : asArray(body.to);
  const emails = addresses.map(asText).filter((email) => email !== undefined);
  if (emails.length === 0) return refuse("data.to", "must contain an address");
  if (emails.length > maxAddresses) {
    return refuse("data.to", `must contain at most ${maxAddresses} addresses`);
  }
  const bounce = asRecord(body.bounce);
  const properties = dropMissing({
    email_id: asText(body.email_id),
    broadcast_id: asText(body.broadcast_id),
    contact_id: type === "contact.updated" ? asText(body.id) : undefined,
    subject: asText(body.subject),
    bounce_type: asText(bounce.type),
    bounce_subtype: asText(bounce.subType),
    reason: asText(bounce.message),
  });
  const drafts = emails.map((email, i) => ({
    key: `${messageId}:${i}`,
    email,
    entry: dropMissing({
      name,
      external_id: readTag(body.tags, "external_id"),
      occurred_at: asInstant(created_at),
      properties: { email, ...properties },
    }),
  }));
  return { kind: "drafts", drafts };
}

/**
 * Maps one event of SendGrid's Event Webhook. A custom argument `external_id` names the customer;
 * otherwise their address identifies them.
 */
export function mapSendgrid({ payload }: Material, messageId: string): MappedItem {
  const item = asRecord(payload);
  const type = asText(item.event) ?? "";
  const name = sendgridNames[type];
  if (name === undefined) return ignore(`Event "${type}" is not in the preset`);
  const email = asText(item.email);
  if (email === undefined) return refuse("email", "is required");
  const draft: Draft = {
    key: asText(item.sg_event_id) ?? messageId,
    email,
    entry: dropMissing({
      name,
      external_id: asText(item.external_id),
      occurred_at: asInstant(item.timestamp),
      properties: dropMissing({
        email,
        message_id: asText(item.sg_message_id),
        bounce_type: asText(item.type),
        bounce_classification: asText(item.bounce_classification),
        reason: asText(item.reason),
        status: asText(item.status),
        categories: typeof item.category === "string" ? [item.category] : item.category,
        unsubscribe_group_id: asText(item.asm_group_id),
      }),
    }),
  };
  return { kind: "drafts", drafts: [draft] };
}

/** Reads a tag; tags are an object or a list of names and values. */
function readTag(tags: unknown, name: string): string | undefined {
  if (isRecord(tags)) return Object.hasOwn(tags, name) ? asText(tags[name]) : undefined;
  return asText(asRecord(asArray(tags).find((tag) => asRecord(tag).name === name)).value);
}
