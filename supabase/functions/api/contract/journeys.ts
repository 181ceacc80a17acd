import { z } from "zod";
import { freeForm } from "./customers.ts";
import {
  expected,
  id,
  integer,
  oneOf,
  paging,
  queryBoolean,
  text,
  timestamp,
  uuid,
} from "./fields.ts";
import { definition } from "./journeys/schema.ts";
import { maxDefinitionDepth } from "./journeys/rules.ts";
import { resourceKey } from "./resource_names.ts";

/** Most runs that one call of replay names. */
export const maxReplayedRuns = 1000;
/** Most levels of JSON in a body with a definition, which `expected` has one level deeper. */
export const bodyDepth = maxDefinitionDepth + 3;

export const journeyStates = ["draft", "running", "paused", "draining", "stopped"] as const;

/** Ways in which a run ends. */
export const exitReasons = [
  "completed",
  "goal",
  "exit_condition",
  "holdout",
  "stopped",
  "merged",
  "deleted",
  "failed",
  "removed",
] as const;

const states = {
  draft: "never published",
  running: "customers enter and move",
  paused: "nobody enters and nobody moves",
  draining: "nobody enters",
  stopped: "all runs have ended",
};
const describedStates = Object.entries(states).map(([name, text]) => `${name}: ${text}`).join(". ");

export const listedJourney = z.object({
  id,
  key: z.string().nullable().meta({ example: "welcome" }),
  name: z.string().meta({ example: "Welcome" }),
  description: z.string().nullable(),
  state: z.enum(journeyStates).meta({ description: `${describedStates}.` }),
  version: z.int().nullable().meta({
    description: "The published version; null before the first.",
  }),
  active_runs: z.int().meta({ description: "Runs that have not ended." }),
  entered: z.int().meta({ description: "Runs that began, of all versions." }),
  held_out: z.int().meta({ description: "How many of the entered runs were held out." }),
  reached_goal: z.int().meta({
    description: "Runs of all versions that reached the goal, without those held out.",
  }),
  failed: z.int().meta({ description: "Runs of all versions that ended because a step failed." }),
  created_at: timestamp,
  updated_at: timestamp,
  published_at: timestamp.nullable(),
}).meta({ id: "ListedJourney" });

const revision = z.string("must be a string").regex(/^[0-9a-f]{32}$/, {
  error: "must be the draft_revision of a journey",
}).meta({ example: "9bb58f26192e4ba00f01e2e7b136bbd8" });

const readRevision = revision.optional().meta({
  description: "The draft as you read it. If it has changed since, nothing changes, and the " +
    "error is `conflict`.",
});

export const journey = listedJourney.extend({
  problem: z.string().nullable().meta({
    description: "What the service cannot do with the journey's runs, such as moving them to a " +
      "version; null if nothing is wrong.",
    example: null,
  }),
  definition: definition.meta({
    description: "The draft. It can differ from the published version.",
  }),
  draft_revision: revision.meta({
    description: "Changes with the draft. A PATCH can send it back, so that it only replaces the " +
      "draft that was read.",
  }),
  rehearsal_job_id: id.nullable().meta({
    description: "The job of the last rehearsal; null if none of the last 30 days is stored.",
  }),
}).meta({ id: "Journey" });

const fields = {
  name: text(200),
  key: resourceKey.nullable().optional(),
  description: text(1000).nullable().optional(),
};

export const newJourney = z.strictObject({ ...fields, definition }).meta({
  example: {
    name: "Onboarding",
    key: "onboarding",
    definition: {
      trigger: { event: "signed_up" },
      start: "pause",
      steps: {
        pause: { wait: { for: "2d" }, next: "tag" },
        tag: { update: { attributes: { onboarded: true } }, next: "end" },
        end: { exit: {} },
      },
    },
  },
});

export const journeyEdit = z.strictObject({
  ...fields,
  name: fields.name.optional(),
  definition: definition.optional(),
  draft_revision: readRevision,
  expected,
}).meta({
  description: "Omitted fields keep their value. The definition replaces the draft.",
  example: { name: "First days" },
});

