import type { ServiceResponse } from "../service/app.ts";

/** An entry that was acknowledged, and the ids of its answer. */
export interface AcknowledgedEntry {
  entry: Record<string, unknown>;
  eventId: string;
  customerId: string;
}

/** Callers of one workspace that send a mixture of entries, each until it is acknowledged. */
export interface MovingLoad {
  /** Every acknowledged entry. */
  readonly entries: readonly AcknowledgedEntry[];
  /** Longest time between two acknowledgements since the last call, in ms. */
  takeLongestGap(): number;
  /** Resolves when so many entries are acknowledged. */
  acknowledged(count: number): Promise<void>;
  /** Finishes what is under way. */
  stop(): Promise<void>;
}

export interface MovingLoadOptions {
  track: (entry: Record<string, unknown>) => Promise<ServiceResponse>;
  callers?: number;
  /** Entries per second of all callers. @default as many as are answered */
  perSecond?: number;
}

const retryMs = 20;
const visitors = 200;

/** Starts callers that send events of visitors, and in between identifies that merge them. */
export function startMovingLoad(
  { track, callers = 8, perSecond }: MovingLoadOptions,
): MovingLoad {
  const entries: AcknowledgedEntry[] = [];
  let waiting: { count: number; resolve: () => void }[] = [];
  let isStopped = false;
  let made = 0;
  let longest = 0;
  let last = performance.now();

  function note(entry: AcknowledgedEntry): void {
    entries.push(entry);
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    for (const each of waiting) if (entries.length >= each.count) each.resolve();
    waiting = waiting.filter(({ count }) => entries.length < count);
  }

  const startedAt = performance.now();
  const running = Array.from({ length: callers }, async () => {
    while (!isStopped) {
      const n = made++;
      if (perSecond !== undefined) {
        const early = startedAt + n * 1000 / perSecond - performance.now();
        if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      }
      note(await repeat(track, createEntry(n)));
    }
  });
  return {
    entries,
    takeLongestGap() {
      const gap = Math.round(Math.max(longest, performance.now() - last));
      longest = 0;
      last = performance.now();
      return gap;
    },
    acknowledged: (count) => new Promise((resolve) => waiting.push({ count, resolve })),
    async stop() {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

/** Every tenth entry identifies a visitor of an earlier event, which merges the two customers. */
function createEntry(n: number): Record<string, unknown> {
  const visitor = `visitor-${n % visitors}-${Math.floor(n / visitors / 10)}`;
  const own = { anon_id: visitor, idempotency_key: `entry-${n}` };
  return n % 10 === 9
    ? { ...own, type: "identify", external_id: `user-${visitor}`, email: `${visitor}@example.com` }
    : { ...own, name: "viewed", properties: { n } };
}

async function repeat(
  track: MovingLoadOptions["track"],
  entry: Record<string, unknown>,
): Promise<AcknowledgedEntry> {
  for (;;) {
    const { status, body } = await track(entry);
    if (status === 200) return { entry, eventId: body.event_id, customerId: body.customer_id };
    // Retries are for outages; another status would repeat forever.
    if (status < 500) throw new Error(`Cannot continue: ${status} ${JSON.stringify(body)}`);
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}
