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
import { type BounceReason, classifyBounce } from "./bounces.ts";
import { type Report, toDraft } from "./reports.ts";

// More than one message may create.
const maxRecipients = 4000;

const subtypes: Readonly<Record<string, BounceReason>> = {
  NoEmail: "unknown_address",
  MailboxFull: "mailbox_full",
  MessageTooLarge: "message_too_large",
  ContentRejected: "content_refused",
  AttachmentRejected: "attachment_refused",
};

/** Part of a report that is the same for all recipients. */
interface SesReport extends Pick<Report, "name"> {
  at: unknown;
  /** SES's id of the feedback. */
  id: string | undefined;
  recipients: readonly { email: string | undefined; properties: Record<string, unknown> }[];
}

/**
 * Maps a message of SES in the envelope of SNS, one event per recipient: the notifications of an
 * identity (`notificationType`) and the published events of a configuration set (`eventType`).
 */
export function mapSes({ payload }: Material, messageId: string): MappedItem {
  const envelope = asRecord(payload);
  const message = asRecord(envelope.Message ?? payload);
  const type = asText(message.eventType) ?? asText(message.notificationType) ?? "";
  const mail = asRecord(message.mail);
  const report = readReport(type, message);
  if (typeof report === "string") return ignore(report);
  const { name, at, id, recipients } = report;
  if (recipients.length > maxRecipients) {
    return refuse("Message", `must have at most ${maxRecipients} recipients`);
  }
  const sent = asArray(mail.destination).length;
  const drafts = recipients.flatMap(({ email, properties }) =>
    email === undefined ? [] : [toDraft({
      name,
      email,
      // The same for both envelopes, if a message is reported in both.
      key: `${id ?? messageId}:${name}:${email.toLowerCase()}`,
      externalId: readTag(mail, "external_id"),
      at: at ?? mail.timestamp ?? envelope.Timestamp,
      properties: { message_id: asText(mail.messageId), ...properties },
      sendIds: [
        readTag(mail, "send_id"),
        readHeader(mail, "x-signalpost-send"),
        readHeader(mail, "message-id"),
        asRecord(mail.commonHeaders).messageId,
      ],
      providerId: asText(mail.messageId),
      isOnly: sent <= 1 && recipients.length === 1,
    })]
  );
  if (drafts.length === 0) return refuse("Message", "must contain a recipient");
  return { kind: "drafts", drafts };
}

/** Reads the object of a type, or the reason why it causes no event. */
function readReport(type: string, message: Record<string, unknown>): SesReport | string {
  const mail = asRecord(message.mail);
  const all = asArray(mail.destination).map((email) => ({ email: asText(email), properties: {} }));
  switch (type) {
    case "Bounce":
      return readBounce(asRecord(message.bounce));
    case "Complaint":
      return readComplaint(asRecord(message.complaint));
    case "Delivery": {
      const { timestamp, recipients } = asRecord(message.delivery);
      const found = asArray(recipients).map((email) => ({ email: asText(email), properties: {} }));
      const id = asText(mail.messageId);
      return { name: "email_delivered", at: timestamp, id, recipients: found };
    }
    case "Reject":
    case "Rendering Failure": {
      const reason = asText(asRecord(message.reject).reason) ??
        asText(asRecord(message.failure).errorMessage);
      const recipients = all.map((each) => ({ ...each, properties: dropMissing({ reason }) }));
      return { name: "email_failed", at: undefined, id: asText(mail.messageId), recipients };
    }
    case "Subscription": {
      const { timestamp, newTopicPreferences } = asRecord(message.subscription);
      if (asRecord(newTopicPreferences).unsubscribeAll !== true) {
        return "Recipient did not unsubscribe from everything";
      }
      return { name: "unsubscribed", at: timestamp, id: undefined, recipients: all };
    }
    default:
      return `Type "${type}" is not in the preset`;
  }
}

function readBounce(bounce: Record<string, unknown>): SesReport {
  const { bounceType, bounceSubType, timestamp, feedbackId, bouncedRecipients } = bounce;
  const subtype = asText(bounceSubType);
  const recipients = asArray(bouncedRecipients).map(asRecord).map((each) => ({
    email: asText(each.emailAddress),
    properties: dropMissing({
      ...classifyBounce({
        status: asText(each.status),
        diagnostic: asText(each.diagnosticCode),
        isPermanent: bounceType === "Permanent",
        reason: Object.hasOwn(subtypes, subtype ?? "") ? subtypes[subtype ?? ""] : undefined,
      }),
      bounce_subtype: subtype,
      status: asText(each.status),
      diagnostic: asText(each.diagnosticCode),
    }),
  }));
  return { name: "email_bounced", at: timestamp, id: asText(feedbackId), recipients };
}

function readComplaint(complaint: Record<string, unknown>): SesReport | string {
  const { complaintFeedbackType, timestamp, feedbackId, complainedRecipients } = complaint;
  const kind = asText(complaintFeedbackType);
  if (kind === "not-spam") return "Recipient reported that the message is not spam";
  const recipients = asArray(complainedRecipients).map(asRecord).map((each) => ({
    email: asText(each.emailAddress),
    properties: dropMissing({ reason: kind }),
  }));
  return { name: "email_complained", at: timestamp, id: asText(feedbackId), recipients };
}

/** Reads a message tag, which SES publishes as a list of values. */
function readTag(mail: Record<string, unknown>, name: string): string | undefined {
  const tags = asRecord(mail.tags);
  return Object.hasOwn(tags, name) ? asText(asArray(tags[name])[0]) : undefined;
}

/** Reads a header of the message, if SES was asked to include them. */
function readHeader(mail: Record<string, unknown>, name: string): string | undefined {
  const found = asArray(mail.headers).map(asRecord)
    .find((header) => asText(header.name)?.toLowerCase() === name);
  return asText(found?.value);
}
