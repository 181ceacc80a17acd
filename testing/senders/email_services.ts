import { Buffer } from "node:buffer";
import type { InboundWorld, SourceOverrides, TestSource } from "../data/inbound.ts";
import type { ServiceResponse } from "../service/app.ts";
import { mailgunKey, signMailgun } from "./mailgun.ts";
import { findSender } from "./senders.ts";
import { type TestSns, topicArn } from "./sns.ts";

/** Report of a service about one recipient. */
export interface ServiceReport {
  kind:
    | "delivered"
    | "unknown_address"
    | "mailbox_full"
    | "message_too_large"
    | "expired"
    | "complained"
    | "unsubscribed";
  email: string;
  /** Tag of the message. @default none */
  sendId?: string;
  /** The service's own id of the message. */
  providerId?: string;
  at: Date;
}

/** A service that reports about messages. */
export interface EmailService {
  name: "resend" | "sendgrid" | "postmark" | "mailgun" | "ses" | "ses events";
  source: SourceOverrides;
  /** Writes a report as the service does; null if it has none of that kind. */
  write(report: ServiceReport, id: string): unknown;
}

const server = { name: "mx.example", code: 550 };

/** Response of a receiving server, by what it reports. */
const responses: Partial<Record<ServiceReport["kind"], string>> = {
  unknown_address: "550 5.1.1 <recipient>: user unknown",
  mailbox_full: "552 5.2.2 mailbox full",
  message_too_large: "552 5.3.4 message size exceeds fixed limit",
  expired: "550 4.4.7 message expired: unable to deliver in 840 minutes",
};

/** https://resend.com/docs/webhooks/emails/bounced, …/delivered, …/complained */
const resend: EmailService = {
  name: "resend",
  source: { scheme: "standard-webhooks", preset: "resend" },
  write({ kind, email, sendId, providerId, at }) {
    const time = at.toISOString();
    if (kind === "unsubscribed") {
      const data = { id: "e169aa45-1ecf-4183-9955-b1499d5701d3", email, unsubscribed: true };
      return { type: "contact.updated", created_at: time, data };
    }
    const type = kind === "delivered" || kind === "complained" ? kind : "bounced";
    return {
      type: `email.${type}`,
      created_at: time,
      data: {
        created_at: time,
        email_id: providerId ?? "56761188-7520-42d8-8898-ff6fc54ce618",
        from: "Acme <onboarding@resend.dev>",
        to: [email],
        subject: "Sending this example",
        ...type === "bounced" && {
          bounce: {
            diagnosticCode: [`smtp; ${responses[kind]}`],
            message: "The recipient's mail server rejected the message",
            subType: "General",
            type: kind === "unknown_address" ? "Permanent" : "Transient",
          },
        },
        ...sendId !== undefined && { tags: { send_id: sendId } },
      },
    };
  },
};

/** https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event */
const sendgrid: EmailService = {
  name: "sendgrid",
  source: { scheme: "sendgrid", preset: "sendgrid" },
  write({ kind, email, sendId, at }, id) {
    const event = kind === "delivered" || kind === "unsubscribed"
      ? { unsubscribed: "unsubscribe", delivered: "delivered" }[kind]
      : kind === "complained"
      ? "spamreport"
      : "bounce";
    return [{
      email,
      timestamp: Math.floor(at.getTime() / 1000),
      "smtp-id": "<14c5d75ce93.dfd.64b469@ismtpd-555>",
      event,
      category: "cat facts",
      sg_event_id: Buffer.from(id).toString("base64url"),
      sg_message_id: "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
      ...event === "bounce" && {
        reason: responses[kind],
        status: /\d\.\d\.\d/.exec(responses[kind]!)![0],
        type: kind === "unknown_address" ? "bounce" : "blocked",
      },
      ...sendId !== undefined && { send_id: sendId },
    }];
  },
};

/** https://postmarkapp.com/developer/webhooks/bounce-webhook, …/delivery-webhook and others */
const postmark: EmailService = {
  name: "postmark",
  source: { scheme: "basic", preset: "postmark", secret: "postmark:correct-horse" },
  write({ kind, email, sendId, providerId, at }, id) {
    const common = {
      MessageID: providerId ?? "883953f4-6105-42a2-a16a-77a8eac79483",
      ServerID: 23,
      MessageStream: "outbound",
      Tag: "welcome-email",
      Metadata: sendId === undefined ? {} : { send_id: sendId },
    };
    const time = at.toISOString();
    if (kind === "delivered") {
      return {
        RecordType: "Delivery",
        ...common,
        Recipient: email,
        DeliveredAt: time,
        Details: id,
      };
    }
    if (kind === "unsubscribed") {
      return {
        RecordType: "SubscriptionChange",
        ...common,
        Recipient: email,
        ChangedAt: time,
        Origin: "Recipient",
        SuppressSending: true,
        SuppressionReason: "ManualSuppression",
      };
    }
    const isComplaint = kind === "complained";
    const isHard = kind === "unknown_address";
    return {
      RecordType: isComplaint ? "SpamComplaint" : "Bounce",
      ...common,
      ID: Number.parseInt(id.replaceAll(/\D/g, "").slice(-9), 10),
      Type: isComplaint ? "SpamComplaint" : isHard ? "HardBounce" : "SoftBounce",
      TypeCode: isComplaint ? 100001 : isHard ? 1 : 4096,
      Name: "Bounce",
      Details: isComplaint ? "Test spam complaint details" : `smtp;${responses[kind]}`,
      Email: email,
      From: "sender@example.com",
      BouncedAt: time,
      Subject: "Test subject",
    };
  },
};

