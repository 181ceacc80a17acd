import { counts, newCounts } from "../../contract/explore.ts";
import { defineRoute } from "../../kernel/route.ts";
import { explore } from "./explore_queries.ts";
import { describeQuality, scaleMeasure } from "./scale.ts";

type Value = string | number | boolean;

/** Numbers from one, included, to another, excluded. */
interface Range {
  from: number | null;
  to: number | null;
}

interface Counted {
  zone: string;
  share: number;
  starts: string[];
  series: {
    kind: "all" | "value" | "range" | "other" | "missing";
    value: Value | Range | null;
    total: number;
    /** By the number of the interval, from 1. */
    counts: Record<string, number>;
  }[];
}

export const exploreCounts = defineRoute({
  operationId: "exploreCounts",
  method: "POST",
  path: "/explore/counts",
  tag: "Explore",
  summary: "Count events or customers over time, or add up a number of the events",
  description: "The range is at most 31 days by hour, otherwise 731 days. It includes the whole " +
    "first interval. The time of an event is its `occurred_at`.",
  scopes: ["events:read"],
  leastRole: "viewer",
  body: newCounts,
  status: 200,
  response: counts,
  isDry: true,
  async handle({ body, ...call }) {
    const { zone, share, starts, series } = await explore<Counted>(call, {
      kind: "counts",
      query: body,
      isSampled: body.measure === "customers" || body.property !== undefined ||
        body.value !== undefined || (body.event.where ?? []).length > 0,
    });
    const { measure } = body;
    const scaleOne = (number: number | undefined) => scaleMeasure(number, { measure, share });
    return {
      ...describeQuality(share),
      zone,
      starts,
      series: series.map(({ kind, value, counts, total }) => ({
        kind,
        ...isRange(value) ? { value: null, range: value } : { value },
        total: scaleOne(total) ?? 0,
        counts: starts.map((_, index) => scaleOne(counts[index + 1])),
      })),
    };
  },
});

function isRange(value: Value | Range | null): value is Range {
  return typeof value === "object" && value !== null;
}
