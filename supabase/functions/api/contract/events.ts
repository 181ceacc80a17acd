import { z } from "zod";
import { id, timestamp } from "./fields.ts";
import { freeForm } from "./customers.ts";

export const event = z.object({
  id,
  kind: z.enum(["event", "identify", "alias"]),
  customer_id: id,
  customer_name: z.string().nullable().meta({
    description: "The customer's current name, or else an address or id. Null without the right " +
      "to read customers.",
    example: "Ada Lovelace",
  }),
  external_id: z.string().nullable().meta({
    description: "The id as received.",
    example: "user-42",
  }),
  anon_id: z.string().nullable().meta({ description: "The id as received." }),
  name: z.string().nullable().meta({ example: "order_completed" }),
  occurred_at: timestamp,
  received_at: timestamp,
  properties: freeForm.meta({ example: { total: 49.9, currency: "EUR" } }),
  context: freeForm.meta({ example: { ip: "203.0.113.7" } }),
}).meta({ id: "Event" });
