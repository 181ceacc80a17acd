// The ordinary tenant, in a process of its own: calls at a steady rate.
import type { Arrival } from "./dispatch_receiver.ts";

/** Load to send, given as JSON in the first argument. */
export interface NeighbourLoad {
  /** Address of each function, by its name. */
  urls: Record<string, string>;
  apiKey: string;
  /** Address of the receiver that deliveries arrive at. */
  receiver: string;
  seconds: number;
}

/** Latencies in ms, printed as JSON. */
export interface NeighbourResult {
  /** From when a call was due to its response. */
  track: number[];
  api: number[];
  /** From when the event was due to its arrival at the destination. */
  delivery: number[];
}

const trackPerSecond = 40;
const apiPerSecond = 10;
const patienceMs = 15_000;
const reads = ["/customers?limit=20", "/events?limit=20", "/deliveries?limit=20", "/destinations"];

if (import.meta.main) {
  const result = await generate(JSON.parse(Deno.args[0] ?? ""));
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(result)));
}

async function generate(load: NeighbourLoad): Promise<NeighbourResult> {
  const { urls, apiKey, receiver, seconds } = load;
  const run = crypto.randomUUID().slice(0, 8);
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const dueAt = new Map<string, number>();
  // Discard the arrivals of an earlier run.
  await takeArrivals(receiver);
  const [track, api] = await Promise.all([
    pace(trackPerSecond, seconds, async (n, due) => {
      const response = await fetch(urls.track!, {
        method: "POST",
        headers,
        body: JSON.stringify({
          external_id: `${run}-${n % 100}`,
          name: n % 2 === 0 ? "order_created" : "page_view",
          properties: { total: 42 },
        }),
      });
      const { event_id } = await response.json();
      if (!response.ok) throw new Error(`Cannot measure: track responded with ${response.status}`);
      if (n % 2 === 0) dueAt.set(event_id, due);
    }),
    pace(apiPerSecond, seconds, async (n) => {
      const response = await fetch(`${urls.api}${reads[n % reads.length]}`, { headers });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`Cannot measure: api responded with ${response.status}`);
    }),
  ]);
  return { track, api, delivery: await collectDeliveries(receiver, dueAt) };
}

/** Starts a call whenever one is due; their latencies, from when they were due. */
async function pace(
  perSecond: number,
  seconds: number,
  call: (n: number, due: number) => Promise<void>,
): Promise<number[]> {
  const startedAt = now();
  const calls: Promise<number>[] = [];
  for (let n = 0; n < perSecond * seconds; n++) {
    const due = startedAt + n * 1000 / perSecond;
    const wait = due - now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    calls.push(call(n, due).then(() => now() - due));
  }
  return await Promise.all(calls);
}

async function collectDeliveries(receiver: string, dueAt: Map<string, number>): Promise<number[]> {
  const latencies: number[] = [];
  const until = now() + patienceMs;
  while (latencies.length < dueAt.size && now() < until) {
    for (const [id, at] of await takeArrivals(receiver)) {
      const due = dueAt.get(id);
      if (due !== undefined) latencies.push(at - due);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  // Requests that have not arrived by now count with the maximum.
  while (latencies.length < dueAt.size) latencies.push(patienceMs);
  return latencies;
}

async function takeArrivals(receiver: string): Promise<Arrival[]> {
  return await (await fetch(`${receiver}/arrivals`)).json();
}

/** Milliseconds since the epoch, comparable with the receiver's. */
function now(): number {
  return performance.timeOrigin + performance.now();
}
