import { z } from "zod";
import { id, oneOf, timestamp } from "./fields.ts";

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
}).meta({ id: "RejectedEntry" });

export const origin = oneOf(origins);
