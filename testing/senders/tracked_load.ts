import type { StackInfo } from "../../local/stack.ts";

/** An entry with a key of its own, and the service's response for it. */
export interface TrackedEntry {
  entry: Record<string, unknown> & { idempotency_key: string };
  /** Of the ok response; undefined while there is none. */
  eventId: string | undefined;
}

/** Load of many callers, with every entry that they sent. */
export interface TrackedLoad {
  /** Everything that was sent, stored or not. */
  entries: TrackedEntry[];
  /** Resolves when so many entries were stored. */
  stored(count: number): Promise<void>;
  /** Resolves when every caller gave up, which they do when the service does not respond with ok. */
  ended: Promise<void>;
}

interface EntryResponse {
  ok: boolean;
  event_id: string;
}

const callerCount = 12;
const bulk = 40;

/**
 * Callers that send without a pause until the service fails them: two of three send single calls,
 * the others bulks; events and identifies of known and new customers.
 */
export function startLoad(info: StackInfo): TrackedLoad {
  const entries: TrackedEntry[] = [];
  const waiters: { count: number; resolve: () => void }[] = [];
  let stored = 0;
  const callers = Array.from({ length: callerCount }, async (_, caller) => {
    const size = caller % 3 === 0 ? bulk : 1;
    for (;;) {
      const batch = Array.from({ length: size }, () => createEntry(entries));
      if (!await sendEntries(info, batch)) return;
      stored += size;
      for (const { count, resolve } of waiters) if (stored >= count) resolve();
    }
  });
  return {
    entries,
    stored: (count) => new Promise((resolve) => waiters.push({ count, resolve })),
    ended: Promise.all(callers).then(() => {}),
  };
}

/** Sends entries in one request and notes the responses; false when the service did not respond with ok. */
export async function sendEntries(info: StackInfo, batch: TrackedEntry[]): Promise<boolean> {
  const [first] = batch;
  const body = batch.length === 1 ? first!.entry : { events: batch.map(({ entry }) => entry) };
  try {
    const response = await fetch(`${info.base_url}/functions/v1/track`, {
      method: "POST",
      headers: { authorization: `Bearer ${info.api_key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const content = await response.json();
    if (!content.ok) return false;
    const responses: EntryResponse[] = content.results ?? [content];
    batch.forEach((sent, i) => sent.eventId = responses[i]!.event_id);
    return true;
  } catch {
    // The connection broke: whether the entries were stored is what the caller cannot know.
    return false;
  }
}

function createEntry(entries: TrackedEntry[]): TrackedEntry {
  const n = entries.length;
  const key = { idempotency_key: `load-${n}` };
  const known = { external_id: `user-${n % 20}` };
  const kinds = [
    { name: "viewed", ...known },
    { name: "viewed", anon_id: `visitor-${n}` },
    { type: "identify", ...known, anon_id: `visitor-${n - 1}`, attributes: { seen: n } },
  ];
  const tracked = { entry: { ...kinds[n % kinds.length], ...key }, eventId: undefined };
  entries.push(tracked);
  return tracked;
}
