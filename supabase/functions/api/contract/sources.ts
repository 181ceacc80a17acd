import { z } from "zod";
import { invalidInput } from "../../_shared/errors/errors.ts";
import { hmacSchema } from "../../_shared/sources/hmac.ts";
import { mappingSchema } from "../../_shared/sources/mapping.ts";
import { keptHeaders } from "../../_shared/sources/kept_headers.ts";
import { presets, schemes } from "../../_shared/sources/sources.ts";
import { topicArn } from "../../_shared/sources/sns_topic.ts";
import { boolean, expected, id, oneOf, text, timestamp, uuid } from "./fields.ts";

const hmac = hmacSchema.meta({ id: "HmacSettings" });
const mapping = mappingSchema.meta({ id: "Mapping" });

export const source = z.object({
  id,
  name: z.string().meta({ example: "Our shop" }),
  scheme: z.enum(schemes),
  hmac: hmac.nullable().meta({
    description: "How the sender signs; null unless the scheme is `hmac`.",
  }),
  topic_arn: z.string().nullable().meta({
    description: "The SNS topic; null unless the scheme is `sns`.",
  }),
  preset: z.enum(presets).nullable(),
  mapping: mapping.nullable(),
  enabled: z.boolean(),
  description: z.string().nullable(),
  path: z.string().meta({
    description: "Path to send webhooks to, relative to the project's base URL.",
    example: "/functions/v1/inbound/0192f3c4-7a10-7cc3-8f4e-1b2a3c4d5e6f",
  }),
  has_secret: z.boolean().meta({
    description:
      "Without a secret, no webhook can be verified. Always true for `sns`, which needs none.",
  }),
  created_at: timestamp,
  updated_at: timestamp,
  health: z.object({
    received_24h: z.int(),
    rejected_24h: z.int().meta({
      description: "Verified requests with at least one rejected entry.",
    }),
    refused_24h: z.int().meta({
      description: "Refused requests: not verified, not readable or over the quota.",
    }),
    last_received_at: timestamp.nullable(),
  }),
}).meta({ id: "Source" });

export const sourceWithSecret = source.extend({
  secret: z.string().nullable().meta({
    description: "Shown only in this response; null until the sender's own secret is set.",
    example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  }),
}).meta({ id: "SourceWithSecret" });

const fields = {
  name: text(200),
  hmac: hmac.nullable().optional()
    .meta({
      description: "How the sender signs. Required with `hmac`, not allowed with other schemes.",
    }),
  topic_arn: topicArn.nullable().optional()
    .meta({
      description: "The expected topic. Required with `sns`, not allowed with other schemes.",
    }),
  preset: oneOf(presets).nullable().optional(),
  mapping: mapping.nullable().optional(),
  enabled: boolean.optional(),
  description: text(1000).nullable().optional(),
};

export const secret = text(1000).meta({
  description: "The sender's signing secret. If omitted, the service generates one where the " +
    "receiver chooses it (service, standard-webhooks, github, basic). Not used with `sns`.",
});

export const newSource = z.strictObject({
  ...fields,
  scheme: oneOf(schemes),
  secret: secret.optional(),
}).meta({ example: { name: "Our shop", scheme: "shopify", preset: "shopify" } });

export const sourceEdit = z.strictObject({ ...fields, name: fields.name.optional(), expected })
  .meta({ description: "Omitted fields keep their value.", example: { enabled: false } });

type Rules = { preset: string | null; mapping: z.output<typeof mappingSchema> | null };

/** Throws `invalid_input` for a mapping without an event name if no preset provides one. */
export function requireName({ preset, mapping }: Rules): void {
  if (preset !== null || mapping === null || mapping.name !== undefined) return;
  throw invalidInput([{ field: "mapping.name", message: "is required without a preset" }]);
}

