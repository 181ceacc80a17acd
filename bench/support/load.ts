// The load generator runs in a process of its own, so that it never waits for what it measures.
// @ts-types="@types/autocannon"
import autocannon from "autocannon";
import { type EntryOptions, writeBulk, writeEntry } from "./entries.ts";

/** Load to send, given as JSON in the first argument. */
export interface Load {
  url: string;
  apiKey: string;
  connections: number;
  seconds: number;
  /** Entries in a request; 1 is a single call, 0 a GET. */
  size: number;
  entries: EntryOptions;
}

/** Result of the load, printed as JSON. */
export interface LoadResult {
  requests: number;
  seconds: number;
  p50: number;
  p99: number;
  /** Requests without a 2xx response. */
  failed: number;
}

if (import.meta.main) {
  const result = await generateLoad(JSON.parse(Deno.args[0] ?? ""));
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(result)));
}

async function generateLoad(load: Load): Promise<LoadResult> {
  let sent = 0;
  const writeBody = load.size === 1
    ? () => writeEntry(load.entries, sent++)
    : () => writeBulk(load.entries, (sent += load.size) - load.size, load.size);
  const post = {
    method: "POST",
    setupRequest: (request: autocannon.Request) => ({ ...request, body: writeBody() }),
  } as const;
  const result = await autocannon({
    url: load.url,
    connections: load.connections,
    duration: load.seconds,
    timeout: 30,
    requests: [{
      headers: {
        authorization: `Bearer ${load.apiKey}`,
        "content-type": "application/json",
      },
      ...load.size > 0 && post,
    }],
  });
  return {
    requests: result["2xx"],
    seconds: result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors,
  };
}
