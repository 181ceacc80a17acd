import { z } from "zod";
import { freeForm } from "./customers.ts";
import { id, integer, time, timestamp } from "./fields.ts";
import { journeyStats } from "./journeys.ts";
import { definition } from "./journeys/schema.ts";

/** Earliest start of a rehearsal, in days before now. */
export const maxRehearsedDays = 400;

const dayMs = 86_400_000;

export const newRehearsal = z.strictObject({
  version: integer(1, 999_999_999).optional().meta({ description: "The draft if omitted." }),
  since: time.meta({ description: `At most ${maxRehearsedDays} days ago.` }),
}).check(({ value: { since }, issues }) => {
  const ageMs = Date.now() - Date.parse(since);
  const message = ageMs < 0
    ? "must not be in the future"
    : ageMs > maxRehearsedDays * dayMs
    ? `must be at most ${maxRehearsedDays} days ago`
    : undefined;
  if (message) issues.push({ code: "custom", message, input: since, path: ["since"] });
}).meta({ example: { since: "2026-11-01T00:00:00Z" } });

export const startedRehearsal = z.object({ job_id: id }).meta({ id: "StartedRehearsal" });

const figures = journeyStats.shape;
const step = figures.steps.element.shape;

/** Data that a rehearsal reads in its present state, because its past is not recorded. */
export const rehearsedAsNow = ["profiles", "consent", "suppressions", "segments"] as const;
/** Checks of a send that a rehearsal does not make. */
export const notRehearsed = ["caps", "quiet_hours"] as const;

export const rehearsal = z.object({
  since: timestamp,
  until: timestamp.meta({ description: "When the rehearsal was started." }),
  version: z.int().nullable().meta({ description: "Null for the draft." }),
  definition: definition.meta({
    description: "What was rehearsed. Refers to other resources by id.",
  }),
  customers: z.int().meta({ description: "Customers whose history was read." }),
  cut_off: z.int().meta({
    description: "Customers with so many events or steps that only the first ones were counted.",
  }),
  entered: figures.entered,
  not_entered: z.record(z.string(), z.int()).meta({
    description: "Entries that were refused, by reason.",
    example: { condition: 3 },
  }),
  active: figures.active,
  reached_goal: figures.reached_goal,
  exited: figures.exited,
  holdout: figures.holdout,
  steps: z.array(z.object({
    step: step.step,
    kind: step.kind,
    came: step.came,
    waiting: step.waiting,
    ways: step.ways,
    skipped: step.skipped,
    reached_goal: step.reached_goal,
    sent: z.int().meta({
      description: "Messages to addresses that may get them now; the others are in skipped.",
    }),
  })),
  as_of_now: z.array(z.enum(rehearsedAsNow)).meta({
    description: "Data that was read in its present state, because its past is not recorded. " +
      "segments: only segments in conditions; the changes of the segment that triggers the " +
      "journey are recorded.",
  }),
  left_out: z.array(z.enum(notRehearsed)).meta({
    description: "Checks that the rehearsal leaves out.",
  }),
  examples: z.array(z.object({
    customer_id: id,
    entered_at: timestamp,
    state: z.enum(["active", "ended"]),
    reason: z.string().nullable().meta({ description: "Why the run ended." }),
    step: z.string().nullable(),
    wake_at: timestamp.nullable(),
    goal_at: timestamp.nullable(),
    path: z.array(z.object({
      visit: z.int(),
      step: z.string(),
      kind: z.string(),
      at: timestamp,
      outcome: freeForm,
    })),
  })).meta({ description: "Up to ten runs, each with its first 100 steps." }),
}).meta({ id: "Rehearsal" });
