import { z } from "zod";
import type { JsonFault } from "../../_shared/json/json.ts";
import { eventName, timezone } from "../../_shared/entries/fields.ts";
import { maxWindowDays, readDuration } from "./conditions/durations.ts";
import { readWhere } from "./conditions/read_event.ts";
import { readPropertyPath } from "./conditions/read_field.ts";
import { Reader } from "./conditions/reader.ts";
import { maxTests, propertyOperators } from "./conditions/rules.ts";
import type { PropertyTest } from "./conditions/types.ts";
import { integer, oneOf, queryInteger, time, timestamp } from "./fields.ts";

/** Longest range by hour, and by longer intervals, in days. */
export const maxRangeDays = { hour: 31, day: 731 } as const;
/** Longest time for a funnel or a path. */
const maxWithinDays = maxWindowDays;
/** Most values of a property that are counted separately. */
export const maxTop = 20;
/** Most periods after the first of a cohort. */
export const maxPeriods = 31;
/** Most steps of a funnel. */
export const maxFunnelSteps = 8;
/** Most events of a path. */
export const maxDepth = 6;

const dayMs = 86_400_000;

type Read<Value> = (reader: Reader) => Value | undefined;

/** Turns a reader of conditions into a check of a field. */
function readPart<Value>(payload: z.core.ParsePayload<Value>, read: Read<Value>): void {
  const reader = new Reader({});
  const value = read(reader);
  if (reader.faults.length === 0 && value !== undefined) payload.value = value;
  else payload.issues.push(...reader.faults.map((fault) => toIssue(fault, payload.value)));
}

function toIssue({ path, message }: JsonFault, input: unknown) {
  return { code: "custom" as const, message, path: [...path], input };
}

const where = z.custom<PropertyTest[]>((value) => value !== undefined).meta({
  type: "array",
  maxItems: maxTests,
  items: {
    type: "object",
    properties: {
      property: { type: "string" },
      op: { enum: [...propertyOperators] },
      value: {},
    },
    required: ["property", "op"],
    additionalProperties: false,
  },
  description: "Tests of properties, as in segment conditions. All must be true.",
}).check((payload) => {
  readPart(
    payload,
    (reader) => readWhere(reader, { value: payload.value, path: [] }).where,
  );
});

/** An event name with tests of its properties. */
export const exploredEvent = z.strictObject({ event: eventName, where: where.optional() }, {
  error: ({ input }) =>
    input === undefined
      ? "is required"
      : 'must be an object such as { "event": "order_completed" }',
}).meta({ example: { event: "order_completed", where: [] } });

const propertyPath = z.string({
  error: ({ input }) => input === undefined ? "is required" : "must be a string",
}).check((payload) => {
  readPart(payload, (reader) => readPropertyPath(reader, { value: payload.value, path: [] }));
}).meta({ minLength: 1, maxLength: 500, example: "currency" });

const within = z.string({
  error: ({ input }) => input === undefined ? "is required" : "must be a string",
}).refine((value) => (readDuration(value) ?? Infinity) <= maxWithinDays * 86_400, {
  error: `must be a duration such as "7d", up to ${maxWithinDays}d`,
}).meta({ pattern: "^[1-9][0-9]*[smhdw]$", example: "7d" });

const span = {
  since: time,
  until: time,
  zone: timezone.optional().meta({ description: "Defaults to the zone of the workspace." }),
};

interface Span {
  since: string;
  until: string;
  interval?: string | undefined;
}

function checkSpan({ value, issues }: z.core.ParsePayload<Span>): void {
  const length = Date.parse(value.until) - Date.parse(value.since);
  const fail = (message: string) =>
    issues.push({ code: "custom", message, input: value.since, path: ["since"] });
  if (length <= 0) return void fail("must be before until");
  const most = maxRangeDays[value.interval === "hour" ? "hour" : "day"];
  if (length > most * dayMs) fail(`must be at most ${most} days before until`);
}

const intervals = ["hour", "day", "week", "month"] as const;

/** Measures of trends. */
export const measures = ["events", "customers", "sum", "average"] as const;

/** Checks that a value is given for the measures that add up numbers, and for no other. */
function checkValue(
  { value: { measure, value }, issues }: z.core.ParsePayload<
    { measure: typeof measures[number]; value?: string | undefined }
  >,
): void {
  const addsUp = measure === "sum" || measure === "average";
  if (addsUp === (value !== undefined)) return;
  const message = addsUp
    ? `is required with "${measure}": the property whose numbers are added up`
    : `must be left out with "${measure}"`;
  issues.push({ code: "custom", message, input: value, path: ["value"] });
}

export const newCounts = z.strictObject({
  event: exploredEvent,
  measure: oneOf(measures).default("events"),
  value: propertyPath.optional().meta({
    description: "The property whose numbers are added up, for `sum` and `average` only. Other " +
      'JSON types are not numbers, so events with a text such as `"12"` do not count.',
    example: "total",
  }),
  interval: oneOf(intervals).default("day"),
  ...span,
  property: propertyPath.optional().meta({
    description: "Each value of this property is a series. If it has more than 10 numbers, and " +
      "more than `top`, each of at most 8 ranges of numbers is one.",
  }),
  top: integer(1, maxTop).default(5).meta({
    description: "The number of values with a series of their own: those with the most events or " +
      "customers, or the largest sum; with `average`, the most events. All others form one series.",
  }),
}).check(checkSpan).check(checkValue).meta({
  example: {
    event: { event: "order_completed" },
    interval: "day",
    since: "2026-11-01T00:00:00.000Z",
    until: "2026-12-01T00:00:00.000Z",
    property: "currency",
  },
});

