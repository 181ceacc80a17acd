import type { SendOutcome } from "../_shared/outbound/guarded_fetch.ts";
import { parseRetryAfter } from "../_shared/outbound/retry_after.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Wait before each attempt: the schedule recommended by the Standard Webhooks specification. */
export const attemptDelaysMs: readonly number[] = [
  0,
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

const jitter = 0.2;
const maxRetryAfterMs = 24 * hourMs;
const releaseDelayMs = 5 * secondMs;
const retryAfterStatuses: ReadonlySet<number | null> = new Set([429, 502, 503, 504]);
const gone = 410;

/** Next action for a message at its destination after an attempt. */
export type Decision =
  /** Done: the destination has received it. */
  | { action: "delivered" }
  /** Failed: send again at this time. */
  | { action: "retry"; retryAt: Date }
  /** Failed on the last attempt. */
  | { action: "exhausted" }
  /** Failed, and the receiver wants no more: disable the destination now. */
  | { action: "disable"; reason: string }
  /** Failed on our side: not an attempt, and not counted against the destination. */
  | { action: "release"; retryAt: Date };

/**
 * Decides the next action from one attempt's outcome.
 *
 * @param attempt 1-based, within this run of the schedule; a replay starts a new run
 * @param random returns 0 to 1, for the jitter of 20 % to either side
 * @param maxAttempts last attempt of the schedule; 1 for messages that must not be retried
 */
export function decideOutcome(
  { outcome, attempt, now, random, maxAttempts = attemptDelaysMs.length }: {
    outcome: Pick<SendOutcome, "ok" | "status_code" | "error" | "retry_after">;
    attempt: number;
    now: Date;
    random: () => number;
    maxAttempts?: number;
  },
): Decision {
  if (outcome.ok) return { action: "delivered" };
  if (outcome.error === "internal" || outcome.error === "cancelled") {
    return { action: "release", retryAt: addJittered(now, releaseDelayMs, random) };
  }
  if (outcome.status_code === gone) {
    return { action: "disable", reason: "The receiver responded with 410 Gone" };
  }
  const delayMs = attemptDelaysMs[attempt];
  if (delayMs === undefined || attempt >= maxAttempts) return { action: "exhausted" };
  const scheduled = addJittered(now, delayMs, random);
  const asked = retryAfterStatuses.has(outcome.status_code)
    ? parseRetryAfter(outcome.retry_after, now)
    : 0;
  const earliest = now.getTime() + Math.min(asked, maxRetryAfterMs);
  return { action: "retry", retryAt: new Date(Math.max(scheduled.getTime(), earliest)) };
}

function addJittered(now: Date, delayMs: number, random: () => number): Date {
  const factor = 1 - jitter + 2 * jitter * random();
  return new Date(now.getTime() + Math.round(delayMs * factor));
}
