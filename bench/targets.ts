import { parseArgs } from "node:util";
import { startDebianPostgres } from "../testing/postgres/debian_postgres.ts";
import { type ApiBench, createApiBench, latenciesOf, rateOf } from "./support/api_bench.ts";
import { idleParts } from "./support/idle_parts.ts";
import type { LoadResult } from "./support/load.ts";
import { describeMachine } from "./support/machine.ts";
import { runScript } from "./support/processes.ts";
import { median, quantile } from "./support/quantile.ts";
import { formatCount, print, printMarkdown } from "./support/table.ts";

interface Server {
  name: string;
  /** Starts the service on it. */
  start(cleanup: AsyncDisposableStack): Promise<ApiBench>;
}

/** Load of one figure. */
interface Shape {
  size: number;
  connections: number;
  isNew: boolean;
}

/** Entries per second of each load. */
interface Rates {
  /** Of plain inserts. */
  limit: number;
  singles: number;
  knownBulks: number;
  newBulks: number;
  /** Of single calls, in ms. */
  p99: number;
}

/** A figure and what it should be. */
interface Figure {
  name: string;
  target: string;
  text: string;
}

const servers: readonly Server[] = [
  { name: "15, jit on", start: (cleanup) => startOnDebian(cleanup, "jit = on") },
  { name: "15, jit off", start: (cleanup) => startOnDebian(cleanup, "jit = off") },
  { name: "17", start: async (cleanup) => cleanup.use(await createApiBench()) },
];
const bulk = 500;
const rounds = 2;
/** Rounds of plain inserts, single calls and bulks. */
const rateRounds = 3;
const idleCount = 20;
const matching = Array.from({ length: 20 }, (_, i) => `event_${i}`);
/** More than can be delivered. */
const deliveriesPerSecond = 4_500;
/** The largest rate varies from one run to the next; the median counts. */
const deliveryRuns = 3;
const lowPerSecond = 50;
const single = { size: 1, connections: 64 };
const bulks = { size: bulk, connections: 4 };

/**
 * Compares ingest and deliveries with their targets, on Debian's Postgres 15 with and without `jit`
 * and on the embedded one: as shares of plain inserts, and as ratios of loads that take turns.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { seconds: { type: "string", default: "5" }, only: { type: "string" } },
  });
  print(describeMachine());
  const chosen = servers.filter(({ name }) => values.only === undefined || name === values.only);
  const columns: Figure[][] = [];
  for (const { start } of chosen) {
    await using cleanup = new AsyncDisposableStack();
    columns.push(await measureServer(await start(cleanup), Number(values.seconds)));
  }
  const [first = []] = columns;
  printMarkdown(
    ["", "target", ...chosen.map(({ name }) => name)],
    first.map(({ name, target }, row) => [name, target, ...columns.map((c) => c[row]!.text)]),
  );
}

async function startOnDebian(cleanup: AsyncDisposableStack, jit: string): Promise<ApiBench> {
  const server = cleanup.use(await startDebianPostgres({ settings: [jit], durable: true }));
  return cleanup.use(await createApiBench(server.url));
}

async function measureServer(bench: ApiBench, seconds: number): Promise<Figure[]> {
  const load = (shape: Shape) => sendLoad(bench, shape, seconds);
  const known = () => load({ ...single, isNew: false });
  const created = () => load({ ...single, isNew: true });
  await sendLoad(bench, { ...bulks, isNew: false }, 3);
  // Before the first analyze: the database has just been created.
  const fresh = await takeTurns(created, known);
  const { limit, singles, knownBulks, newBulks, p99 } = await measureRates(bench, seconds);
  const idle = await measureIdle(bench, (shape) => load({ ...shape, isNew: true }));
  return [
    figure("plain inserts of 500 rows", "", `${formatCount(limit)}/s`),
    figure("single, 64 conn., key, known", "8,000/s", `${formatCount(singles)}/s`),
    figure("the same, of plain inserts", "", share(singles / limit)),
    figure("the same, p99", "25 ms", `${p99.toFixed(0)} ms`),
    figure("new people, of known, before analyze", "0.90", share(fresh)),
    figure("bulk of 500, key, known, of plain", "0.75", share(knownBulks / limit)),
    figure("bulk of 500, key, new, of plain", "0.60", share(newBulks / limit)),
    ...idle,
    ...await measureDeliveries(bench, seconds),
  ];
}

/** Measures with 20 of each idle part, in turns with none. */
async function measureIdle(
  bench: ApiBench,
  load: (shape: Pick<Shape, "size" | "connections">) => Promise<LoadResult>,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { name, add, remove } of idleParts) {
    for (const [kind, shape] of [["single", single], ["bulk of 500", bulks]] as const) {
      const ratio = await takeTurns(async () => {
        await add(bench, idleCount);
        const result = await load(shape);
        await remove(bench, idleCount);
        return result;
      }, () => load(shape));
      figures.push(
        figure(`${kind}, new, ${idleCount} idle ${name}, of none`, "0.90", share(ratio)),
      );
    }
  }
  return figures;
}