export const newFunnel = z.strictObject({
  steps: z.array(exploredEvent, { error: "must be a list of events" })
    .min(2, `must have 2 to ${maxFunnelSteps} events`)
    .max(maxFunnelSteps, `must have 2 to ${maxFunnelSteps} events`),
  within: within.meta({ description: "Longest time from the first step to any other." }),
  since: span.since,
  until: span.until.meta({
    description: "The first step must be before this time; later steps may follow it.",
  }),
}).check(checkSpan).meta({
  example: {
    steps: [{ event: "cart_viewed" }, { event: "order_completed" }],
    within: "7d",
    since: "2026-11-01T00:00:00.000Z",
    until: "2026-12-01T00:00:00.000Z",
  },
});

export const newRetention = z.strictObject({
  start: exploredEvent.meta({ description: "The customer's first such event counts." }),
  return: exploredEvent,
  interval: oneOf(["day", "week", "month"]).default("week"),
  periods: integer(1, maxPeriods).default(8).meta({
    description: "The number of periods after the first one.",
  }),
  ...span,
}).check(checkSpan).meta({
  example: {
    start: { event: "signed_up" },
    return: { event: "order_completed" },
    since: "2026-11-01T00:00:00.000Z",
    until: "2026-12-01T00:00:00.000Z",
  },
});

export const newPaths = z.strictObject({
  start: exploredEvent,
  within: within.default("1d").meta({ description: "Longest time after the start." }),
  depth: integer(1, maxDepth).default(3).meta({
    description: "The number of events to follow after the start. Repeats of an event in a row " +
      "count as one.",
  }),
  top: integer(1, maxTop).default(5).meta({
    description: "The number of names per step. All others are counted as one.",
  }),
  since: span.since,
  until: span.until,
}).check(checkSpan).meta({
  example: {
    start: { event: "signed_up" },
    since: "2026-11-01T00:00:00.000Z",
    until: "2026-12-01T00:00:00.000Z",
  },
});

/** A question as the page Explore has it in its address: each part is a text. */
export const exploredPage = z.strictObject({
  kind: oneOf(["counts", "funnel", "retention", "paths"]).optional(),
  events: z.string("must be a string").transform((text, { addIssue, value }) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      addIssue({ code: "custom", message: "must be a JSON list of events", input: value });
      return z.NEVER;
    }
  }).pipe(
    z.array(exploredEvent, "must be a JSON list of events")
      .max(maxFunnelSteps, `must have at most ${maxFunnelSteps} events`),
  ).optional(),
  measure: oneOf(measures).optional(),
  value: propertyPath.optional(),
  interval: oneOf(intervals).optional(),
  property: propertyPath.optional(),
  top: queryInteger(1, maxTop).optional(),
  within: within.optional(),
  periods: queryInteger(1, maxPeriods).optional(),
  depth: queryInteger(1, maxDepth).optional(),
  since: time.optional(),
  until: time.optional(),
});

const quality = {
  is_exact: z.boolean().meta({
    description: "False for an estimate from a random sample of events or customers.",
  }),
  sampled_share: z.number().min(0).max(1).meta({
    description:
      "The share of the data that was read, 1 if exact. Numbers are already scaled; averages " +
      "need not be.",
  }),
};

const starts = z.array(timestamp).meta({ description: "Starts of the intervals, oldest first." });

export const counts = z.object({
  ...quality,
  zone: z.string().meta({ example: "Europe/Berlin" }),
  starts,
  series: z.array(z.object({
    kind: z.enum(["all", "value", "range", "other", "missing"]).meta({
      description: "all: without a property. range: numbers of the property from one to another. " +
        "other: all values beyond the most frequent, or beside ranges those that are not numbers. " +
        "missing: events without the property.",
    }),
    value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
    range: z.object({
      from: z.number().nullable().meta({ description: "Included; null without a lower end." }),
      to: z.number().nullable().meta({ description: "Excluded; null without an upper end." }),
    }).optional().meta({ description: "Only with the kind range." }),
    total: z.number().meta({
      description: "Events, distinct customers, the sum or the average in the whole range.",
    }),
    counts: z.array(z.number().nullable()).meta({
      description: "The same per interval. An average without a number is null.",
    }),
  })),
}).meta({ id: "EventCounts" });

export const funnel = z.object({
  ...quality,
  steps: z.array(z.object({
    event: z.string(),
    customers: z.int(),
    median_seconds: z.number().nullable().meta({
      description: "Median time from the first step to the first arrival at this one.",
    }),
  })),
}).meta({ id: "Funnel" });

export const retention = z.object({
  ...quality,
  zone: z.string(),
  cohorts: z.array(z.object({
    at: timestamp.meta({ description: "Start of the period of the first event." }),
    customers: z.int(),
    returned: z.array(z.int().nullable()).meta({
      description: "Customers with the other event in the same period (at or after their first " +
        "event), in the next one, and so on; null for periods that have not begun.",
    }),
  })),
}).meta({ id: "Retention" });

const pathNode = z.object({
  kind: z.enum(["start", "event", "other", "end"]),
  name: z.string().nullable(),
});

export const paths = z.object({
  ...quality,
  customers: z.int().meta({ description: "Customers with the start in the range." }),
  links: z.array(z.object({
    step: z.int().meta({ description: "The number of the event after the start, from 1." }),
    from: pathNode,
    to: pathNode,
    customers: z.int(),
  })),
}).meta({ id: "Paths" });
