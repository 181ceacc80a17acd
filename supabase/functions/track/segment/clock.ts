/** One request, or a message that carries a `sentAt` of its own. Times are in ms since 1970. */
export interface SentRequest {
  /** Who sent it: everything with one clock. */
  sender: string;
  /** By the sender's clock. */
  sentAt: number;
  /** By ours. */
  receivedAt: number;
}

export interface ClockBook {
  /** Takes note of a request; the milliseconds to add to its times, 0 to leave them alone. */
  findOffset(request: SentRequest): number;
}

/** The latest requests of a sender in a row that were behind by the same, the least of any. */
export interface Evidence {
  /** Least and greatest difference between receipt and `sentAt`. */
  smallest: number;
  largest: number;
  /** Least and greatest `sentAt` since the last request that was later than these. */
  first: number;
  last: number;
  /** Requests of different times since then. */
  requests: number;
  /** Whether the difference is that of a clock. */
  isProven: boolean;
  /** Receipt of the latest. */
  seenAt: number;
}

// Below it, a difference is as likely the network's as the clock's.
const thresholdMs = 60_000;
const toleranceMs = 5_000;
const leastRequests = 3;
const minute = 60_000;
const leastSpreadMs = minute;
const mostSpreadMs = 10 * minute;
const memoryMs = 60 * minute;
const maxSenders = 10_000;
// Before the first library there was nothing to send again.
const earliestSentAt = Date.UTC(2000, 0, 1);

/** What is known of a sender after one more request. */
export function learn(known: Evidence | undefined, request: SentRequest): Evidence {
  const { sentAt, receivedAt } = request;
  const behind = receivedAt - sentAt;
  const isForgotten = known === undefined || receivedAt - known.seenAt > memoryMs;
  // The clock is no further behind than the quickest request says: what came before was delayed.
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
 * After a request that was later, the evidence begins anew below the least difference known. A
 * clock stays proven through one such delay, but not when the next one comes before new proof.
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
 * The milliseconds to add to the times of a request. A `sentAt` in the future is a clock that is
 * ahead. One in the past is a clock only as far as the evidence goes: it may be a retry.
 */
export function judge(evidence: Evidence, { sentAt, receivedAt }: SentRequest): number {
  const behind = receivedAt - sentAt;
  if (behind < -thresholdMs || sentAt < earliestSentAt) return behind;
  if (behind <= thresholdMs || evidence.smallest <= thresholdMs) return 0;
  return evidence.isProven ? evidence.smallest : 0;
}

/**
 * Whether the difference is that of a clock. An outage can delay several requests by the same, but
 * only such as were made within less time than the delay.
 */
function isConstant(evidence: Omit<Evidence, "isProven">): boolean {
  const { requests, first, last, smallest } = evidence;
  const spread = Math.min(Math.max(smallest, leastSpreadMs), mostSpreadMs);
  return requests >= leastRequests && last - first >= spread;
}

/** A book of the senders that were heard last, in the memory of one instance. */
export function createClockBook(): ClockBook {
  const senders = new Map<string, Evidence>();
  return {
    findOffset(request) {
      const { sender } = request;
      const evidence = learn(senders.get(sender), request);
      senders.delete(sender);
      senders.set(sender, evidence);
      if (senders.size > maxSenders) {
        // A Map keeps the order of insertion: the first key was heard longest ago.
        for (const oldest of senders.keys()) {
          senders.delete(oldest);
          break;
        }
      }
      return judge(evidence, request);
    },
  };
}
