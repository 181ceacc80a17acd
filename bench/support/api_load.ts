// Single calls of POST /track at a steady rate. Runs in a separate process, so that the service cannot
// delay it.
import { Buffer } from "node:buffer";
import { Agent, request } from "node:http";
import { context, properties } from "./entries.ts";

/** Calls to make, given as JSON in the first argument. */
export interface ApiLoad {
  /** Address of `POST /track`. */
  url: string;
  apiKey: string;
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

if (import.meta.main) {
  const result = await makeCalls(JSON.parse(Deno.args[0] ?? ""));
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(result)));
  Deno.exit(0);
}

async function makeCalls(load: ApiLoad): Promise<ApiLoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const result: ApiLoadResult = { answered: [], failed: 0 };
  let open = 0;

  async function call(n: number): Promise<void> {
    open++;
    try {
      const { text, at } = await send(load, agent, writeEvent(load, n));
      result.answered.push([JSON.parse(text).event_id, at]);
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

/** Sends one call; resolves with the text of its response and the time at which it began. */
function send(
  { url, apiKey }: ApiLoad,
  agent: Agent,
  body: string,
): Promise<{ text: string; at: number }> {
  const headers = {
    "authorization": `Bearer ${apiKey}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", agent, headers }, (response) => {
      const at = performance.timeOrigin + performance.now();
      const parts: string[] = [];
      response.setEncoding("utf8");
      response.on("data", (part) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const text = parts.join("");
        if (response.statusCode === 200) resolve({ text, at });
        else reject(new Error(`Cannot store an event: ${text}`));
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

function writeEvent({ names }: ApiLoad, n: number): string {
  return JSON.stringify({
    external_id: `customer-${n % customers}`,
    name: names[n % names.length],
    properties,
    context,
  });
}
