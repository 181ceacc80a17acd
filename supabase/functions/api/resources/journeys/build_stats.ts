import type { z } from "zod";
import type { Definition } from "../../../_shared/journeys/definition.ts";
import { listWays } from "../../../_shared/journeys/ways.ts";
import type { journeyStats } from "../../contract/journeys.ts";
import { stepKinds } from "../../contract/journeys/rules.ts";
import type { StatCount } from "./stats_queries.ts";
import type { StepCount } from "./version_queries.ts";

const engagements = [
  "sent",
  "failed",
  "unknown",
  "delivered",
  "opened",
  "clicked",
  "bounced",
  "complained",
  "unsubscribed",
] as const;

export interface StatsInput {
  /** The version that was asked for; null for all. */
  version: number | null;
  definition: Definition | undefined;
  counts: readonly StatCount[];
  standing: readonly StepCount[];
}

/** Builds the figures of a journey from its counters. */
export function buildStats(
  { version, definition, counts, standing }: StatsInput,
): Omit<z.output<typeof journeyStats>, "stuck"> {
  const steps = definition?.steps ?? {};
  const seen = counts.map(({ step }) => step).filter((step) => step !== "");
  const names = [...new Set([...listInOrder(definition), ...seen])];
  const here = standing.filter((count) => version === null || count.version === version);
  const waiting = (name?: string) => {
    const counted = here.filter(({ step }) => name === undefined || step === name);
    return counted.reduce((sum, count) => sum + count.waiting, 0);
  };
  const all = new Counters(counts, "");
  return {
    version,
    entered: all.of("entered"),
    active: waiting(),
    reached_goal: all.of("goal"),
    exited: all.below("exited"),
    holdout: { entered: all.of("holdout"), reached_goal: all.of("goal_holdout") },
    steps: names.map((name) => {
      const counters = new Counters(counts, name);
      const step = steps[name];
      const figures = engagements.map((kind) => [kind, counters.of(kind)] as const);
      return {
        step: name,
        kind: step === undefined ? null : stepKinds.find((kind) => kind in step) ?? null,
        came: counters.of("came"),
        waiting: waiting(name),
        ways: counters.below("left"),
        skipped: counters.below("skipped"),
        reached_goal: counters.of("goal"),
        ...Object.fromEntries(figures) as Record<(typeof engagements)[number], number>,
      };
    }),
  };
}

/** Lists the steps of a definition in the order in which a customer reaches them. */
function listInOrder(definition: Definition | undefined): string[] {
  if (definition === undefined) return [];
  const names = new Set([definition.start]);
  for (const name of names) {
    const step = definition.steps[name];
    for (const { to } of step === undefined ? [] : listWays(step).ways) names.add(to);
  }
  return [...names];
}

class Counters {
  readonly #counts: ReadonlyMap<string, number>;

  constructor(counts: readonly StatCount[], step: string) {
    const own = counts.filter((count) => count.step === step);
    this.#counts = new Map(own.map(({ kind, count }) => [kind, count]));
  }

  of(kind: string): number {
    return this.#counts.get(kind) ?? 0;
  }

  /** Returns the counts of all kinds `<prefix>:<name>`, by name. */
  below(prefix: string): Record<string, number> {
    const start = `${prefix}:`;
    const found = [...this.#counts].filter(([kind]) => kind.startsWith(start));
    return Object.fromEntries(found.map(([kind, count]) => [kind.slice(start.length), count]));
  }
}
