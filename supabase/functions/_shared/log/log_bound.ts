import {
  type EventKind,
  lineFields,
  type LogEvent,
  type LogFields,
  type LogLevel,
  type WriteLine,
} from "./log.ts";

export interface BoundOptions {
  write: WriteLine;
  /** A monotonic clock in milliseconds. */
  now: () => number;
  /** Calls back after that many milliseconds; only scheduled while something waits. */
  schedule: (work: () => void, ms: number) => void;
}

/** Writes the first log lines of each kind and counts the rest. */
export interface Bound {
  take(event: LogEvent): void;
  /** Writes the current counts, before the process ends. */
  flush(): void;
}

/** Lines per kind of event: an initial burst, then a number per second. */
const budgets: Readonly<Record<EventKind, { burst: number; perSecond: number }>> = {
  failure: { burst: 20, perSecond: 2 },
  refusal: { burst: 10, perSecond: 0.5 },
  success: { burst: 10, perSecond: 0.5 },
};
/** Interval between two summaries, in milliseconds. */
const sumEveryMs = 1_000;
const maxGroups = 20;
const maxIds = 80;
const maxDurations = 2_000;

interface Sum {
  msg: string;
  group: LogFields;
  level: LogLevel;
  count: number;
  ids: string[];
  durations: number[];
}

/**
 * Keeps a log under 100 lines in any 10 seconds, the platform's limit: 40 failures, 15 refusals, 15
 * successes and 11 summaries. Events without a line are counted in the next summary, failures with
 * their ids.
 */
export function createLogBound({ write, now, schedule }: BoundOptions): Bound {
  const takeToken = createBuckets(now);
  let sums = new Map<string, Sum>();
  let ids = 0;
  let countedSince = 0;
  let isScheduled = false;

  function count(event: LogEvent): void {
    if (sums.size === 0) countedSince = now();
    const sum = findSum(sums, event);
    sum.count++;
    if (event.durationMs !== null && sum.durations.length < maxDurations) {
      sum.durations.push(event.durationMs);
    }
    if (event.kind === "failure" && event.id !== "" && ids < maxIds) {
      ids++;
      sum.ids.push(event.id);
    }
    if (isScheduled) return;
    isScheduled = true;
    schedule(flush, sumEveryMs);
  }

  function flush(): void {
    isScheduled = false;
    if (sums.size === 0) return;
    const groups = [...sums.values()];
    const level = groups.some((sum) => sum.level === "error")
      ? "error"
      : groups.some((sum) => sum.level === "warn")
      ? "warn"
      : "info";
    sums = new Map();
    ids = 0;
    write(level, "sums", {
      over_ms: Math.round(now() - countedSince),
      groups: groups.map(describe),
    });
  }

  return {
    take(event) {
      if (takeToken(event.kind)) write(event.level, event.msg, lineFields(event));
      else count(event);
    },
    flush,
  };
}

function createBuckets(now: () => number): (kind: EventKind) => boolean {
  const buckets = new Map<EventKind, { tokens: number; at: number }>();
  return (kind) => {
    const { burst, perSecond } = budgets[kind];
    const at = now();
    const bucket = buckets.get(kind) ?? { tokens: burst, at };
    const tokens = Math.min(burst, bucket.tokens + (at - bucket.at) / 1_000 * perSecond);
    const isFree = tokens >= 1;
    buckets.set(kind, { tokens: isFree ? tokens - 1 : tokens, at });
    return isFree;
  };
}

function findSum(sums: Map<string, Sum>, { msg, group, level }: LogEvent): Sum {
  const isRoom = sums.size < maxGroups;
  const key = isRoom ? JSON.stringify([msg, group]) : "others";
  const known = sums.get(JSON.stringify([msg, group])) ?? sums.get(key);
  if (known) return known;
  const made = { msg: isRoom ? msg : "others", group: isRoom ? group : {}, level };
  const sum: Sum = { ...made, count: 0, ids: [], durations: [] };
  sums.set(key, sum);
  return sum;
}

function describe({ msg, group, count, ids, durations }: Sum): LogFields {
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1];
  return {
    msg,
    ...group,
    count,
    p50_ms: at(0.5),
    p95_ms: at(0.95),
    max_ms: sorted.at(-1),
    ids: ids.length > 0 ? ids : undefined,
  };
}