export const journeyVersion = z.object({
  version: z.int(),
  definition: definition.meta({ description: "Refers to other resources by id." }),
  published_at: timestamp,
  published_by: id.nullable().meta({ description: "The user; null for an API key." }),
}).meta({ id: "JourneyVersion" });

const inside = oneOf(["stay", "move"]).meta({
  description:
    "stay: runs finish in the version in which they began. move: they continue in the new one.",
});

export const publication = z.strictObject({
  inside: inside.optional(),
  draft_revision: readRevision,
}).meta({ description: "`inside` is `stay` if omitted.", example: { inside: "stay" } });

export const publishPreview = z.object({
  version: z.int().meta({ description: "The version number that publishing now would create." }),
  problems: z.array(z.object({ field: z.string(), message: z.string() })).meta({
    description: "Everything that prevents publishing the draft, up to 100 problems.",
    example: [],
  }),
  active_runs: z.int(),
  steps: z.array(z.object({
    version: z.int(),
    step: z.string(),
    waiting: z.int().meta({ description: "Runs that are at this step of this version." }),
    moves_to: z.string().nullable().meta({
      description:
        "The step of the draft at which these runs continue with `inside: move`. Null if they end.",
    }),
  })),
}).meta({ id: "PublishPreview" });

export const resumption = z.strictObject({
  late: oneOf(["run", "skip"]).optional().meta({
    description: "skip: leaves out the sends, updates and webhooks that fell due during the pause.",
  }),
}).meta({ example: { late: "skip" } });

export const newEntry = z.strictObject({
  customer_id: uuid.optional(),
  external_id: text(255).optional(),
  data: z.record(z.string(), z.unknown(), "must be an object").optional().meta({
    description: "The value of `trigger` in conditions, matches and templates.",
  }),
  idempotency_key: z.string("must be a string").regex(/^[\x20-\x7e]{1,255}$/, {
    error: "must be 1 to 255 printable ASCII characters",
  }).optional().meta({ description: "Like the header Idempotency-Key, which takes precedence." }),
}).check(({ value, issues }) => {
  if ((value.customer_id === undefined) !== (value.external_id === undefined)) return;
  const message = "must be set, or external_id, but not both";
  issues.push({ code: "custom", message, input: value, path: ["customer_id"] });
}).meta({ example: { external_id: "user-42", data: { cart_id: "c-1" } } });

export const entry = z.object({
  run_id: id.optional(),
  entered: z.literal(false).optional(),
  reason: z.string().optional().meta({
    description: "Why no run began: not_running, condition, already_inside, entered_before, " +
      "too_soon or holdout.",
  }),
}).meta({ id: "JourneyEntry" });

const runFields = {
  id,
  journey: z.object({
    id,
    key: z.string().nullable(),
    name: z.string().nullable().meta({ description: "Null once the journey was deleted." }),
  }),
  version: z.int(),
  customer_id: id,
  customer_name: z.string().nullable().meta({
    description: "The customer's name, else email address or an id. Null for a deleted customer, " +
      "and for keys that may read neither customers nor segments.",
    example: "Ada Lovelace",
  }),
  key: z.string().nullable().meta({ description: "Value of the entry's key; null without one." }),
  state: z.enum(["active", "ended"]),
  step: z.string().nullable().meta({ description: "The step that the run is at, or ended at." }),
  wake_at: timestamp.nullable().meta({
    description: "Time at which the run moves to its next step, unless an event moves it earlier.",
  }),
  entered_at: timestamp,
  exited_at: timestamp.nullable(),
  reason: z.enum(exitReasons).nullable(),
  goal_at: timestamp.nullable().meta({ description: "When the customer reached the goal." }),
};

export const listedRun = z.object(runFields).meta({ id: "ListedRun" });

