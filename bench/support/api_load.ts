// Single calls of POST /track at a steady rate. Runs in a separate process, so that the service cannot
// delay it.
import { context, properties } from "./entries.ts";
import type { HttpTarget } from "./http_connection.ts";
import { HttpPool } from "./http_pool.ts";

/** Calls of `POST /track` to make, given as JSON in the first argument. */
export interface ApiLoad extends HttpTarget {
  perSecond: number;
  seconds: number;
  /** Names of the events, which take turns. */
  names: readonly string[];
  connections: number;
}

/** Result of the calls, printed as JSON. */
export interface ApiLoadResult {
  /** Ids of the events, and when their responses arrived, in milliseconds since the epoch. */
  answered: [eventId: string, at: number][];
  failed: number;
}

const tickMs = 2;
const customers = 1_000;
// With more waiting than this the service does not keep up, and the rest is not sent.
const maxOpen = 2_000;
const tail = `"properties":${JSON.stringify(properties)},"context":${JSON.stringify(context)}}`;

if (import.meta.main) {
  const result = await makeCalls(JSON.parse(Deno.args[0] ?? ""));
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(result)));
  Deno.exit(0);
}

async function makeCalls(load: ApiLoad): Promise<ApiLoadResult> {
  using pool = new HttpPool(load, load.connections);
  const result: ApiLoadResult = { answered: [], failed: 0 };
  let open = 0;

  async function call(n: number): Promise<void> {
    open++;
    try {
      const answer = await pool.post(writeEvent(load, n), ({ status, at, text }) => {
        if (status !== 200) throw new Error(`Cannot store an event: ${text()}`);
        return { text: text(), at: performance.timeOrigin + at };
      });
      result.answered.push([JSON.parse(answer.text).event_id, answer.at]);
    } catch {
      result.failed++;
    } finally {
      open--;
    }
  }

  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1000;
  let sent = 0;
  while (elapsed() < load.seconds) {
    const due = Math.floor(elapsed() * load.perSecond) + 1;
    for (; sent < due && open < maxOpen; sent++) void call(sent);
    await new Promise((resolve) => setTimeout(resolve, tickMs));
  }
  while (open > 0) await new Promise((resolve) => setTimeout(resolve, tickMs));
  return result;
}

function writeEvent({ names }: ApiLoad, n: number): string {
  return `{"external_id":"customer-${n % customers}","name":"${names[n % names.length]}",${tail}`;
}
