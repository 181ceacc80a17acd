import { z } from "zod";
import { id, oneOf, timestamp } from "./fields.ts";

const doors = ["track", "segment", "inbound"] as const;

export const rejectedEntry = z.object({
  id,
  rejected_at: timestamp,
  door: z.enum(doors).meta({ description: "What refused it." }),
  source_id: id.nullable(),
  receipt_id: id.nullable(),
  entry: z.unknown().meta({
    description: "As it was sent; text where it was cut. Of inbound: the item of the payload.",
  }),
  is_truncated: z.boolean().meta({
    description: "It was over 64 KiB, or nested over 100 levels deep, and cut.",
  }),
  code: z.string().meta({ example: "invalid_input" }),
  error: z.string(),
  field: z.string().nullable(),
  request_id: z.string(),
  resent_at: timestamp.nullable(),
  resent_event_id: id.nullable(),
}).meta({ id: "RejectedEntry" });

export const door = oneOf(doors);