export const run = z.object({
  ...runFields,
  trigger: freeForm.meta({ description: "Data of the event or call that began the run." }),
  cause: freeForm.meta({ description: "What began the run.", example: { event: "signed_up" } }),
  steps: z.array(z.object({
    visit: z.int().meta({ description: "Number of the step in the run, from 1." }),
    step: z.string(),
    kind: z.string().meta({ example: "send" }),
    at: timestamp.meta({ description: "When the step was due." }),
    done_at: timestamp.meta({ description: "When the service ran the step." }),
    outcome: freeForm.meta({
      description: "way: the path that the run took; to: the next step; and what the step did.",
      example: { way: "next", to: "end" },
    }),
  })).meta({ description: "The newest 1,000 steps, oldest first." }),
}).meta({ id: "Run" });

export const replay = z.strictObject({
  run_ids: z.array(uuid, { error: "must be a list of run ids" })
    .min(1, `must be a list of 1 to ${maxReplayedRuns} run ids`)
    .max(maxReplayedRuns, `must be a list of 1 to ${maxReplayedRuns} run ids`),
  from: text(64).meta({ description: "Step at which the runs continue." }),
}).meta({ example: { run_ids: ["0192f3c4-7a10-7cc3-8f4e-1b2a3c4d5e6f"], from: "welcome" } });

export const replayed = z.object({ replayed: z.int() }).meta({ id: "ReplayedRuns" });

const versionText = z.string().regex(/^[1-9]\d{0,8}$/, "must be a version").transform(Number)
  .pipe(integer(1, 999_999_999)).optional();

export const runQuery = z.strictObject({
  state: oneOf(["active", "ended"]).optional(),
  step: text(64).optional().meta({ description: "Needs `version` too." }),
  version: versionText.meta({ type: "integer", minimum: 1, pattern: undefined }),
  stuck: queryBoolean.optional().meta({ description: "true: only runs that should have moved." }),
  ...paging,
}).check(({ value, issues }) => {
  const message = "must be given together with";
  const missing = value.step === undefined ? "step" : "version";
  if ((value.step === undefined) === (value.version === undefined)) return;
  const path = [missing === "step" ? "version" : "step"];
  issues.push({ code: "custom", message: `${message} ${missing}`, input: value, path });
});

const counts = z.record(z.string(), z.int());
const count = z.int().default(0);

export const journeyStats = z.object({
  version: z.int().nullable().meta({ description: "Null if all versions are counted." }),
  entered: z.int(),
  active: z.int(),
  stuck: z.int().meta({
    description: "Active runs of all versions that should have moved over two minutes ago, up to " +
      "1,000. None in a paused journey.",
  }),
  reached_goal: z.int().meta({
    description: "Runs whose customers reached the goal, even after the run had ended.",
  }),
  exited: counts.meta({ description: "Ended runs by reason.", example: { completed: 12 } }),
  holdout: z.object({ entered: z.int(), reached_goal: z.int() }).meta({
    description: "Runs that were held out, for comparison. They are counted in entered too.",
  }),
  steps: z.array(z.object({
    step: z.string(),
    kind: z.string().nullable().meta({
      description: "Null for a step that the version does not have.",
    }),
    came: z.int(),
    waiting: z.int(),
    ways: counts.meta({ description: "Runs that continued, by way.", example: { next: 10 } }),
    skipped: counts.meta({ description: "Skipped effects by reason.", example: { late: 1 } }),
    reached_goal: z.int().meta({ description: "Runs that were here when they reached the goal." }),
    sent: count.meta({ description: "Messages of the step that the provider accepted." }),
    failed: count,
    unknown: count.meta({
      description: "Messages that the provider may or may not have accepted.",
    }),
    delivered: count,
    opened: count,
    clicked: count,
    bounced: count,
    complained: count,
    unsubscribed: count,
  })),
}).meta({ id: "JourneyStats" });

export const statsQuery = z.strictObject({
  version: versionText
    .meta({ type: "integer", minimum: 1, pattern: undefined, description: "All if omitted." }),
});
