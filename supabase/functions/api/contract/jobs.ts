import { z } from "zod";
import { id, time, timestamp } from "./fields.ts";
import { rehearsal } from "./rehearsals.ts";

export const replayRange = z.strictObject({
  since: time.meta({ description: "Must be before until." }),
  until: time.optional(),
})
  .refine(({ since, until }) => until === undefined || since < until, {
    path: ["since"],
    message: "must be before until",
  });

export const replayPreview = z.object({
  matched: z.int().meta({ description: "Number of messages that a replay would resend now." }),
  is_exact: z.boolean().meta({
    description: "False if the range has more than 10,000 failed attempts: `matched` then counts " +
      "the messages in the newest 10,000, and there may be more.",
  }),
}).meta({ id: "ReplayPreview" });

export const job = z.object({
  id,
  kind: z.enum(["replay", "recover", "discard", "rehearse"]),
  destination_id: id.nullable().meta({ description: "Null for a rehearsal." }),
  journey_id: id.nullable().meta({ description: "Only for a rehearsal." }),
  state: z.enum(["pending", "running", "done", "failed"]),
  done: z.int().meta({
    description: "Messages queued or discarded so far. For a rehearsal: customers.",
  }),
  total: z.int().meta({
    description:
      "Messages matched so far; never less than `done`. Grows while a replay finds more. For a " +
      "rehearsal: customers, once their number is known.",
  }),
  error: z.string().nullable().meta({ description: "Why the job failed." }),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
  result: rehearsal.nullable().meta({ description: "Only for a rehearsal that is done." }),
}).meta({ id: "Job" });
