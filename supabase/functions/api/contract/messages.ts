import { z } from "zod";
import { delivery } from "./deliveries.ts";
import { id, timestamp, uuid } from "./fields.ts";

/** States of a message at one destination. */
export const messageStates = [
  "waiting",
  "retrying",
  "held",
  "delivered",
  "given_up",
  "missed",
] as const;
export type MessageState = (typeof messageStates)[number];

const customer = {
  customer_id: id.nullable().meta({
    description: "The customer that the message is about, also after a merge. Null for other " +
      "messages, and after an erasure.",
  }),
  customer_name: z.string().nullable().meta({
    description: "The customer's current name, or else an address or id. Null without the right " +
      "to read customers.",
    example: "Ada Lovelace",
  }),
};

const fields = {
  id: id.meta({ description: "The `webhook-id` header, identical on every attempt." }),
  workspace_id: id,
  destination_id: id,
  destination_name: z.string().nullable().meta({
    description: "The destination's name today; null once it was deleted.",
    example: "Warehouse",
  }),
  event_type: z.string().meta({ example: "order_completed" }),
  ...customer,
  created_at: timestamp,
  state: z.enum(messageStates).meta({
    description: "waiting: its attempt is due or in progress. retrying: an attempt failed, and " +
      "another follows. held: nothing is sent until held_by ends. given_up: no attempt follows, " +
      "or it was canceled. missed: the destination was disabled when the message was created.",
  }),
  held_by: z.enum(["breaker", "disabled"]).nullable().meta({
    description: "breaker: the destination's circuit breaker is open. disabled: the destination " +
      "is disabled. Null in other states.",
  }),
  attempts: z.int().meta({ description: "Number of attempts so far." }),
  next_attempt_at: timestamp.nullable().meta({
    description:
      "For a held message: the next probe of the circuit breaker. Null if no attempt is planned.",
  }),
  is_in_progress: z.boolean().meta({ description: "An attempt is being made now." }),
  canceled_at: timestamp.nullable(),
  last_attempt: z.object({
    delivery_id: id,
    attempted_at: timestamp,
    status_code: z.int().nullable(),
    error: z.string().nullable(),
  }).nullable(),
};

/** A message at one of its destinations. */
export const message = z.object(fields).meta({ id: "Message" });

/** A message with its state at every destination that it matched. */
export const messageDetail = z.object({
  id: fields.id,
  workspace_id: id,
  event_type: fields.event_type,
  ...customer,
  body: z.string().nullable().meta({ description: "The exact text sent; null after erasure." }),
  created_at: timestamp,
  destinations: z.array(message).meta({
    description: "Every destination that the message matched, including those that still wait " +
      "for it.",
  }),
  deliveries: z.array(delivery).meta({
    description: "The newest 200 attempts at all destinations, newest first.",
  }),
}).meta({ id: "MessageDetail" });

/** Body of an action on a message. */
export const messageTarget = z.strictObject({
  destination_id: uuid.optional().meta({
    description: "Limits the action to this destination; all by default.",
  }),
});

/** Response of an action on a message. */
export const changedMessage = z.object({
  message_id: id,
  destination_ids: z.array(id).meta({ description: "The destinations that it affected." }),
}).meta({ id: "ChangedMessage" });
