// Requests at a steady rate, whether or not responses come, as many visitors send them.
import { writeBulk, writeEntry } from "./entries.ts";
import type { HttpTarget } from "./http_connection.ts";
import { HttpPool } from "./http_pool.ts";

/** Load to send, given as JSON in the first argument. */
export interface OverloadLoad extends HttpTarget {
  /** Requests per second; null: each connection sends the next when it has its response. */
  perSecond: number | null;
  seconds: number;
  /** Entries in a request; 1 is a single call. */
  size: number;
  /** Most requests that wait for their response; those beyond it are not sent, and counted. */
  connections: number;
}

/** Result of the load, printed as JSON. */
export interface OverloadResult {
  seconds: number;
  /** Time from sending to the whole response in ms, of requests that were stored. */
  admitted: number[];
  /** The same for refused requests. */
  refused: number[];
  /** Number of responses by status; 0 for a lost connection. */
  statuses: Record<string, number>;
  /** Refusals with `Retry-After`. */
  withRetryAfter: number;
  /** Requests that could not be sent, because too many waited. */
  unsent: number;
}

const tickMs = 5;
const refusals = [429, 503];

if (import.meta.main) {
  const result = await generate(JSON.parse(Deno.args[0] ?? ""));
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(result)));
}

async function generate(load: OverloadLoad): Promise<OverloadResult> {
  using pool = new HttpPool(load, load.connections);
  const result: OverloadResult = {
    seconds: 0,
    admitted: [],
    refused: [],
    statuses: {},
    withRetryAfter: 0,
    unsent: 0,
  };
  const run = crypto.randomUUID().slice(0, 8);
  const entries = { hasKeys: true, customers: 1_000, run };
  let sent = 0;
  let waiting = 0;
  const sendNext = async () => {
    const n = sent++;
    const body = load.size === 1
      ? writeEntry(entries, n)
      : writeBulk(entries, n * load.size, load.size);
    waiting++;
    await send({ pool, body, result });
    waiting--;
  };
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1000;
  const under: Promise<void>[] = [];
  if (load.perSecond === null) {
    under.push(...Array.from({ length: load.connections }, async () => {
      while (elapsed() < load.seconds) await sendNext();
    }));
  } else {
    while (elapsed() < load.seconds) {
      const due = Math.floor(elapsed() * load.perSecond) - sent - result.unsent;
      for (let n = 0; n < due; n++) {
        if (waiting < load.connections) void sendNext();
        else result.unsent++;
      }
      await new Promise((resolve) => setTimeout(resolve, tickMs));
    }
  }
  await Promise.all(under);
  result.seconds = elapsed();
  while (waiting > 0) await new Promise((resolve) => setTimeout(resolve, tickMs));
  return result;
}

interface Sending {
  pool: HttpPool;
  body: string;
  result: OverloadResult;
}

async function send({ pool, body, result }: Sending): Promise<void> {
  const sentAt = performance.now();
  const { status, head } = await pool.post(body, (response) => response)
    .catch(() => ({ status: 0, head: "" }));
  result.statuses[status] = (result.statuses[status] ?? 0) + 1;
  const took = performance.now() - sentAt;
  if (status === 200) result.admitted.push(took);
  if (!refusals.includes(status)) return;
  result.refused.push(took);
  if (/^retry-after:/im.test(head)) result.withRetryAfter++;
}
