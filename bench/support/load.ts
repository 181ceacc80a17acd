// The load generator runs in a process of its own, so that it never waits for what it measures.
import { type EntryOptions, writeBulk, writeEntry } from "./entries.ts";
import { HttpConnection, type HttpTarget } from "./http_connection.ts";
import { quantile } from "./quantile.ts";

/** Load to send, given as JSON in the first argument. */
export interface Load extends HttpTarget {
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

/** Sends the next request of each connection when the last one is answered. */
async function generateLoad(load: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  let failed = 0;
  let sent = 0;
  const writeBody = () => {
    if (load.size === 0) return null;
    if (load.size === 1) return writeEntry(load.entries, sent++);
    return writeBulk(load.entries, (sent += load.size) - load.size, load.size);
  };
  const startedAt = performance.now();
  const endsAt = startedAt + load.seconds * 1000;
  await Promise.all(Array.from({ length: load.connections }, async () => {
    using connection = new HttpConnection(load);
    while (performance.now() < endsAt) {
      const body = writeBody();
      const sentAt = performance.now();
      const status = await connection.send(body).then((response) => response.status, () => 0);
      if (status >= 200 && status < 300) latencies.push(performance.now() - sentAt);
      else failed++;
    }
  }));
  return {
    requests: latencies.length,
    seconds: (performance.now() - startedAt) / 1000,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    failed,
  };
}
