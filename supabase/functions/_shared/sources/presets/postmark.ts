import { asRecord, asText, ignore, type MappedItem, refuse } from "../drafts.ts";
import type { Material } from "../values.ts";
import { type BounceReason, classifyBounce } from "./bounces.ts";
import { type Report, toDraft } from "./reports.ts";

/**
 * Bounce types of Postmark, each with the verdict to use if the server's response does not decide.
 */
const bounceTypes: Readonly<Record<string, { isPermanent: boolean; reason?: BounceReason }>> = {
  HardBounce: { isPermanent: true },
  BadEmailAddress: { isPermanent: true, reason: "unknown_address" },
  SoftBounce: { isPermanent: false },
  DnsError: { isPermanent: false },
  AddressChange: { isPermanent: false },
  Unknown: { isPermanent: false },
  SpamNotification: { isPermanent: false, reason: "content_refused" },
  VirusNotification: { isPermanent: false, reason: "attachment_refused" },
  Blocked: { isPermanent: false, reason: "content_refused" },
  DMARCPolicy: { isPermanent: false, reason: "content_refused" },
  ChallengeVerification: { isPermanent: false, reason: "content_refused" },
};

/**
 * Maps one record of Postmark's webhooks. Metadata `external_id` names the customer; otherwise
 * their address identifies them. Out-of-office replies, and messages that are only late, are
 * ignored.
 */
export function mapPostmark({ payload }: Material, messageId: string): MappedItem {
  const record = asRecord(payload);
  const type = asText(record.RecordType) ?? "";
  const read = readRecord(type, record);
  if (typeof read === "string") return ignore(read);
  const email = asText(record.Email) ?? asText(record.Recipient);
  if (email === undefined) return refuse("Email", "is required");
  const metadata = asRecord(record.Metadata);
  const draft = toDraft({
    ...read,
    email,
    // A body has no id of its own: a retry repeats the same bytes.
    key: asText(record.ID) === undefined ? messageId : `${type}:${asText(record.ID)}`,
    externalId: asText(metadata.external_id),
    at: record.DeliveredAt ?? record.BouncedAt ?? record.ChangedAt,
    properties: {
      message_id: asText(record.MessageID),
      message_stream: asText(record.MessageStream),
      tag: asText(record.Tag),
      subject: asText(record.Subject),
      ...read.properties,
    },
    sendIds: [metadata.send_id],
    providerId: asText(record.MessageID),
    isOnly: true,
  });
  return { kind: "drafts", drafts: [draft] };
}

/** Reads the event of a record, or why there is none. */
function readRecord(
  type: string,
  record: Record<string, unknown>,
): Pick<Report, "name" | "properties"> | string {
  switch (type) {
    case "Delivery":
      return { name: "email_delivered", properties: {} };
    case "SpamComplaint":
      return { name: "email_complained", properties: {} };
    case "SubscriptionChange":
      // Bounces and complaints are reported as such.
      return record.SuppressSending === true && record.SuppressionReason === "ManualSuppression"
        ? { name: "unsubscribed", properties: { origin: asText(record.Origin) } }
        : "Subscription was not withdrawn by its recipient";
    case "Bounce":
      return readBounce(record);
    default:
      return `Record type "${type}" is not in the preset`;
  }
}

function readBounce(record: Record<string, unknown>): ReturnType<typeof readRecord> {
  const type = asText(record.Type) ?? "";
  if (type === "Unsubscribe") return { name: "unsubscribed", properties: {} };
  if (type === "SpamComplaint") return { name: "email_complained", properties: {} };
  const verdict = Object.hasOwn(bounceTypes, type) ? bounceTypes[type] : undefined;
  if (verdict === undefined) return `Bounce type "${type}" is not a bounce of the address`;
  const diagnostic = asText(record.Details);
  return {
    name: "email_bounced",
    properties: {
      ...classifyBounce({ diagnostic, ...verdict }),
      bounce_subtype: type,
      diagnostic: diagnostic ?? asText(record.Description),
    },
  };
}
