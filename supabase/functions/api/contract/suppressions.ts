import { z } from "zod";
import { email } from "../../_shared/entries/fields.ts";
import { id, oneOf, paging, timestamp } from "./fields.ts";

const reasons = ["manual", "import", "hard_bounce", "soft_bounces", "complaint"] as const;

export const suppression = z.object({
  id,
  key: z.null().meta({ description: "Always null: a suppression has no key." }),
  email_hash: z.string().regex(/^[0-9a-f]{64}$/).meta({
    description: "A keyed hash of the address in lower case.",
    example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  }),
  email: z.string().nullable().meta({
    description: "Null after a customer with this address was erased.",
    example: "ada@example.com",
  }),
  reason: z.enum(reasons),
  source: z.enum(["api", "import", "event", "feedback"]),
  until: timestamp.nullable().meta({ description: "Null if the suppression has no end." }),
  created_at: timestamp,
  updated_at: timestamp.meta({
    description: "The same as `created_at`. A stronger suppression renews both.",
  }),
}).meta({ id: "Suppression" });

const given = ["manual", "hard_bounce", "complaint"] as const;

export const newSuppression = z.strictObject({
  email,
  reason: oneOf(given).optional().meta({ description: "`manual` if omitted." }),
}).meta({ example: { email: "ada@example.com" } });

export const suppressionQuery = z.strictObject({
  ...paging,
  email: email.optional().meta({ description: "Only this address, ignoring case." }),
  reason: oneOf(reasons).optional(),
});

/** Most addresses of one import. */
export const maxImported = 10_000;

export const suppressionImport = z.strictObject({
  csv: z.string("must be a string").min(1, "must not be empty")
    .max(900_000, "must be at most 900000 characters long")
    .meta({
      description: "CSV of at most 10,000 lines. The first line names the columns: `email`, and " +
        "optionally `reason`. Other columns are ignored.",
      example: "email,reason\nada@example.com,manual\n",
    }),
});

export const importResult = z.object({
  added: z.int().meta({ description: "Addresses that are new or changed." }),
  unchanged: z.int(),
  rejected: z.array(z.object({ line: z.int(), message: z.string() })).meta({
    description: "The first 100 lines that were skipped, counted from 1.",
  }),
  rejected_count: z.int(),
}).meta({ id: "SuppressionImportResult" });
