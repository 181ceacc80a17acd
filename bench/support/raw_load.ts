// The limit to compare with: the same rows written by plain multi-row inserts, from a process of
// its own, with no keys, identities, validation or HTTP.
import postgres from "postgres";
import { context, customerId, type EntryOptions, properties } from "./entries.ts";
import type { LoadResult } from "./load.ts";
import { quantile } from "./quantile.ts";

/** Rows to insert, given as JSON in the first argument. */
export interface RawLoad {
  url: string;
  workspaceId: string;
  connections: number;
  seconds: number;
  /** Rows in a statement. */
  size: number;
  entries: EntryOptions;
}

if (import.meta.main) {
  const result = await insertRows(JSON.parse(Deno.args[0] ?? ""));
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(result)));
}

async function insertRows(load: RawLoad): Promise<LoadResult> {
  const sql = postgres(load.url, { max: load.connections, fetch_types: false });
  const latencies: number[] = [];
  let written = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + load.seconds * 1000;
  await Promise.all(Array.from({ length: load.connections }, async () => {
    while (performance.now() < endsAt) {
      const rows = Array.from({ length: load.size }, () => createRow(load, written++));
      const sentAt = performance.now();
      await sql`insert into public.events ${sql(rows)}`;
      latencies.push(performance.now() - sentAt);
    }
  }));
  const seconds = (performance.now() - startedAt) / 1000;
  await sql.end();
  return {
    requests: latencies.length,
    seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    failed: 0,
  };
}

function createRow(load: RawLoad, n: number) {
  const now = new Date();
  return {
    workspace_id: load.workspaceId,
    id: crypto.randomUUID(),
    identity_id: n % 1000 + 1,
    external_id: customerId(load.entries, n),
    name: "product_view",
    occurred_at: now,
    received_at: now,
    properties,
    context,
  };
}
