import { isRecord } from "../../json/json.ts";
import {
  asArray,
  asRecord,
  asText,
  dropMissing,
  ignore,
  type MappedItem,
  refuse,
} from "../drafts.ts";
import type { Material } from "../values.ts";
import { classifyBounce } from "./bounces.ts";
import { type Report, toDraft } from "./reports.ts";

// More than one message may create.
const maxAddresses = 4000;

const names: Readonly<Record<string, Report["name"]>> = {
  "email.delivered": "email_delivered",
  "email.bounced": "email_bounced",
  "email.complained": "email_complained",
  "email.failed": "email_failed",
  "contact.updated": "unsubscribed",
};

/**
 * Maps deliveries, bounces, complaints and unsubscriptions of Resend, one event per address. A tag
 * `external_id` names the customer; otherwise their address identifies them.
 */
export function mapResend({ payload }: Material, messageId: string): MappedItem {
  const { type, created_at, data } = asRecord(payload);
  const body = asRecord(data);
  const typeName = asText(type) ?? "";
  const name = Object.hasOwn(names, typeName) ? names[typeName] : undefined;
  if (name === undefined) return ignore(`Type "${typeName}" is not in the preset`);
  const isContact = type === "contact.updated";
  if (isContact && body.unsubscribed !== true) return ignore("Contact is not unsubscribed");
  const emails = (isContact ? [body.email] : asArray(body.to)).map(asText)
    .filter((email) => email !== undefined);
  if (emails.length === 0) return refuse("data.to", "must contain an address");
  if (emails.length > maxAddresses) {
    return refuse("data.to", `must contain at most ${maxAddresses} addresses`);
  }
  const drafts = emails.map((email, i) =>
    toDraft({
      name,
      email,
      key: `${messageId}:${i}`,
      externalId: readTag(body.tags, "external_id"),
      at: created_at,
      properties: {
        email_id: asText(body.email_id),
        broadcast_id: asText(body.broadcast_id),
        contact_id: isContact ? asText(body.id) : undefined,
        subject: asText(body.subject),
        ...readBounce(body),
      },
      sendIds: [readTag(body.tags, "send_id"), body.message_id],
      providerId: isContact ? undefined : asText(body.email_id),
      isOnly: emails.length === 1,
    })
  );
  return { kind: "drafts", drafts };
}

function readBounce(body: Record<string, unknown>): Record<string, unknown> {
  if (isRecord(body.failed)) return { reason: asText(body.failed.reason) };
  if (!isRecord(body.bounce)) return {};
  const { type, subType, message, diagnosticCode } = body.bounce;
  const diagnostic = asArray(diagnosticCode).map(asText).join(" ");
  return dropMissing({
    ...classifyBounce({
      diagnostic,
      isPermanent: type === "Permanent",
      reason: readSubtype(asText(subType)),
    }),
    bounce_subtype: asText(subType),
    diagnostic: asText(diagnostic) ?? asText(message),
  });
}

/** Reads the subtype of a bounce, which Resend takes over from SES. */
function readSubtype(subtype: string | undefined) {
  switch (subtype) {
    case "MailboxFull":
      return "mailbox_full";
    case "MessageTooLarge":
      return "message_too_large";
    case "ContentRejected":
      return "content_refused";
    case "AttachmentRejected":
      return "attachment_refused";
    default:
      return undefined;
  }
}

/** Reads a tag; tags are an object or a list of names and values. */
function readTag(tags: unknown, name: string): string | undefined {
  if (isRecord(tags)) return Object.hasOwn(tags, name) ? asText(tags[name]) : undefined;
  return asText(asRecord(asArray(tags).find((tag) => asRecord(tag).name === name)).value);
}
