import type { Visit } from "./recording.ts";

/** An entry as `POST /track` takes it, alone or in a bulk. */
export type Entry = Record<string, unknown>;

/** One call of the replay. */
export interface TrackRequest {
  /** One is sent as a single call, several as a bulk. */
  entries: Entry[];
  /** Sent again after its response, as a client does that lost the response. */
  isRepeated: boolean;
}

/** Events at which a visitor signs in. */
const signIns = new Set(["account_page", "payment_details", "purchase"]);
/** Events that name the cart: a visit has one. */
const cartEvents = new Set(["add_to_cart", "purchase"]);
/** A lane sends this many single calls, then one bulk, then single calls again. */
const singleCalls = 25;
const bulkEntries = 100;
/** Of a hundred requests, one is repeated. */
const repeatEvery = 100;

/**
 * Turns visits into the calls a shop's pages would make. Every lane is a sequence: all entries of a
 * visitor are in the same lane, in the order of time, so lanes can be sent side by side.
 * The same visits make the same calls with the same idempotency keys, always.
 */
export function planLanes(visits: Visit[], count: number): TrackRequest[][] {
  const lanes = Array.from({ length: count }, (): Visit[] => []);
  const laneOf = new Map<string, Visit[]>();
  for (const visit of visits) {
    const lane = laneOf.get(visit.userId) ?? lanes[laneOf.size % count]!;
    laneOf.set(visit.userId, lane);
    lane.push(visit);
  }
  let sent = 0;
  return lanes.map((lane) =>
    packRequests(createEntries(lane)).map((entries) => ({
      entries,
      isRepeated: ++sent % repeatEvery === 0,
    }))
  );
}

function createEntries(visits: Visit[]): Entry[] {
  const signedIn = new Set<string>();
  return visits.flatMap((visit) => {
    const isSignIn = signIns.has(visit.event) && !signedIn.has(visit.sessionId);
    if (isSignIn) signedIn.add(visit.sessionId);
    const who = signedIn.has(visit.sessionId)
      ? { external_id: visit.userId }
      : { anon_id: visit.sessionId };
    const event = createEvent(visit, who);
    return isSignIn ? [createIdentify(visit), event] : [event];
  });
}

function createEvent(visit: Visit, who: Entry): Entry {
  return {
    ...who,
    name: visit.event,
    occurred_at: visit.occurredAt,
    properties: {
      platform: visit.platform,
      acquisition_channel: visit.acquisitionChannel,
      ...(cartEvents.has(visit.event) ? { cart_id: visit.sessionId } : {}),
    },
    idempotency_key: `ecom-row-${visit.row}`,
  };
}

function createIdentify(visit: Visit): Entry {
  return {
    type: "identify",
    external_id: visit.userId,
    anon_id: visit.sessionId,
    email: `${visit.userId}@example.com`,
    attributes: { user_cohort: visit.userCohort, user_lifecycle: visit.userLifecycle },
    occurred_at: visit.occurredAt,
    idempotency_key: `ecom-sign-in-${visit.sessionId}`,
  };
}

function packRequests(entries: Entry[]): Entry[][] {
  const requests: Entry[][] = [];
  let next = 0;
  while (next < entries.length) {
    const isBulk = requests.length % (singleCalls + 1) === singleCalls;
    requests.push(entries.slice(next, next += isBulk ? bulkEntries : 1));
  }
  return requests;
}
