import { z } from "zod";
import { email } from "../../_shared/entries/fields.ts";
import { id, oneOf, paging, text, time, timestamp, uuid } from "./fields.ts";
import { resourceName } from "./resource_names.ts";

/** States of a send. */
export const sendStates = ["queued", "sending", "sent", "failed", "skipped", "unknown"] as const;

/** Purposes of a send: a message to a customer, or a mail to an address that somebody chose. */
export const sendPurposes = ["message", "test", "alert", "invitation"] as const;

const feedbacks = ["delivered", "soft_bounced", "bounced", "complained"] as const;

/** Reports on a message after it was sent: of its provider, then of its reader. */
export const engagements = [...feedbacks, "opened", "clicked", "unsubscribed"] as const;

const nullableId = id.nullable();

const summary = {
  id,
  key: z.null().meta({ description: "Always null: a send has no key." }),
  state: z.enum(sendStates).meta({
    description: "unknown: the connection to the provider ended while the message was on its way.",
  }),
  reason: z.string().nullable().meta({
    description: "Why the message failed, was skipped, is waiting or is unknown.",
    example: "unsubscribed",
  }),
  customer_id: nullableId,
  customer_name: z.string().nullable().meta({
    description: "The customer's current name, or else an address or id. Null without the right " +
      "to read customers.",
    example: "Ada Lovelace",
  }),
  email: z.string().nullable(),
  template: z.object({
    id,
    version: z.int().nullable().meta({ description: "Null until the message is rendered." }),
  }).nullable(),
  sender: id,
  topic: nullableId.meta({ description: "Null for a transactional message." }),
  campaign_id: nullableId,
  journey_id: nullableId,
  run_id: nullableId,
  purpose: z.enum(sendPurposes).meta({
    description: "message: to a customer. test: to an address that a member chose. alert: the " +
      "notice of an alert. invitation: to a new member.",
  }),
  is_test: z.boolean().meta({ description: "True for the purpose test." }),
  feedback: z.enum(feedbacks).nullable().meta({
    description: "What the provider reported later.",
  }),
  feedback_at: timestamp.nullable(),
  opened_at: timestamp.nullable(),
  clicked_at: timestamp.nullable(),
  unsubscribed_at: timestamp.nullable(),
  queued_at: timestamp,
  sent_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  created_at: timestamp.meta({ description: "The same as `queued_at`." }),
  updated_at: timestamp.meta({ description: "Time of the newest report." }),
};

export const sendSummary = z.object(summary).meta({ id: "SendSummary" });

const attempt = z.looseObject({
  at: timestamp.optional(),
  outcome: z.string().optional().meta({ example: "sent" }),
  reason: z.string().nullable().optional(),
  status_code: z.int().nullable().optional(),
  response: z.string().nullable().optional(),
  duration_ms: z.int().nullable().optional(),
});

const name = z.string().nullable().meta({
  description: "The current name; null if it was deleted, or without the right to read it.",
});

export const send = z.object({
  ...summary,
  template_name: name,
  sender_name: name,
  campaign_name: name,
  journey_name: name,
  message_id: z.string().nullable().meta({ description: "The header `Message-ID`." }),
  provider_id: z.string().nullable(),
  feedback_reason: z.string().nullable(),
  subject: z.string().nullable().meta({
    description: "The message as rendered, without tracking. Null until it is rendered, or if " +
      "the template was deleted. Unsubscribe links lead to example.com.",
  }),
  html: z.string().nullable(),
  text: z.string().nullable(),
  attempts: z.array(attempt).meta({ description: "Oldest first." }),
  next_attempt_at: timestamp.nullable().meta({
    description: "Time of the next attempt, at the earliest. Null unless the message waits, and " +
      "while its sender is disabled.",
  }),
}).meta({ id: "Send" });

const maxDataLength = 32 * 1024;

const data = z.record(z.string(), z.unknown(), "must be an object")
  .refine((value) => JSON.stringify(value).length <= maxDataLength, {
    message: `must be at most ${maxDataLength} characters long as JSON`,
  });

export const newSend = z.strictObject({
  template: resourceName.meta({ description: "Id or key of a template." }),
  sender: resourceName.meta({ description: "Id or key of a sender." }),
  topic: resourceName.nullable().optional().meta({
    description: "Id or key of a topic. With a topic, the message is marketing: only subscribed " +
      "addresses get it, and caps and quiet hours apply. Without one, it is transactional.",
  }),
  customer_id: uuid.optional(),
  external_id: text(255).optional(),
  to: email.optional().meta({
    description: "An address of your own. With it, the message is a test: it is rendered for the " +
      "customer, but goes to this address, and no figure counts it.",
  }),
  data: data.optional().meta({
    description: "The value of the variable `trigger` in the template.",
  }),
  idempotency_key: text(255).optional().meta({
    description: "For 90 days, a repeat with the same key sends nothing and returns the same id.",
  }),
}).refine(
  ({ customer_id, external_id }) => (customer_id === undefined) !== (external_id === undefined),
  {
    path: ["customer_id"],
    message: "is required, or external_id, and not both",
  },
).meta({
  example: {
    template: "welcome",
    sender: "main",
    external_id: "user-1",
    data: { order: 7 },
    idempotency_key: "order-7",
  },
});

export const createdSend = z.object({ send_id: id }).meta({ id: "CreatedSend" });

export const sendQuery = z.strictObject({
  customer_id: uuid.optional(),
  campaign_id: uuid.optional(),
  journey_id: uuid.optional(),
  template_id: uuid.optional(),
  sender_id: uuid.optional(),
  state: oneOf(sendStates).optional(),
  engagement: oneOf(engagements).optional().meta({
    description: "What happened to the message after it was sent. The first four are the " +
      "provider's newest report: see `feedback`. An opened message can also be clicked.",
  }),
  since: time.optional(),
  until: time.optional(),
  ...paging,
});

export const explainQuery = z.strictObject({
  customer_id: uuid,
  campaign_id: uuid.optional(),
  journey_id: uuid.optional(),
}).refine(({ campaign_id, journey_id }) => campaign_id === undefined || journey_id === undefined, {
  path: ["campaign_id"],
  message: "must not be given together with journey_id",
});

const subjects = [
  "address",
  "entry",
  "step",
  "exit",
  "suppression",
  "consent",
  "caps",
  "quiet_hours",
  "stopped",
  "sender",
  "campaign",
  "send",
] as const;

export const sendExplanation = z.object({
  customer_id: id,
  answer: z.string().meta({ example: 'Not sent: the address left the topic "News"' }),
  checks: z.array(z.object({
    subject: z.enum(subjects),
    ok: z.boolean().meta({
      description: "False if this stops a message now, or stopped one at that time.",
    }),
    message: z.string(),
    at: timestamp.nullable(),
    send_id: nullableId,
    state: z.enum(sendStates).nullable().meta({
      description: "The state of the message `send_id`; null for another check.",
    }),
    sender_id: nullableId.meta({ description: "The sender that the check is about." }),
  })).meta({
    description: "The checks in the order in which they run, then the newest 20 sends.",
  }),
}).meta({ id: "SendExplanation" });