/** https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-payloads */
const mailgun: EmailService = {
  name: "mailgun",
  source: { scheme: "mailgun", preset: "mailgun", secret: mailgunKey },
  write({ kind, email, sendId, at }, id) {
    const isPlain = kind === "delivered" || kind === "complained" || kind === "unsubscribed";
    return {
      "event-data": {
        event: isPlain ? kind : "failed",
        id,
        timestamp: at.getTime() / 1000,
        recipient: email,
        message: { headers: { "message-id": "20130503182626.18666.16540@mailgun.example" } },
        "user-variables": sendId === undefined ? {} : { send_id: sendId },
        ...!isPlain && {
          severity: "permanent",
          reason: kind === "expired" ? "old" : "generic",
          "delivery-status": {
            "mx-host": server.name,
            code: server.code,
            message: responses[kind],
            "attempt-no": 1,
          },
        },
      },
    };
  },
};

/**
 * https://docs.aws.amazon.com/ses/latest/dg/notification-examples.html and
 * https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-examples.html
 */
function writeSes(
  field: "notificationType" | "eventType",
  { kind, email, sendId, providerId, at }: ServiceReport,
  id: string,
): unknown {
  const isEvent = field === "eventType";
  const timestamp = at.toISOString();
  const mail = {
    timestamp,
    source: "john@example.com",
    messageId: providerId ?? "00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa0680-000000",
    destination: [email],
    ...isEvent && sendId !== undefined && { tags: { send_id: [sendId] } },
    ...!isEvent && sendId !== undefined && {
      headersTruncated: false,
      headers: [{ name: "X-Signalpost-Send", value: sendId }],
    },
  };
  if (kind === "delivered") {
    const delivery = { timestamp, recipients: [email], smtpResponse: "250 ok" };
    return { [field]: "Delivery", mail, delivery };
  }
  if (kind === "complained") {
    const complaint = {
      complainedRecipients: [{ emailAddress: email }],
      timestamp,
      feedbackId: id,
      complaintFeedbackType: "abuse",
    };
    return { [field]: "Complaint", mail, complaint };
  }
  if (kind === "unsubscribed") {
    if (!isEvent) return null;
    const subscription = {
      contactList: "ContactListName",
      timestamp,
      newTopicPreferences: { unsubscribeAll: true },
    };
    return { eventType: "Subscription", mail, subscription };
  }
  const bounce = {
    bounceType: kind === "unknown_address" ? "Permanent" : "Transient",
    bounceSubType: "General",
    bouncedRecipients: [{
      emailAddress: email,
      action: "failed",
      status: /\d\.\d\.\d/.exec(responses[kind]!)![0],
      diagnosticCode: `smtp; ${responses[kind]}`,
    }],
    timestamp,
    feedbackId: id,
    reportingMTA: `dsn; ${server.name}`,
  };
  return { [field]: "Bounce", bounce, mail };
}

const ses: EmailService = {
  name: "ses",
  source: { scheme: "sns", preset: "ses", topicArn },
  write: (report, id) => writeSes("notificationType", report, id),
};

const sesEvents: EmailService = {
  ...ses,
  name: "ses events",
  write: (report, id) => writeSes("eventType", report, id),
};

export const emailServices: readonly EmailService[] = [
  resend,
  sendgrid,
  postmark,
  mailgun,
  ses,
  sesEvents,
];

/** A webhook of a service. */
export interface ServiceWebhook {
  service: EmailService;
  source: TestSource;
  payload: unknown;
  /** Time of the signature. */
  at: Date;
  sns: TestSns;
  /** Number of the webhook: the same for a repeated one. */
  number: number;
}

/** Sends a payload of a service to a source, signed as the service signs. */
export async function deliverPayload(
  world: InboundWorld,
  { service, source, payload, at, sns, number }: ServiceWebhook,
): Promise<ServiceResponse> {
  const n = String(number).padStart(6, "0");
  const path = `/inbound/${source.id}`;
  const json = { "content-type": "application/json" };
  switch (service.source.scheme) {
    case "mailgun": {
      const signature = signMailgun({ at, token: `e0b5477167110d68991efc6b9f89f0a1${n}` });
      const body = JSON.stringify({ signature, ...payload as object });
      return await world.post(path, { body, headers: json });
    }
    case "basic": {
      const authorization = `Basic ${btoa(service.source.secret!)}`;
      const body = JSON.stringify(payload);
      return await world.post(path, { body, headers: { ...json, authorization } });
    }
    case "sns": {
      const body = sns.sign({
        Type: "Notification",
        MessageId: `22b80b92-fdea-4c2c-8f9d-bdfb0c${n}`,
        TopicArn: topicArn,
        Message: JSON.stringify(payload),
        Timestamp: at.toISOString(),
      });
      return await world.post(path, { body, headers: { "content-type": "text/plain" } });
    }
    default: {
      const body = JSON.stringify(payload);
      const signed = await findSender(service.source.scheme!)!.sign(body, at, `msg_${n}`);
      return await world.post(path, { body, headers: { ...json, ...signed } });
    }
  }
}
