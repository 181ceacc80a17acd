import { parseArgs } from "node:util";
import { createDispatchBench, type DispatchBench } from "./support/dispatch_bench.ts";
import { describeMachine } from "./support/machine.ts";
import { publishPaced } from "./support/paced_load.ts";
import { quantile } from "./support/quantile.ts";
import { formatCount, print, printRow } from "./support/table.ts";

const rates = [0, 0.1, 1, 20, 100];
const widths = [24, 8, 12, 14, 8, 8];
const scheduleMs = 10_000;
/** A run ends this long after its last work. */
const lingerSeconds = 5;
/** Runs are a tenth as long here as on the platform, in time and in deliveries. */
const scaleFactor = 10;
const monthSeconds = 30 * 86_400;

/**
 * Counts how often the database calls the dispatcher, as the platform counts invocations: with the
 * real SQL of wake-ups, a stand-in for pg_net and the schedule of pg_cron.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { seconds: { type: "string", default: "30" } } });
  const seconds = Number(values.seconds);
  print(describeMachine());
  await using bench = await createDispatchBench({ isHosted: true });
  const workspaceId = await bench.addWorkspace();
  await bench.addDestination({ workspaceId, eventType: "bench" });
  await bench.sql`select ops.configure_dispatch('http://localhost/webhook-dispatch', 'key')`;
  printRow(["events a second", "calls", "a month", "statements/s", "p50 ms", "p95 ms"], widths);
  // Warm up: the first call and its run differ from the steady state.
  await measure(bench, { workspaceId, perSecond: 1, seconds: 2 });
  for (const perSecond of rates) {
    printMeasured(perSecond, await measure(bench, { workspaceId, perSecond, seconds }), seconds);
  }
}

interface Measured {
  calls: number;
  statements: number;
  latencies: number[];
}

async function measure(
  bench: DispatchBench,
  { workspaceId, perSecond, seconds }: { workspaceId: string; perSecond: number; seconds: number },
): Promise<Measured> {
  const before = await bench.readUse();
  const schedule = setInterval(() => void bench.sql`select private.wake_if_due()`, scheduleMs);
  const pick = () => ({ workspaceId, name: "bench" });
  const idle = new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  const commits = await publishPaced(bench.sql, { perSecond, seconds, pick });
  await idle;
  const after = await bench.readUse();
  clearInterval(schedule);
  await new Promise((resolve) => setTimeout(resolve, (lingerSeconds + 1) * 1_000));
  const arrivals = await bench.takeArrivals();
  return {
    calls: after.calls - before.calls,
    statements: after.statements - before.statements,
    latencies: arrivals.filter(([id]) => commits.has(id))
      .map(([id, at]) => at - commits.get(id)!),
  };
}

function printMeasured(perSecond: number, measured: Measured, seconds: number): void {
  const { calls, statements, latencies } = measured;
  const at = (share: number) => latencies.length === 0 ? "" : quantile(latencies, share).toFixed(0);
  // Runs of rare events end long before their time is up.
  const scale = perSecond * lingerSeconds < 1 ? 1 : scaleFactor;
  const aMonth = calls / seconds / scale * monthSeconds;
  printRow([
    perSecond === 0 ? "none" : String(perSecond),
    formatCount(calls),
    formatCount(aMonth),
    (statements / seconds).toFixed(1),
    at(0.5),
    at(0.95),
  ], widths);
}
