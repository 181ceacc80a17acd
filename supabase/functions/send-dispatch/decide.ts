import { parseRetryAfter } from "../_shared/outbound/retry_after.ts";
import { type HandOver, keyTaken } from "./providers/provider.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Wait before each attempt after the first, in milliseconds. */
export const retryDelaysMs: readonly number[] = [
  1 * minuteMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  6 * hourMs,
  12 * hourMs,
  24 * hourMs,
];

const jitter = 0.2;
const minPauseMs = secondMs;
const maxRetryAfterMs = 24 * hourMs;
const releaseDelayMs = 5 * secondMs;
// SMTP: the server is about to close the connection.
const serviceNotAvailable = 421;

/** Failures that say nothing about the sender: they are the recipient's fault, or ours. */
const harmlessReasons: ReadonlySet<string | null> = new Set([
  "temporary_refusal",
  "rate_limited",
  "in_progress",
  keyTaken,
  "internal",
  "cancelled",
]);

/** These are not attempts: nothing reached the provider, which is not at fault. */
const releasedReasons: ReadonlySet<string | null> = new Set(["internal", "cancelled"]);

/** Next action for a message after an attempt. */
export interface Decision {
  action: "sent" | "failed" | "unknown" | "retry" | "release";
  reason: string | null;
  /** True if the failure is the sender's, not the recipient's. */
  isSenderFailure: boolean;
  /** The provider wants no message before this time. */
  pausedUntil: Date | null;
  nextAttemptAt: Date | null;
}

/**
 * Decides the next action from the outcome of one attempt.
 *
 * @param attempt 1-based
 * @param isRepeatable true if a message may be handed over again although the provider may have it:
 * the provider takes an idempotency key, or the sender allows it
 * @param random returns 0 to 1, for the jitter of 20 % to either side
 */
export function decideSend(
  { handOver, attempt, isRepeatable, now, random }: {
    handOver: Pick<HandOver, "outcome" | "reason" | "statusCode" | "retryAfter">;
    attempt: number;
    isRepeatable: boolean;
    now: Date;
    random: () => number;
  },
): Decision {
  const { outcome, reason, statusCode, retryAfter } = handOver;
  const isSenderFailure = outcome !== "sent" && isFaultOfSender(handOver);
  const base = { reason, isSenderFailure, pausedUntil: null, nextAttemptAt: null };
  if (outcome === "sent") return { action: "sent", ...base };
  if (outcome === "unknown" && (!isRepeatable || reason === keyTaken)) {
    return { action: "unknown", ...base };
  }
  // Wrong credentials are the sender's fault: the message waits until somebody corrects them.
  if (outcome === "failed" && reason !== "unauthorized") return { action: "failed", ...base };
  if (outcome === "retry" && releasedReasons.has(reason)) {
    return { action: "release", ...base, nextAttemptAt: addJittered(now, releaseDelayMs, random) };
  }
  const askedMs = Math.min(parseRetryAfter(retryAfter, now), maxRetryAfterMs);
  const isPaused = reason === "rate_limited" || (askedMs > 0 && statusCode !== null);
  const pausedUntil = isPaused ? new Date(now.getTime() + Math.max(askedMs, minPauseMs)) : null;
  const delayMs = retryDelaysMs[attempt - 1];
  if (delayMs === undefined) {
    return { action: outcome === "unknown" ? "unknown" : "failed", ...base, pausedUntil };
  }
  const scheduled = addJittered(now, delayMs, random);
  const nextAttemptAt = new Date(Math.max(scheduled.getTime(), now.getTime() + askedMs));
  return { action: "retry", reason, isSenderFailure, pausedUntil, nextAttemptAt };
}

// Enhanced codes of RFC 3463: the mailbox or its domain does not exist, or the mailbox has moved.
const unknownAddress = /^5\d\d[ -]5\.1\.(?:[1236]|10)\b/;

/** Returns true if an SMTP server refused the recipient because there is no such address. */
export function isUnknownAddress({ response }: Pick<HandOver, "response">): boolean {
  return unknownAddress.test(response ?? "");
}

function isFaultOfSender(
  { outcome, reason, statusCode }: Pick<HandOver, "outcome" | "reason" | "statusCode">,
): boolean {
  if (outcome === "failed") return reason === "unauthorized";
  return statusCode === serviceNotAvailable || !harmlessReasons.has(reason);
}

function addJittered(now: Date, delayMs: number, random: () => number): Date {
  const factor = 1 - jitter + 2 * jitter * random();
  return new Date(now.getTime() + Math.round(delayMs * factor));
}
