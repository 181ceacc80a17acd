import { z } from "zod";
import { id, oneOf, paging, text, timestamp } from "./fields.ts";

/** Lists of which views can be saved, as their paths name them, and the questions of Explore. */
export const viewedLists = [
  "audit-log",
  "campaigns",
  "customers",
  "deliveries",
  "destinations",
  "events",
  "explore",
  "journeys",
  "messages",
  "rejected-entries",
  "segments",
  "sends",
  "sources",
  "suppressions",
  "templates",
  "topics",
] as const;
export type ViewedList = (typeof viewedLists)[number];

const maxFilters = 20;
const maxColumns = 50;
/** A condition is the longest filter. */
const maxFilterLength = 8000;

const filterText = z.string("must be a string")
  .max(maxFilterLength, `must be at most ${maxFilterLength} characters long`)
  .refine((value) => !value.includes("\0") && value.isWellFormed(), {
    message: "must not contain U+0000 or a lone surrogate",
  });

const filters = z.record(text(100), filterText, "must be an object of strings")
  .refine((value) => Object.keys(value).length <= maxFilters, {
    message: `must have at most ${maxFilters} fields`,
  })
  .meta({
    description: "Parameters of the list, as text.",
    example: { filter: '{"field":"country","op":"eq","value":"DE"}' },
  });

const columns = z.array(text(100), { error: `must be a list of 1 to ${maxColumns} names` })
  .min(1, `must be a list of 1 to ${maxColumns} names`)
  .max(maxColumns, `must be a list of 1 to ${maxColumns} names`)
  .nullable()
  .meta({ description: "Columns to show, in order; null for the default columns of the list." });

const board = text(100).nullable().meta({
  description:
    "Board of Explore that shows the question; null for none. Only for the list explore.",
  example: "Sales",
});

export const view = z.object({
  id,
  list: z.string().meta({ example: "customers" }),
  name: z.string().meta({ example: "Germans" }),
  filters: z.record(z.string(), z.string()),
  columns: z.array(z.string()).nullable(),
  board: z.string().nullable().meta({ description: "Board of Explore that shows the question." }),
  created_by: id.nullable().meta({ description: "Id of the user who saved it; null for a key." }),
  created_at: timestamp,
  updated_at: timestamp,
}).meta({ id: "View" });

export const newView = z.strictObject({
  list: oneOf(viewedLists),
  name: text(200),
  filters: filters.optional(),
  columns: columns.optional(),
  board: board.optional(),
}).meta({
  example: {
    list: "customers",
    name: "Germans",
    filters: { filter: '{"field":"country","op":"eq","value":"DE"}' },
  },
});

export const viewEdit = z.strictObject({
  name: text(200).optional(),
  filters: filters.optional(),
  columns: columns.optional(),
  board: board.optional(),
}).meta({ description: "Omitted fields keep their value.", example: { name: "Customers in DE" } });

export const viewQuery = z.strictObject({ list: oneOf(viewedLists).optional(), ...paging });
