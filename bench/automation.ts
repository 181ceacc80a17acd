import { parseArgs } from "node:util";
import type postgres from "postgres";
import { measureCampaigns } from "./support/campaigns_bench.ts";
import { measureJourneys } from "./support/journeys_bench.ts";
import { createDispatchBench } from "./support/dispatch_bench.ts";
import { describeMachine } from "./support/machine.ts";
import { readProfile, startProfile } from "./support/profile.ts";
import { quantile } from "./support/quantile.ts";
import { runSends } from "./support/sends.ts";
import { measureBacklog } from "./support/measure_backlog.ts";
import { type HistorySize, insertHistory } from "./support/segments/history.ts";
import { measureTimers } from "./support/segments/timers.ts";
import { formatCount, print } from "./support/table.ts";
import { ingestEntries } from "../testing/data/ingest.ts";
import { createPastPartitions } from "../testing/data/large_workspace.ts";

const segments = 50;
const customers = 2_000;
const batch = 500;
const parts = ["folds", "history", "timers"] as const;
const sizes = {
  small: { customers: 50_000, events: 1_000_000, timers: 200_000 },
  full: { customers: 200_000, events: 20_000_000, timers: 10_000_000 },
};
const previews = [
  { event: "past_1", within: "30d", count: { gte: 3 } },
  { event: "past_2", sum: { property: "total", gte: 500 } },
  { all: [{ field: "country", op: "eq", value: "DE" }, { event: "past_3", count: { eq: 0 } }] },
];

/**
 * Live segments: ingest with and without 50 of them, signals folded per second, the time from commit
 * to membership at 1,000 events per second, the first computation over history, timers, previews.
 * `--full` takes 20 million events and 10 million timers, and half an hour; `--only folds`,
 * `--only history` and `--only timers` run a part. `--events`, `--customers` and `--timers` are sizes.
 * The argument `sends`, `backlog`, `journeys` or `campaigns` measures those instead.
 */
export async function run(args: string[]): Promise<void> {
  if (args[0] === "sends") return await runSends(args.slice(1));
  if (args[0] === "backlog") return await measureBacklog(args.slice(1));
  if (args[0] === "journeys") return await measureJourneys(args.slice(1));
  if (args[0] === "campaigns") return await measureCampaigns(args.slice(1));
  const { values } = parseArgs({
    args,
    options: {
      full: { type: "boolean", default: false },
      only: { type: "string" },
      events: { type: "string" },
      customers: { type: "string" },
      timers: { type: "string" },
    },
  });
  const size = sizes[values.full ? "full" : "small"];
  print(describeMachine());
  for (const part of parts.filter((name) => values.only === undefined || values.only === name)) {
    await using bench = await createDispatchBench();
    if (part === "folds") await measureFolds(bench);
    else if (part === "history") {
      await measureHistory(bench, {
        customers: Number(values.customers ?? size.customers),
        events: Number(values.events ?? size.events),
      });
    } else await printTimers(bench, Number(values.timers ?? size.timers));
  }
}

interface Bench {
  sql: postgres.Sql;
  addWorkspace(): Promise<string>;
}

async function measureFolds({ sql, addWorkspace }: Bench): Promise<void> {
  const plain = await addWorkspace();
  const live = await addWorkspace();
  for (const workspaceId of [plain, live]) await store(sql, workspaceId, 20);
  for (let n = 0; n < segments; n++) {
    const condition = { event: `event_${n}`, within: `${1 + n}d`, count: { gte: 1 + n % 3 } };
    await addSegment(sql, live, condition);
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
  await startProfile(sql);
  const started = performance.now();
  await fold(sql);
  const folded = waiting / (performance.now() - started) * 1000;
  print(
    `Ingest: ${rates.without!.toFixed(0)} events/s without segments, ${rates.with!.toFixed(0)} ` +
      `with ${segments} (${(100 * rates.with! / rates.without!).toFixed(0)} %)`,
  );
  print(`Folded: ${folded.toFixed(0)} signals/s (${waiting} signals)`);
  print(`Time of the fold: ${await readProfile(sql)}`);
  const delays = await measureDelays(sql, live);
  print(
    `Commit to membership at 1,000 events/s: p50 ${quantile(delays, 0.5).toFixed(0)} ms, ` +
      `p95 ${quantile(delays, 0.95).toFixed(0)} ms`,
  );
}

/** Computes a segment over history while ingest runs, and previews conditions. */
async function measureHistory({ sql, addWorkspace }: Bench, size: HistorySize): Promise<void> {
  const workspaceId = await addWorkspace();
  await createPastPartitions(sql);
  await insertHistory(sql, workspaceId, size);
  const of = `${formatCount(size.events)} events, ${formatCount(size.customers)} customers`;
  let isOver = false;
  const ingest = async (until: () => boolean) => {
    const started = performance.now();
    let stored = 0;
    for (; !until(); stored += batch) await storeBatch(sql, workspaceId, batch);
    return stored / (performance.now() - started) * 1000;
  };
  const end = performance.now() + 5_000;
  const alone = await ingest(() => performance.now() > end);
  await addSegment(sql, workspaceId, { event: "past_0", within: "45d", count: { gte: 3 } });
  const started = performance.now();
  const [beside] = await Promise.all([
    ingest(() => isOver),
    fold(sql).then(() => isOver = true),
  ]);
  const seconds = (performance.now() - started) / 1000;
  print(
    `First computation over ${of}: ${seconds.toFixed(1)} s, ` +
      `ingest meanwhile ${(100 * beside / alone).toFixed(0)} %`,
  );
  for (const condition of previews) {
    const from = performance.now();
    const [row] = await sql<{ found: { count: number; is_exact: boolean } }[]>`
      select private.measure_condition(${workspaceId}, ${sql.json(condition)}, now()) as found`;
    const { count, is_exact } = row!.found;
    print(
      `Preview at ${formatCount(size.customers)} customers: ${
        (performance.now() - from).toFixed(0)
      } ms, ${formatCount(count)} ${is_exact ? "exactly" : "estimated"}`,
    );
  }
}

async function printTimers({ sql, addWorkspace }: Bench, pending: number): Promise<void> {
  const perSecond = 2_000;
  const workspaceId = await addWorkspace();
  const { idleMs, fired, early, lateness } = await measureTimers(sql, workspaceId, {
    pending,
    perSecond,
  });
  print(`Idle fold with ${formatCount(pending)} timers pending: ${idleMs.toFixed(2)} ms`);
  print(
    `Timers, ${formatCount(perSecond)}/s due: ${formatCount(fired)} fired, ${early} early, ` +
      `late by p50 ${quantile(lateness, 0.5).toFixed(0)} ms, p99 ${
        quantile(lateness, 0.99).toFixed(0)
      } ms`,
  );
}

async function addSegment(
  sql: postgres.Sql,
  workspaceId: string,
  condition: Record<string, unknown>,
): Promise<void> {
  const segment = { name: "Some", condition };
  await sql`select private.insert_segment(${workspaceId}, ${sql.json(segment as never)})`;
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
