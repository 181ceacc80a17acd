import type { SendOutcome } from "../_shared/outbound/guarded_fetch.ts";
import { parseRetryAfter } from "./retry_after.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The wait before each attempt: the schedule that the Standard Webhooks specification advises. */
export const ATTEMPT_DELAYS_MS: readonly number[] = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

const JITTER = 0.2;
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;
const RELEASE_DELAY_MS = 5 * SECOND_MS;
const RETRY_AFTER_STATUSES: ReadonlySet<number | null> = new Set([429, 502, 503, 504]);
const GONE = 410;

/** What to do with a message at its destination after an attempt. */
export type Decision =
  /** Done: the destination has it. */
  | { action: "delivered" }
  /** Failed: send again at this time. */
  | { action: "retry"; retryAt: Date }
  /** Failed, and it was the last attempt. */
  | { action: "exhausted" }
  /** Failed, and the receiver wants no more: disable the destination now. */
  | { action: "disable"; reason: string }
  /** Our own doing: not an attempt, neither counted nor held against the destination. */
  | { action: "release"; retryAt: Date };

/**
 * Decides from one attempt's outcome what comes next.
 * @param attempt 1-based, within this run of the schedule; a replay starts a new run.
 * @param random answers 0 to 1, for the jitter of 20 % to either side.
 * @param maxAttempts how far the schedule goes; 1 for what must not be retried.
 */
export function decideOutcome(
  { outcome, attempt, now, random, maxAttempts = ATTEMPT_DELAYS_MS.length }: {
    outcome: Pick<SendOutcome, "ok" | "status_code" | "error" | "retry_after">;
    attempt: number;
    now: Date;
    random: () => number;
    maxAttempts?: number;
  },
): Decision {
  if (outcome.ok) return { action: "delivered" };
  if (outcome.error === "internal" || outcome.error === "cancelled") {
    return { action: "release", retryAt: addJittered(now, RELEASE_DELAY_MS, random) };
  }
  if (outcome.status_code === GONE) {
    return { action: "disable", reason: "The receiver answered 410 Gone" };
  }
  const delayMs = ATTEMPT_DELAYS_MS[attempt];
  if (delayMs === undefined || attempt >= maxAttempts) return { action: "exhausted" };
  const scheduled = addJittered(now, delayMs, random);
  const asked = RETRY_AFTER_STATUSES.has(outcome.status_code)
    ? parseRetryAfter(outcome.retry_after, now)
    : 0;
  const earliest = now.getTime() + Math.min(asked, MAX_RETRY_AFTER_MS);
  return { action: "retry", retryAt: new Date(Math.max(scheduled.getTime(), earliest)) };
}

function addJittered(now: Date, delayMs: number, random: () => number): Date {
  const factor = 1 - JITTER + 2 * JITTER * random();
  return new Date(now.getTime() + Math.round(delayMs * factor));
}
