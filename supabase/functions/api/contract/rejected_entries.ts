import { z } from "zod";
import { maxReasonLength } from "./read_reason.ts";
import { id, oneOf, text, time, timestamp, uuid } from "./fields.ts";

const origins = ["track", "segment", "inbound"] as const;

export const rejectedEntry = z.object({
  id,
  rejected_at: timestamp,
  origin: z.enum(origins).meta({ description: "The interface that received the entry." }),
  source_id: id.nullable(),
  receipt_id: id.nullable(),
  entry: z.unknown().meta({
    description:
      "The entry as sent, or text if it was truncated. For an inbound webhook, the item of the " +
      "payload.",
  }),
  is_truncated: z.boolean().meta({
    description: "True if the entry was truncated: over 64 KiB, or nested over 100 levels.",
  }),
  code: z.string().meta({ example: "invalid_input" }),
  error: z.string(),
  field: z.string().nullable(),
  request_id: z.string(),
  resent_at: timestamp.nullable(),
  resent_event_id: id.nullable(),
  discarded_at: timestamp.nullable(),
}).meta({ id: "RejectedEntry" });

export const origin = oneOf(origins);

/** Codes of the errors for which an entry is kept. */
const codes = [
  "invalid_input",
  "not_found",
  "payload_too_large",
  "unavailable",
  "internal_error",
] as const;

/** A code of the errors for which an entry is kept. */
export type RejectionCode = (typeof codes)[number];

export const code = oneOf(codes);

/** The first wrong field of an entry. */
export const wrongField = z.string("must be a string")
  .refine((value) => [...value].length <= 200, "must be at most 200 characters long")
  .refine((value) => !value.includes("\0") && value.isWellFormed(), {
    message: "must not contain U+0000 or a lone surrogate",
  }).meta({
    description: "Path of the first wrong field within its entry, so without `events[0].` or " +
      "`batch[0].`; empty if the entry as a whole is wrong. A longer path counts by its first 200 " +
      "characters.",
    example: "external_id",
  });

/** Most of the newest entries that are grouped by their reasons. */
export const mostGrouped = 10_000;

/** Most groups that are returned. */
export const mostReasons = 50;

/** The reason of a group of entries. */
export const reason = text(maxReasonLength).meta({
  description:
    "Reason of a group of rejected entries. Faster with the code or the field of the group.",
});

/** Most entries that one call discards. */
export const mostDiscarded = 10_000;

/** Entries to discard: those of a group, as `GET /rejected-entries/reasons` returns it. */
export const discardedReason = z.strictObject({
  reason: text(20_000),
  code,
  origin,
  field: wrongField.nullable(),
  source_id: uuid.nullable(),
  until: time.meta({ description: "Discards entries that were rejected before this time." }),
});

/** Rejected entries with the same reason. */
export const rejectionReason = z.object({
  reason: z.string().meta({
    description: "The error without the entry's place in its bulk, and without an unknown id.",
    example: 'Field "nmae" is unknown: did you mean "name"?',
  }),
  code: z.string().meta({ example: "invalid_input" }),
  field: z.string().nullable().meta({
    description: "Path of the first wrong field within its entry.",
  }),
  origin: z.enum(origins),
  source_id: id.nullable(),
  entries: z.int().meta({
    description: "Number of entries that were neither resent nor discarded.",
  }),
  first_at: timestamp,
  last_at: timestamp,
  example_id: id.meta({ description: "The newest of the entries." }),
}).meta({ id: "RejectionReason" });
