import { z } from "zod";
import { id, timestamp } from "./fields.ts";
import { sendErrors } from "../../_shared/outbound/send_errors.ts";
import { outboundLimits } from "./limits.ts";

/** Values of `error`; an attempt is `interrupted` if its dispatcher ended before it recorded it. */
export const deliveryErrors = [...sendErrors, "interrupted"] as const;
export type DeliveryError = (typeof deliveryErrors)[number];

const fields = {
  id,
  workspace_id: id,
  destination_id: id,
  destination_name: z.string().nullable().meta({
    description: "The destination's name today; null once it was deleted.",
    example: "Warehouse",
  }),
  message_id: id.meta({ description: "The `webhook-id` header, identical on every attempt." }),
  event_type: z.string().meta({ example: "order_completed" }),
  attempt_number: z.int().meta({ description: "Starts at 1." }),
  trigger: z.enum(["event", "retry", "replay", "test"]),
  ok: z.boolean(),
  status_code: z.int().nullable().meta({ example: 200 }),
  response_snippet: z.string().nullable().meta({
    description: `The first ${outboundLimits.snippetBytes / 1024} KiB of the response.`,
  }),
  response_headers: z.record(z.string(), z.string()).nullable().meta({
    description:
      `The first ${outboundLimits.maxHeaders} headers of the response by lower-case name, up to ${
        outboundLimits.headerBytes / 1024
      } KiB; null without a response.`,
    example: { "content-type": "text/plain", "x-request-id": "req_81" },
  }),
  error: z.string().nullable().meta({
    description: `Why no complete response arrived: ${deliveryErrors.join(", ")}.`,
  }),
  duration_ms: z.int().nullable(),
  attempted_at: timestamp,
  next_attempt_at: timestamp.nullable(),
};

export const delivery = z.object(fields).meta({ id: "Delivery" });

export const deliveryDetail = z.object({
  ...fields,
  message: z.object({
    id,
    event_type: z.string(),
    customer_id: id.nullable(),
    body: z.string().nullable().meta({ description: "The exact text sent; null after erasure." }),
    created_at: timestamp,
  }).nullable().meta({ description: "The request; null when it is no longer stored." }),
  attempts: z.array(delivery).meta({
    description: "All attempts to send this message to the destination, newest first.",
  }),
}).meta({ id: "DeliveryDetail" });
