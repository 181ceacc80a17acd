import type { ServiceResponse } from "../service/app.ts";

/** Callers that repeat each event until it is acknowledged, as every client library does. */
export interface AcknowledgedLoad extends AsyncDisposable {
  /** Resolves when so many events are acknowledged in all. */
  acknowledged(count: number): Promise<void>;
  /** Finishes what is under way; returns the ids of all acknowledged events. */
  stop(): Promise<string[]>;
}

const callerCount = 8;
const retryMs = 50;

/** Starts callers that repeat each event until it is acknowledged. */
export function startAcknowledgedLoad(
  track: (entry: object) => Promise<ServiceResponse>,
): AcknowledgedLoad {
  const eventIds: string[] = [];
  let waiting: { count: number; resolve: () => void }[] = [];
  let isStopped = false;
  let isCancelled = false;
  let made = 0;
  const callers = Array.from({ length: callerCount }, async () => {
    while (!isStopped) {
      const key = `load-${made++}`;
      const entry = { anon_id: key, name: "viewed", idempotency_key: key };
      const eventId = await repeat(track, entry, () => isCancelled);
      if (eventId === undefined) return;
      eventIds.push(eventId);
      for (const each of waiting) if (eventIds.length >= each.count) each.resolve();
      waiting = waiting.filter(({ count }) => eventIds.length < count);
    }
  });
  const stop = async () => {
    isStopped = true;
    await Promise.all(callers);
    return eventIds;
  };
  return {
    acknowledged: (count) => new Promise((resolve) => waiting.push({ count, resolve })),
    stop,
    async [Symbol.asyncDispose]() {
      isCancelled = true;
      await stop();
    },
  };
}

/** Sends until the response is 200; returns the event's id, or nothing when it was cancelled. */
async function repeat(
  track: (entry: object) => Promise<ServiceResponse>,
  entry: object,
  isCancelled: () => boolean,
): Promise<string | undefined> {
  while (!isCancelled()) {
    // A connection that broke is the same to a caller as a failure.
    const response = await track(entry).catch(() => undefined);
    if (response?.status === 200) return response.body.event_id;
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}
