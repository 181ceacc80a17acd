import type postgres from "postgres";
import { createDispatchBench } from "./support/dispatch_bench.ts";
import { describeMachine } from "./support/machine.ts";
import { print } from "./support/table.ts";
import { ingestEntries } from "../testing/data/ingest.ts";

const segments = 50;
const customers = 2_000;
const batch = 500;

/**
 * Live segments: ingest with and without 50 of them, signals folded per second, and the time from
 * commit to membership at 1,000 events per second. Prints the figures.
 */
export async function run(): Promise<void> {
  print(describeMachine());
  await using bench = await createDispatchBench();
  const { sql } = bench;
  const plain = await bench.addWorkspace();
  const live = await bench.addWorkspace();
  for (const workspaceId of [plain, live]) await store(sql, workspaceId, 20);
  for (let n = 0; n < segments; n++) {
    const condition = { event: `event_${n}`, within: `${1 + n}d`, count: { gte: 1 + n % 3 } };
    const segment = { name: `Segment ${n}`, condition };
    await sql`select private.insert_segment(${live}, ${sql.json(segment)})`;
  }
  await fold(sql);
  const rates: Record<string, number> = {};
  for (const [name, workspaceId] of [["without", plain], ["with", live]] as const) {
    const started = performance.now();
    await store(sql, workspaceId, 60);
    rates[name] = 60 * batch / (performance.now() - started) * 1000;
  }
  const [{ waiting }] = await sql<[{ waiting: number }]>`
    select count(*)::int as waiting from private.signals`;
  const started = performance.now();
  await fold(sql);
  const folded = waiting / (performance.now() - started) * 1000;
  print(
    `Ingest: ${rates.without!.toFixed(0)} events/s without segments, ${rates.with!.toFixed(0)} ` +
      `with ${segments} (${(100 * rates.with! / rates.without!).toFixed(0)} %)`,
  );
  print(`Folded: ${folded.toFixed(0)} signals/s (${waiting} signals)`);
  const delays = (await measureDelays(sql, live)).toSorted((a, b) => a - b);
  print(
    `Commit to membership at 1,000 events/s: p50 ${quantile(delays, 0.5)} ms, ` +
      `p95 ${quantile(delays, 0.95)} ms`,
  );
}

async function fold(sql: postgres.Sql): Promise<void> {
  while (true) {
    const [row] = await sql<{ done: number }[]>`select private.fold_segments() as done`;
    if (row!.done === 0) return;
  }
}

async function store(sql: postgres.Sql, workspaceId: string, batches: number): Promise<void> {
  for (let n = 0; n < batches; n++) await storeBatch(sql, workspaceId, batch);
}

async function storeBatch(sql: postgres.Sql, workspaceId: string, size: number): Promise<void> {
  const pick = (most: number) => Math.floor(Math.random() * most);
  await ingestEntries(
    sql as never,
    Array.from({ length: size }, () => ({
      workspace_id: workspaceId,
      kind: "event" as const,
      external_id: `user-${pick(customers)}`,
      name: `event_${pick(segments)}`,
      properties: { total: pick(100) },
    })),
  );
}

/** Stores 50 events every 50 ms for ten seconds; returns how long each batch waited for its fold. */
async function measureDelays(sql: postgres.Sql, workspaceId: string): Promise<number[]> {
  const delays: number[] = [];
  const pending: { id: number; at: number }[] = [];
  let isOver = false;
  const folding = (async () => {
    while (!isOver || pending.length > 0) {
      await sql`select private.fold_segments()`;
      const [row] = await sql<{ first: number }[]>`
        select coalesce(min(id), 9e15)::float8 as first from private.signals`;
      while (pending.length > 0 && pending[0]!.id < row!.first) {
        delays.push(performance.now() - pending.shift()!.at);
      }
    }
  })();
  const end = performance.now() + 10_000;
  for (let next = performance.now(); next < end; next += 50) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
    await storeBatch(sql, workspaceId, 50);
    const at = performance.now();
    const [row] = await sql<{ last: number }[]>`
      select coalesce(max(id), 0)::float8 as last from private.signals`;
    pending.push({ id: row!.last, at });
  }
  isOver = true;
  await folding;
  return delays;
}

function quantile(sorted: number[], share: number): string {
  return (sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(0);
}
