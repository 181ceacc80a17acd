import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import postgres from "postgres";
import { startTestStack, type TestStack } from "../testing/service/stack.ts";
import type { EntryOptions } from "./support/entries.ts";
import type { LoadResult } from "./support/load.ts";
import { describeMachine } from "./support/machine.ts";
import { runScript } from "./support/processes.ts";
import { formatCount, print, printRow } from "./support/table.ts";

/** One line of the table. */
interface Scenario {
  size: number;
  connections: number;
  hasKeys: boolean;
  customers: number | null;
}

interface Bench {
  stack: TestStack;
  sql: postgres.Sql;
  seconds: number;
  /** Rows a second of plain inserts, once measured. */
  limit: number;
}

const knownCustomers = 1000;
const warmUpSeconds = 3;
const bulk = 500;
const settleMs = 500;
const widths = [34, 12, 8, 8, 9];

const scenarios: Scenario[] = [
  ...[1, 16, 64].map((connections) => ({ size: 1, connections })),
  ...[1, 4].map((connections) => ({ size: bulk, connections })),
].flatMap((shape) =>
  [true, false].flatMap((hasKeys) => [
    { ...shape, hasKeys, customers: knownCustomers },
    { ...shape, hasKeys, customers: null },
  ])
);

/**
 * Drives `POST /track` of a service of its own over HTTP, with keys, limits, idempotency and
 * identities as in production, and compares with plain inserts of the same rows.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { seconds: { type: "string", default: "5" } } });
  print(describeMachine());
  await using stack = await startTestStack();
  const sql = postgres(stack.info.db_url, { max: 1, fetch_types: false });
  try {
    const bench: Bench = { stack, sql, seconds: Number(values.seconds), limit: 0 };
    await raiseQuota(bench);
    await runLoad(bench, { size: bulk, connections: 1, hasKeys: true, customers: 1000 }, {
      seconds: warmUpSeconds,
    });
    printRow(["", "entries/s", "p50 ms", "p99 ms", "of limit"], widths);
    for (const connections of [1, 4]) await measureLimit(bench, connections);
    for (const scenario of scenarios) await measure(bench, scenario);
  } finally {
    await sql.end();
  }
}

/** The limiter does all of its work, but its quota does not limit the result. */
async function raiseQuota({ sql, stack }: Bench): Promise<void> {
  await sql`
    insert into public.plans (id, ingest_per_second, ingest_burst, api_per_second, api_burst)
    values ('bench', 10000000, 10000000, 1000, 1000)`;
  await sql`
    update public.workspaces set plan_id = 'bench' where id = ${stack.info.workspace_id}`;
}

async function measureLimit(bench: Bench, connections: number): Promise<void> {
  const { info } = bench.stack;
  const result = await runScript<LoadResult>("raw_load.ts", {
    url: info.db_url,
    workspaceId: info.workspace_id,
    connections,
    seconds: bench.seconds,
    size: bulk,
    entries: { hasKeys: false, customers: knownCustomers, run: "raw" },
  });
  bench.limit = Math.max(bench.limit, result.requests * bulk / result.seconds);
  const name = `plain inserts of ${bulk} rows, ${connections} conn.`;
  printResult(bench, name, { result, size: bulk });
}

async function measure(bench: Bench, scenario: Scenario): Promise<void> {
  const { size, connections, hasKeys, customers } = scenario;
  const before = await countEvents(bench);
  const result = await runLoad(bench, scenario, bench);
  // Requests in progress at the end are stored, although nobody waits for their responses.
  const stored = await countSettledEvents(bench) - before;
  const acknowledged = result.requests * size;
  if (result.failed > 0 || stored < acknowledged || stored > acknowledged + connections * size) {
    throw new Error(
      `Cannot trust the run: ${acknowledged} entries were acknowledged, ${stored} stored, ` +
        `${result.failed} requests failed`,
    );
  }
  const name = `${size === 1 ? "single" : `bulk of ${size}`}, ${connections} conn., ` +
    `${hasKeys ? "key" : "no key"}, ${customers === null ? "new" : "known"}`;
  printResult(bench, name, { result, size });
}

async function runLoad(
  { stack }: Bench,
  { size, connections, hasKeys, customers }: Scenario,
  { seconds }: { seconds: number },
): Promise<LoadResult> {
  const entries: EntryOptions = { hasKeys, customers, run: crypto.randomUUID().slice(0, 8) };
  return await runScript("load.ts", {
    url: `${stack.info.base_url}/functions/v1/track`,
    apiKey: stack.info.api_key,
    connections,
    seconds,
    size,
    entries,
  });
}

async function countEvents({ sql, stack }: Bench): Promise<number> {
  const [row] = await sql<[{ events: number }]>`
    select count(*)::integer as events from public.events
    where workspace_id = ${stack.info.workspace_id}`;
  return row.events;
}

/** Waits until nothing more arrives, so that each scenario counts only its own requests. */
async function countSettledEvents(bench: Bench): Promise<number> {
  let last = -1;
  let events = await countEvents(bench);
  while (events !== last) {
    await delay(settleMs);
    last = events;
    events = await countEvents(bench);
  }
  return events;
}

function printResult(
  { limit }: Bench,
  name: string,
  { result, size }: { result: LoadResult; size: number },
): void {
  const perSecond = result.requests * size / result.seconds;
  const share = `${Math.round(100 * perSecond / limit)} %`;
  printRow(
    [name, formatCount(perSecond), result.p50.toFixed(0), result.p99.toFixed(0), share],
    widths,
  );
}
