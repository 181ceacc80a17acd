import { z } from "zod";
import { invalidInput } from "../../_shared/platform/errors.ts";
import { hmacSchema } from "../../_shared/sources/hmac.ts";
import { mappingSchema } from "../../_shared/sources/mapping.ts";
import { keptHeaders } from "../../_shared/sources/kept_headers.ts";
import { presets, schemes } from "../../_shared/sources/sources.ts";
import { topicArn } from "../../_shared/sources/sns_topic.ts";
import { boolean, id, oneOf, text, timestamp, uuid } from "./fields.ts";

const hmac = hmacSchema.meta({ id: "HmacSettings" });
const mapping = mappingSchema.meta({ id: "Mapping" });

export const source = z.object({
  id,
  name: z.string().meta({ example: "Our shop" }),
  scheme: z.enum(schemes),
  hmac: hmac.nullable().meta({ description: "How the sender signs; null but for hmac." }),
  topic_arn: z.string().nullable().meta({ description: "The topic of sns; null but for it." }),
  preset: z.enum(presets).nullable(),
  mapping: mapping.nullable(),
  enabled: z.boolean(),
  description: z.string().nullable(),
  path: z.string().meta({
    description: "Where the other system sends to, below the base address of the project.",
    example: "/functions/v1/inbound/0192f3c4-7a10-7cc3-8f4e-1b2a3c4d5e6f",
  }),
  has_secret: z.boolean().meta({
    description: "Without a secret nothing verifies; sns needs none, and is always true.",
  }),
  created_at: timestamp,
  updated_at: timestamp,
  health: z.object({
    received_24h: z.int(),
    rejected_24h: z.int().meta({ description: "Verified, but an entry was refused." }),
    refused_24h: z.int().meta({ description: "Not verified, not readable or over the quota." }),
    last_received_at: timestamp.nullable(),
  }),
}).meta({ id: "Source" });

export const sourceWithSecret = source.extend({
  secret: z.string().nullable().meta({
    description: "Shown in this answer only; null while the sender's own is not known yet.",
    example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  }),
}).meta({ id: "SourceWithSecret" });

const fields = {
  name: text(200),
  hmac: hmac.nullable().optional()
    .meta({ description: "How the sender signs; required with hmac, and of no other scheme." }),
  topic_arn: topicArn.nullable().optional()
    .meta({
      description: "The topic that is expected; required with sns, and of no other scheme.",
    }),
  preset: oneOf(presets).nullable().optional(),
  mapping: mapping.nullable().optional(),
  enabled: boolean.optional(),
  description: text(1000).nullable().optional(),
};

export const secret = text(1000).meta({
  description: "What the sender signs with, as it shows it. Where the receiver chooses it " +
    "(service, standard-webhooks, github, basic), one is made unless given. None with sns.",
});

export const newSource = z.strictObject({
  ...fields,
  scheme: oneOf(schemes),
  secret: secret.optional(),
}).meta({ example: { name: "Our shop", scheme: "shopify", preset: "shopify" } });

export const sourceEdit = z.strictObject({ ...fields, name: fields.name.optional() })
  .meta({ description: "What is left out stays.", example: { enabled: false } });

type Rules = { preset: string | null; mapping: z.output<typeof mappingSchema> | null };

/** Throws `invalid_input` for a mapping that says no name where no preset does. */
export function requireName({ preset, mapping }: Rules): void {
  if (preset !== null || mapping === null || mapping.name !== undefined) return;
  throw invalidInput([{ field: "mapping.name", message: "is required without a preset" }]);
}

/** Throws `invalid_input` for rules that do not go with each other or with the scheme. */
export function requireRules({ scheme, ...rules }: Rules & { scheme: string }): void {
  requireName(rules);
  if (scheme !== "mailgun") return;
  const field = rules.preset !== null
    ? "preset"
    : rules.mapping?.idempotency_key !== undefined
    ? "mapping.idempotency_key"
    : undefined;
  if (field === undefined) return;
  // Mailgun signs the token alone: under another key, one token would do for any event.
  const message = 'must be left out with "mailgun": its token is the idempotency key';
  throw invalidInput([{ field, message }]);
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
  status_code: z.int().meta({ description: "What the sender was answered." }),
  error: z.string().nullable().meta({ description: "Why it was refused." }),
  message_id: z.string().nullable().meta({ description: "The sender's own id of it." }),
  body_bytes: z.int(),
  accepted: z.int(),
  duplicates: z.int(),
  ignored: z.int(),
  rejected: z.int(),
  request_id: z.string(),
};

export const receipt = z.object(receiptFields).meta({ id: "Receipt" });

export const receiptDetail = z.object({
  ...receiptFields,
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable().meta({
    description:
      "As it was sent, without a signature in it; null when it did not verify, is over " +
      "256 KiB, was erased, or came under a token that Mailgun had used before.",
  }),
  results: z.array(z.object({
    name: z.string().optional(),
    event_id: id.optional(),
    customer_id: id.optional(),
    duplicate: z.boolean().optional(),
    ignored: z.string().optional().meta({ description: "Why nothing was made of it." }),
    error: z.string().optional(),
    field: z.string().optional(),
  })).meta({ description: "What became of it, entry by entry; the first hundred." }),
}).meta({ id: "ReceiptDetail" });

export const receiptOutcome = oneOf(outcome.options);

const headerNames = oneOf(keptHeaders);
const headerValue = z.string("must be a string").max(500, "must be at most 500 characters long");

export const mappingTest = z.strictObject({
  payload: z.string("must be a string").max(262_144, "must be at most 262144 characters long")
    .optional()
    .meta({ description: "A body as text, so that no digit of an id is lost." }),
  receipt_id: uuid.optional().meta({
    description: "In place of payload: one that was received.",
  }),
  content_type: text(200).optional(),
  headers: z.partialRecord(headerNames, headerValue, "must be an object of headers").optional(),
  preset: oneOf(presets).nullable().optional()
    .meta({ description: "The source's own unless given." }),
  mapping: mapping.nullable().optional().meta({ description: "The source's own unless given." }),
}).refine(({ payload, receipt_id }) => (payload === undefined) !== (receipt_id === undefined), {
  message: "must have either payload or receipt_id",
}).meta({ example: { payload: '{"type":"invoice.paid"}' } });

export const mappingResult = z.object({
  results: z.array(z.object({
    kind: z.enum(["entry", "ignored", "refused"]),
    entry: z.record(z.string(), z.unknown()).optional()
      .meta({ description: "What would be stored, as POST /track takes it." }),
    reason: z.string().optional().meta({ description: "Why nothing would be made of it." }),
    error: z.string().optional(),
    field: z.string().optional(),
  })),
}).meta({ id: "MappingResult" });
