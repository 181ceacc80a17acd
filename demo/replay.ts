import type { RunningStack } from "./running_stack.ts";
import type { TrackRequest } from "./plan_lanes.ts";

/** Results of the calls. Entries count by the response to each. */
export interface Tally {
  requests: number;
  repeated: number;
  bulks: number;
  stored: number;
  duplicates: number;
  /** The sentences of refused entries. */
  refusals: string[];
  /** One value per request, in milliseconds. */
  latencies: number[];
  elapsedMs: number;
}

interface EntryResponse {
  ok: boolean;
  duplicate?: boolean;
  error?: string;
}

const attempts = 10;

/**
 * Sends the lanes side by side, the requests of each one after the other.
 *
 * @param onProgress told how many responses arrived since it was last called.
 * @throws Error when the service refuses a whole request or cannot be reached.
 */
export async function replay(
  stack: RunningStack,
  lanes: TrackRequest[][],
  onProgress: (requests: number) => void,
): Promise<Tally> {
  const tally: Tally = {
    requests: 0,
    repeated: 0,
    bulks: 0,
    stored: 0,
    duplicates: 0,
    refusals: [],
    latencies: [],
    elapsedMs: 0,
  };
  const startedAt = performance.now();
  await Promise.all(lanes.map(async (lane) => {
    for (const request of lane) {
      const copies = request.isRepeated ? 2 : 1;
      for (let copy = 0; copy < copies; copy++) await send(stack, request, tally);
      if (request.isRepeated) tally.repeated++;
      onProgress(copies);
    }
  }));
  tally.elapsedMs = performance.now() - startedAt;
  return tally;
}

async function send(stack: RunningStack, request: TrackRequest, tally: Tally): Promise<void> {
  const isBulk = request.entries.length > 1;
  const body = JSON.stringify(isBulk ? { events: request.entries } : request.entries[0]);
  const startedAt = performance.now();
  const response = await post(stack, body);
  tally.latencies.push(performance.now() - startedAt);
  tally.requests++;
  if (isBulk) tally.bulks++;
  const responses: EntryResponse[] = "results" in response ? response.results : [response];
  for (const { ok, duplicate, error } of responses) {
    if (!ok) tally.refusals.push(error ?? "no reason given");
    else if (duplicate) tally.duplicates++;
    else tally.stored++;
  }
}

/** As any good client does, waits and sends again when told that it is too fast. */
async function post(
  stack: RunningStack,
  body: string,
): Promise<EntryResponse | { results: EntryResponse[] }> {
  for (let attempt = 1;; attempt++) {
    const response = await fetch(`${stack.base_url}/functions/v1/track`, {
      method: "POST",
      headers: { authorization: `Bearer ${stack.api_key}`, "content-type": "application/json" },
      body,
    });
    const content = await response.json();
    if (response.ok) return content;
    const isPassing = response.status === 429 || response.status === 503;
    if (!isPassing || attempt === attempts) {
      throw new Error(
        `Cannot replay: the service responded with ${response.status}, ${content.error}`,
      );
    }
    const seconds = Number(response.headers.get("retry-after") ?? 1);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}
