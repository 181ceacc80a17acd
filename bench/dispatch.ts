import { parseArgs } from "node:util";
import { createApiBench, type Delivered, latenciesOf, rateOf } from "./support/api_bench.ts";
import { createDispatchBench, type DispatchBench } from "./support/dispatch_bench.ts";
import type { Arrival } from "./support/dispatch_receiver.ts";
import { describeMachine } from "./support/machine.ts";
import { type Commits, publishPaced } from "./support/paced_load.ts";
import { quantile } from "./support/quantile.ts";
import { formatCount, print, printRow } from "./support/table.ts";

interface Measured {
  events: number;
  arrived: number;
  /** From the first commit to the last arrival. */
  seconds: number;
  /** From the commit of the event to its arrival. */
  latencies: number[];
  statements: number;
}

interface Scenario {
  name: string;
  perSecond: number;
  /** Each takes its share of the events. */
  destinations: Destination[];
}

interface Destination {
  workspaceId: string;
  eventType: string;
}

const widths = [44, 9, 9, 9, 9, 12];
const rates = [50, 200, 1_000];
const sustainedRates = [1_500, 2_000, 2_500, 3_000, 3_500, 4_000];
const backlog = 100_000;
const settleMs = 20_000;
const idleMs = 500;

/**
 * From the commit of an event to its arrival at a receiver on the same machine: events go through
 * the ingest of `track`, and a dispatcher of its own sends them, signed, over real HTTP. Then the
 * same through the whole service, from the response of `POST /track` on.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { seconds: { type: "string", default: "10" }, only: { type: "string" } },
  });
  const seconds = Number(values.seconds);
  const parts = { api: measureApi, rates: measureRates, backlogs: measureBacklogs };
  print(describeMachine());
  for (const [name, measurePart] of Object.entries(parts)) {
    if (values.only === undefined || values.only === name) await measurePart(seconds);
  }
}

async function measureApi(seconds: number): Promise<void> {
  await using bench = await createApiBench();
  const names = Array.from({ length: 20 }, (_, i) => `event_${i}`);
  for (const eventType of names) await bench.addDestination({ eventType });
  const load = { names, connections: 64, seconds };
  await bench.measure({ ...load, perSecond: 200, seconds: 3 });
  print("\nResponse of POST /track to arrival in ms, one event per call, 20 destinations");
  printRow(["", "p50", "p95", "p99", "per s"], widths);
  for (const perSecond of [...rates, ...sustainedRates]) {
    const delivered = await bench.measure({ ...load, perSecond });
    printDelivered(`${formatCount(perSecond)} calls a second`, delivered);
    if (rateOf(delivered) < perSecond * 0.9) break;
  }
}

function printDelivered(name: string, delivered: Delivered): void {
  const { answered, arrivals, failed } = delivered;
  const latencies = latenciesOf(delivered);
  const at = (share: number) => quantile(latencies, share).toFixed(1);
  const lost = answered.length - arrivals.length;
  const problems = lost + failed === 0 ? "" : ` (${lost} missing, ${failed} failed)`;
  printRow([name + problems, at(0.5), at(0.95), at(0.99), formatCount(rateOf(delivered))], widths);
}

async function measureRates(seconds: number): Promise<void> {
  await using bench = await createDispatchBench();
  const destinations = await addDestinations(bench, { workspaces: 1, count: 20 });
  await measure(bench, { name: "warm-up", perSecond: 200, destinations }, 3);
  print("\nCommit to arrival in ms, 20 destinations");
  printRow(["", "p50", "p95", "p99", "per s", "statements"], widths);
  for (const perSecond of rates) {
    const name = `${formatCount(perSecond)} messages a second`;
    printMeasured(name, await measure(bench, { name, perSecond, destinations }, seconds));
  }
  for (const perSecond of sustainedRates) {
    const name = `${formatCount(perSecond)} messages a second`;
    const measured = await measure(bench, { name, perSecond, destinations }, seconds);
    printMeasured(name, measured);
    if (measured.seconds > seconds * 1.1 || measured.arrived < measured.events) break;
  }
}

async function measureBacklogs(seconds: number): Promise<void> {
  print(`\nThe same beside a destination with ${formatCount(backlog)} messages waiting`);
  printRow(["50 healthy destinations, 200 messages a second", "p50", "p95", "p99"], widths);
  const sick = [
    ["nothing else", null],
    ["one that hangs on every request", { behaviour: "hang" }],
    ["one that fails on every request", { behaviour: "fail" }],
    ["one at its rate limit of 1 a second", { rateLimitPerSecond: 1 }],
    ["one that is disabled", { behaviour: "hang", isDisabled: true }],
  ] as const;
  for (const [name, options] of sick) {
    await using bench = await createDispatchBench();
    const destinations = await addDestinations(bench, { workspaces: 2, count: 50 });
    await measure(bench, { name, perSecond: 200, destinations }, 3);
    if (options) await addBacklog(bench, destinations[0]!.workspaceId, options);
    printMeasured(name, await measure(bench, { name, perSecond: 200, destinations }, seconds));
  }
}

async function addDestinations(
  bench: DispatchBench,
  { workspaces, count }: { workspaces: number; count: number },
): Promise<Destination[]> {
  const ids = [];
  for (let i = 0; i < workspaces; i++) ids.push(await bench.addWorkspace());
  const destinations: Destination[] = [];
  for (let i = 0; i < count; i++) {
    const destination = { workspaceId: ids[i % workspaces]!, eventType: `event_${i}` };
    await bench.addDestination(destination);
    destinations.push(destination);
  }
  return destinations;
}

async function addBacklog(
  { sql, addDestination }: DispatchBench,
  workspaceId: string,
  options: { behaviour?: "hang" | "fail"; rateLimitPerSecond?: number; isDisabled?: boolean },
): Promise<void> {
  const id = await addDestination({ workspaceId, eventType: "backlog", ...options });
  for (let i = 0; i < backlog; i += 4_000) {
    await sql`
      select private.publish_messages(array(
        select row(${workspaceId}::uuid, 'backlog', '{"n": 1}', null, null)::private.new_message
        from generate_series(1, 4000)
      ))
    `;
  }
  if (options.isDisabled) {
    await sql`update public.destinations set enabled = false where id = ${id}`;
  }
}

async function measure(
  bench: DispatchBench,
  { perSecond, destinations }: Scenario,
  seconds: number,
): Promise<Measured> {
  const before = await bench.readUse();
  const commits = await publishPaced(bench.sql, {
    perSecond,
    seconds,
    pick: (n) => {
      const { workspaceId, eventType } = destinations[n % destinations.length]!;
      return { workspaceId, name: eventType };
    },
  });
  const arrivals = await collect(bench, commits);
  const after = await bench.readUse();
  return summarize(commits, arrivals, after.statements - before.statements);
}

/** Waits until everything has arrived, or nothing more comes. */
async function collect(bench: DispatchBench, commits: Commits): Promise<Arrival[]> {
  const arrivals: Arrival[] = [];
  const until = performance.now() + settleMs;
  while (arrivals.length < commits.size && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, idleMs));
    const taken = await bench.takeArrivals();
    arrivals.push(...taken.filter(([id]) => commits.has(id)));
  }
  return arrivals;
}

function summarize(commits: Commits, arrivals: Arrival[], statements: number): Measured {
  const latencies = arrivals.map(([id, at]) => at - commits.get(id)!);
  const first = Math.min(...commits.values());
  const last = arrivals.reduce((latest, [, at]) => Math.max(latest, at), first);
  return {
    events: commits.size,
    arrived: arrivals.length,
    seconds: (last - first) / 1000,
    latencies,
    statements,
  };
}

function printMeasured(name: string, measured: Measured): void {
  const { arrived, events, seconds, latencies, statements } = measured;
  const at = (share: number) => quantile(latencies, share).toFixed(0);
  const missing = arrived < events ? ` (${events - arrived} missing)` : "";
  printRow([
    name + missing,
    at(0.5),
    at(0.95),
    at(0.99),
    formatCount(arrived / seconds),
    (statements / arrived).toFixed(3),
  ], widths);
}
