import { z } from "zod";
import { id, timestamp } from "./fields.ts";
import { rehearsal } from "./rehearsals.ts";

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
