import { z } from "zod";
import { id, text } from "./fields.ts";

/** Kinds of things that a search finds. */
export const searchTypes = [
  "customer",
  "event",
  "event_name",
  "destination",
  "message",
  "delivery",
  "source",
  "receipt",
  "rejected_entry",
  "segment",
  "journey",
  "run",
  "campaign",
  "template",
  "topic",
  "sender",
  "send",
  "alert_rule",
  "alert",
  "audit_entry",
] as const;

export const searchQuery = z.strictObject({
  q: text(200).meta({
    description:
      "An id, the id of a request, the beginning of a customer's name or e-mail address, " +
      "or a part of any other name.",
    example: "ada@example.com",
  }),
});

export const searchResult = z.object({
  data: z.array(z.object({
    type: z.enum(searchTypes),
    id: id.nullable().meta({ description: "null for the name of an event." }),
    parent_id: id.nullable().meta({
      description: "The source of a receipt, and the journey of a run.",
    }),
    title: z.string().meta({ example: "Ada Lovelace" }),
    subtitle: z.string().nullable(),
  })).meta({ description: "At most 60, grouped by type." }),
}).meta({ id: "SearchResult" });