/** Throws `invalid_input` for rules that conflict with each other or with the scheme. */
export function requireRules({ scheme, ...rules }: Rules & { scheme: string }): void {
  requireName(rules);
  if (scheme !== "mailgun") return;
  if (rules.preset !== null && rules.preset !== "mailgun") {
    const message = 'must be "mailgun" or left out with the scheme "mailgun"';
    throw invalidInput([{ field: "preset", message }]);
  }
  // Mailgun signs only the token: with a different key, one token would be valid for any event.
  if (rules.mapping?.idempotency_key !== undefined) {
    const message = 'must be left out with "mailgun": its token is the idempotency key';
    throw invalidInput([{ field: "mapping.idempotency_key", message }]);
  }
}

const outcome = z.enum([
  "accepted",
  "duplicate",
  "ignored",
  "rejected",
  "handshake",
  "refused",
]);

const receiptFields = {
  id,
  source_id: id,
  received_at: timestamp,
  is_verified: z.boolean(),
  outcome,
  status_code: z.int().meta({ description: "Status code sent to the sender." }),
  error: z.string().nullable().meta({ description: "Why the request was refused." }),
  message_id: z.string().nullable().meta({ description: "The sender's own id for the webhook." }),
  body_bytes: z.int(),
  accepted: z.int(),
  duplicates: z.int(),
  ignored: z.int(),
  rejected: z.int(),
  event_names: z.array(z.string()).meta({
    description: "Names of the events that the request became, rejected ones included: each " +
      "once, in order, at most 5. An identify call has the name `identify`. Empty if the " +
      "request became no event.",
    example: ["order_paid"],
  }),
  problem: z.string().nullable().meta({
    description: "Why the first entry that was not stored was rejected, or else ignored. Null if " +
      "every entry was stored, or the request was refused.",
    example: 'Field "name" is required',
  }),
  has_body: z.boolean().meta({ description: "True if the body was kept and can be read." }),
  request_id: z.string(),
};

export const receipt = z.object(receiptFields).meta({ id: "Receipt" });

export const receiptDetail = z.object({
  ...receiptFields,
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable().meta({
    description:
      "The body as sent, without any signature in it. Null if it was not verified, exceeds 256 " +
      "KiB, was erased, or reused a Mailgun token.",
  }),
  results: z.array(z.object({
    name: z.string().optional(),
    event_id: id.optional(),
    customer_id: id.optional(),
    duplicate: z.boolean().optional(),
    ignored: z.string().optional().meta({ description: "Why it produced no entry." }),
    error: z.string().optional(),
    field: z.string().optional(),
  })).meta({ description: "Result per entry, for the first 100 entries." }),
}).meta({ id: "ReceiptDetail" });

export const receiptOutcome = oneOf(outcome.options);
export type ReceiptOutcome = z.output<typeof outcome>;
export type ReceiptDetail = z.output<typeof receiptDetail>;

const headerNames = oneOf(keptHeaders);
const headerValue = z.string("must be a string").max(500, "must be at most 500 characters long");

export const mappingTest = z.strictObject({
  payload: z.string("must be a string").max(262_144, "must be at most 262144 characters long")
    .optional()
    .meta({ description: "The body as text, so that large numeric ids keep every digit." }),
  receipt_id: uuid.optional().meta({
    description: "A received webhook to use instead of `payload`.",
  }),
  content_type: text(200).optional(),
  headers: z.partialRecord(headerNames, headerValue, "must be an object of headers").optional(),
  preset: oneOf(presets).nullable().optional()
    .meta({ description: "Defaults to the source's preset." }),
  mapping: mapping.nullable().optional().meta({ description: "Defaults to the source's mapping." }),
}).refine(({ payload, receipt_id }) => (payload === undefined) !== (receipt_id === undefined), {
  path: ["payload"],
  message: "must be given, or else receipt_id, and not both",
}).meta({ example: { payload: '{"type":"invoice.paid"}' } });

export const mappingResult = z.object({
  results: z.array(z.object({
    kind: z.enum(["entry", "ignored", "refused"]),
    entry: z.record(z.string(), z.unknown()).optional()
      .meta({ description: "The entry that would be stored, in the format of POST /track." }),
    reason: z.string().optional().meta({ description: "Why it would produce no entry." }),
    error: z.string().optional(),
    field: z.string().optional(),
  })),
}).meta({ id: "MappingResult" });
