import { parseArgs } from "node:util";
import { createPlan, createWorkspace } from "../testing/data/factories.ts";
import { createPastPartitions } from "../testing/data/large_workspace.ts";
import { createTestDatabase, type TestDatabase } from "../testing/postgres/database.ts";
import { startBenchCluster } from "./support/bench_cluster.ts";
import { addHistory, addWaiting } from "./support/growth/growth_data.ts";
import { createMeasuredWorld, type Measure } from "./support/growth/measured_world.ts";
import {
  listOperations,
  listQueueOperations,
  type Operation,
} from "./support/growth/operations.ts";
import { describeMachine } from "./support/machine.ts";
import { median } from "./support/quantile.ts";
import { formatCount, print, printMarkdown } from "./support/table.ts";

/** One workspace that grows, and how it is measured. */
interface Bench {
  db: TestDatabase;
  workspaceId: string;
  repetitions: number;
  /** Sum of what was measured, by operation and measure, at each size. */
  results: Map<string, Result>;
}

type Result = Record<Measure, number[]> & { isBounded: boolean };

const eventSizes = [10_000, 1_000_000];
const fullEventSize = 20_000_000;
const queueSizes = [10_000, 100_000, 1_000_000];
/** Unmeasured first: a new connection reads the catalog, and plans each statement. */
const warmUp = 7;
const limit = 1.2;

/**
 * The cost of each operation on a workspace that grows: pages of the buffer cache that its
 * statements touch, which do not depend on the machine's load, and time. Fails if an operation
 * touches over 20 % more pages at the largest size than at the smallest and takes over 20 % longer.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      full: { type: "boolean", default: false },
      events: { type: "string" },
      waiting: { type: "string" },
      repetitions: { type: "string", default: "20" },
    },
  });
  const sizes = values.events?.split(",").map(Number) ??
    [...eventSizes, ...values.full ? [fullEventSize] : []];
  const waiting = values.waiting?.split(",").map(Number) ?? queueSizes;
  print(describeMachine());
  await using _cluster = await startBenchCluster();
  const repetitions = Number(values.repetitions);
  const grown = [
    ...await measureEvents(sizes, repetitions),
    ...await measureQueue(waiting, repetitions),
  ];
  if (grown.length > 0) throw new Error(`Over 20 % more pages and time: ${grown.join("; ")}`);
}

async function measureEvents(sizes: readonly number[], repetitions: number): Promise<string[]> {
  await using db = await createTestDatabase();
  const bench = await createBench(db, repetitions);
  for (const [i, to] of sizes.entries()) {
    const startedAt = performance.now();
    await addHistory(db.sql, { workspaceId: bench.workspaceId, from: sizes[i - 1] ?? 0, to });
    // Claims need some messages that wait, at each size as many.
    if (i === 0) await addWaiting(db.sql, { workspaceId: bench.workspaceId, from: 0, to: 1_000 });
    const seconds = formatCount((performance.now() - startedAt) / 1000);
    await writeToDisk();
    const bytes = formatCount(await readEventBytes(db) / to);
    print(`${formatCount(to)} events exist after ${seconds} s, ${bytes} bytes each with indexes`);
    await measureAll(bench, listOperations(to));
  }
  return printReport(bench, { sizes, unit: "events" });
}

/** Lets the system write what was loaded: later, it would do so while something is measured. */
async function writeToDisk(): Promise<void> {
  await new Deno.Command("sync").output();
}

/** Size of all events with their indexes. */
async function readEventBytes({ sql }: TestDatabase): Promise<number> {
  const [row] = await sql`
    select sum(pg_total_relation_size(i.inhrelid))::float8 as bytes
    from pg_inherits as i where i.inhparent = 'public.events'::regclass`;
  return row!.bytes;
}

async function measureQueue(sizes: readonly number[], repetitions: number): Promise<string[]> {
  await using db = await createTestDatabase();
  const bench = await createBench(db, repetitions);
  await addHistory(db.sql, { workspaceId: bench.workspaceId, from: 0, to: 10_000 });
  for (const [i, to] of sizes.entries()) {
    await addWaiting(db.sql, { workspaceId: bench.workspaceId, from: sizes[i - 1] ?? 0, to });
    await writeToDisk();
    await measureAll(bench, listQueueOperations());
  }
  return printReport(bench, { sizes, unit: "waiting messages" });
}

async function createBench(db: TestDatabase, repetitions: number): Promise<Bench> {
  await createPastPartitions(db.sql);
  const planId = await createPlan(db.sql, {
    ingestPerSecond: 1e7,
    ingestBurst: 1e7,
    apiPerSecond: 1e5,
  });
  const workspaceId = await createWorkspace(db.sql, { planId });
  return { db, workspaceId, repetitions, results: new Map() };
}

async function measureAll(bench: Bench, operations: readonly Operation[]): Promise<void> {
  for (const measure of ["time", "buffers"] as const) {
    await using world = await createMeasuredWorld({ ...bench, measure });
    for (const operation of operations) {
      const { name, prepare, repetitions = bench.repetitions, isBounded = false } = operation;
      const values: number[] = [];
      for (let n = -Math.min(warmUp, repetitions); n < repetitions; n++) {
        const work = await prepare(world, n + warmUp);
        const value = await world.measure(work);
        if (n >= 0) values.push(value);
      }
      const kept = bench.results.get(name) ?? { time: [], buffers: [], isBounded };
      kept[measure].push(median(values));
      bench.results.set(name, kept);
    }
  }
}

/** Prints the table; returns the operations that grew. */
function printReport(
  { results }: Bench,
  { sizes, unit }: { sizes: readonly number[]; unit: string },
): string[] {
  const heading = (measure: string) => sizes.map((size) => `${measure} at ${formatCount(size)}`);
  print(`\n${unit}`);
  printMarkdown(
    ["", ...heading("pages"), "ratio", ...heading("ms"), "ratio"],
    [...results].map(([name, { time, buffers }]) => [
      name,
      ...buffers.map(formatCount),
      ratioOf(buffers).toFixed(2),
      ...time.map((ms) => ms.toFixed(1)),
      ratioOf(time).toFixed(2),
    ]),
  );
  return [...results].flatMap(([name, { time, buffers, isBounded }]) => {
    const ratios = [buffers, time].map(ratioOf);
    const hasGrown = !isBounded && ratios.every((ratio) => ratio > limit);
    return hasGrown ? [`${name} × ${ratios.map((ratio) => ratio.toFixed(2)).join(" and ")}`] : [];
  });
}

function ratioOf(values: readonly number[]): number {
  return values.at(-1)! / values[0]!;
}