async function measureDeliveries(bench: ApiBench, seconds: number): Promise<Figure[]> {
  for (const eventType of matching) await bench.addDestination({ eventType });
  const load = { names: matching, connections: 64 };
  await bench.measure({ ...load, perSecond: 500, seconds: 2 });
  const low = latenciesOf(await bench.measure({ ...load, perSecond: lowPerSecond, seconds }));
  const rates: number[] = [];
  for (let run = 0; run < deliveryRuns; run++) {
    rates.push(rateOf(await bench.measure({ ...load, perSecond: deliveriesPerSecond, seconds })));
  }
  const at = (rank: number) => `${quantile(low, rank).toFixed(1)} ms`;
  return [
    figure("response to arrival at 50/s, p50", "", at(0.5)),
    figure("response to arrival at 50/s, p95", "5 ms", at(0.95)),
    figure("deliveries through the API", "3,000/s", `${formatCount(median(rates))}/s`),
  ];
}

/**
 * Measures plain inserts, single calls and bulks in turns, so that a slower minute of the machine
 * slows all of them: entries per second of each, and the p99 of the single calls in ms.
 */
async function measureRates(bench: ApiBench, seconds: number): Promise<Rates> {
  const load = (shape: Shape) => sendLoad(bench, shape, seconds);
  const sums = { limit: 0, singles: 0, knownBulks: 0, newBulks: 0 };
  const tails: number[] = [];
  for (let round = 0; round < rateRounds; round++) {
    sums.limit += perSecond(await insertRows(bench, seconds), bulk);
    const singles = await load({ ...single, isNew: false });
    sums.singles += perSecond(singles, 1);
    tails.push(singles.p99);
    sums.knownBulks += perSecond(await load({ ...bulks, isNew: false }), bulk);
    sums.newBulks += perSecond(await load({ ...bulks, isNew: true }), bulk);
  }
  const mean = (sum: number) => sum / rateRounds;
  return {
    limit: mean(sums.limit),
    singles: mean(sums.singles),
    knownBulks: mean(sums.knownBulks),
    newBulks: mean(sums.newBulks),
    p99: median(tails),
  };
}

/** Plain inserts over as many connections as the bulks. */
async function insertRows({ sql, workspaceId }: ApiBench, seconds: number): Promise<LoadResult> {
  const { host, port, pass } = sql.options;
  const url = `postgresql://postgres:${pass}@${host[0]}:${port[0]}/postgres`;
  const entries = { hasKeys: false, customers: 1_000, run: "raw" };
  const { connections } = bulks;
  return await runScript<LoadResult>("raw_load.ts", {
    url,
    workspaceId,
    connections,
    seconds,
    size: bulk,
    entries,
  });
}

async function sendLoad(
  { track }: ApiBench,
  { size, connections, isNew }: Shape,
  seconds: number,
): Promise<LoadResult> {
  const run = crypto.randomUUID().slice(0, 8);
  const entries = { hasKeys: true, customers: isNew ? null : 1_000, run };
  const options = { ...track, connections, seconds, size, entries };
  const result = await runScript<LoadResult>("load.ts", options);
  if (result.failed > 0) throw new Error(`Cannot trust the run: ${result.failed} calls failed`);
  return result;
}

/** Runs two loads in turns; returns the rate of the first divided by that of the second. */
async function takeTurns(
  first: () => Promise<LoadResult>,
  second: () => Promise<LoadResult>,
): Promise<number> {
  let [firstSum, secondSum] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    firstSum += perSecond(await first(), 1);
    secondSum += perSecond(await second(), 1);
  }
  return firstSum / secondSum;
}

function perSecond({ requests, seconds }: LoadResult, size: number): number {
  return requests * size / seconds;
}

function figure(name: string, target: string, text: string): Figure {
  return { name, target, text };
}

function share(value: number): string {
  return value.toFixed(2);
}
