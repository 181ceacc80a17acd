import { z } from "zod";
import { id, timestamp } from "./fields.ts";
import { rehearsal } from "./rehearsals.ts";

export const job = z.object({
  id,
  kind: z.enum(["replay", "recover", "discard", "rehearse"]),
  destination_id: id.nullable().meta({ description: "Null for a rehearsal." }),
  journey_id: id.nullable().meta({ description: "Only of a rehearsal." }),
  state: z.enum(["pending", "running", "done", "failed"]),
  done: z.int().meta({
    description: "Messages queued or discarded so far; customers of a rehearsal.",
  }),
  total: z.int().meta({
    description:
      "Messages matched so far; never less than `done`. Grows while a replay finds more. " +
      "Customers of a rehearsal, once they are known.",
  }),
  error: z.string().nullable().meta({ description: "Why the job failed." }),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
  result: rehearsal.nullable().meta({ description: "Of a rehearsal that is done." }),
}).meta({ id: "Job" });
