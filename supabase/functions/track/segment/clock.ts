import { BoundedMap } from "../../_shared/cache/bounded_map.ts";

/** One request, or a message with a `sentAt` of its own. Times are in ms since 1970. */
export interface SentRequest {
  /** The sender: everything that shares one clock. */
  sender: string;
  /** Time by the sender's clock. */
  sentAt: number;
  /** Time by our clock. */
  receivedAt: number;
}

export interface ClockBook {
  /** Records a request; returns the milliseconds to add to its times, or 0. */
  findOffset(request: SentRequest): number;
}

/** Consecutive latest requests of a sender with the same delay, and their smallest delay. */
export interface Evidence {
  /** Least and greatest difference between receipt and `sentAt`. */
  smallest: number;
  largest: number;
  /** Least and greatest `sentAt` since the last request that was later than these. */
  first: number;
  last: number;
  /** Requests of different times since then. */
  requests: number;
  /** True if the clock explains the difference. */
  isProven: boolean;
  /** Receipt of the latest request. */
  seenAt: number;
}

// A smaller difference is as likely to come from the network as from the clock.
const thresholdMs = 60_000;
const toleranceMs = 5_000;
const leastRequests = 3;
const minute = 60_000;
const leastSpreadMs = minute;
const mostSpreadMs = 10 * minute;
const memoryMs = 60 * minute;
const maxSenders = 10_000;
// Before the first library, there was nothing to resend.
const earliestSentAt = Date.UTC(2000, 0, 1);

/** Updates the evidence about a sender with one more request. */
export function learn(known: Evidence | undefined, request: SentRequest): Evidence {
  const { sentAt, receivedAt } = request;
  const behind = receivedAt - sentAt;
  const isForgotten = known === undefined || receivedAt - known.seenAt > memoryMs;
  // The clock is at most as far behind as the quickest request shows: earlier requests were delayed.
  if (isForgotten || behind < known.largest - toleranceMs) {
    return {
      smallest: behind,
      largest: behind,
      first: sentAt,
      last: sentAt,
      requests: 1,
      isProven: false,
      seenAt: receivedAt,
    };
  }
  if (behind > known.smallest + toleranceMs) return interrupt(known);
  const isNew = sentAt < known.first || sentAt > known.last;
  const next = {
    ...known,
    smallest: Math.min(known.smallest, behind),
    largest: Math.max(known.largest, behind),
    first: Math.min(known.first, sentAt),
    last: Math.max(known.last, sentAt),
    requests: known.requests + (isNew ? 1 : 0),
    seenAt: receivedAt,
  };
  return { ...next, isProven: known.isProven || isConstant(next) };
}

/**
 * After a later request, the evidence starts again below the smallest known difference. A clock
 * stays proven through one such delay, but not through a second one before new proof.
 */
function interrupt(known: Evidence): Evidence {
  const isSameDelay = known.requests === 0;
  return {
    ...known,
    largest: known.smallest,
    first: Infinity,
    last: -Infinity,
    requests: 0,
    isProven: known.isProven && (isSameDelay || isConstant(known)),
  };
}

/**
 * Returns the milliseconds to add to the times of a request. A `sentAt` in the future means that
 * the clock is ahead. One in the past needs evidence, because it may be a retry.
 */
export function judge(evidence: Evidence, { sentAt, receivedAt }: SentRequest): number {
  const behind = receivedAt - sentAt;
  if (behind < -thresholdMs || sentAt < earliestSentAt) return behind;
  if (behind <= thresholdMs || evidence.smallest <= thresholdMs) return 0;
  return evidence.isProven ? evidence.smallest : 0;
}

/**
 * Returns true if the clock explains the difference. An outage can delay several requests equally,
 * but only requests made within less time than the delay.
 */
function isConstant(evidence: Omit<Evidence, "isProven">): boolean {
  const { requests, first, last, smallest } = evidence;
  const spread = Math.min(Math.max(smallest, leastSpreadMs), mostSpreadMs);
  return requests >= leastRequests && last - first >= spread;
}

/** Creates the evidence of recent senders, in the memory of one instance. */
export function createClockBook(): ClockBook {
  const senders = new BoundedMap<string, Evidence>(maxSenders);
  return {
    findOffset(request) {
      const { sender } = request;
      const evidence = learn(senders.get(sender), request);
      senders.set(sender, evidence);
      return judge(evidence, request);
    },
  };
}
