import { startMigratedCluster } from "../postgres/cluster.ts";
import { describeClusterFiles } from "../postgres/cluster_copy.ts";
import { findHostedDeno, hostedDenoVariable } from "../service/hosted_deno.ts";
import { findMissingNeeds, type MissingNeed } from "./needs.ts";
import { readTotals, type Totals } from "./totals.ts";

/** Files side by side: one more than cores, because browsers and servers let a core wait. */
const jobs = Math.min(4, navigator.hardwareConcurrency + 1);

/** Files that wait for a clock most of the time, and would keep a place from others. */
const waitingFiles = [
  "tests/cells/moves_under_load_test.ts",
  "tests/maintenance/pg_cron_debian_test.ts",
];

Deno.exit(await main(Deno.args).catch(reportBroken));

/** Runs `deno test` with these arguments on a Postgres of its own; returns the exit code. */
async function main(args: string[]): Promise<number> {
  using interruption = listenForSignals();
  const hostedDeno = findHostedDeno();
  if (hostedDeno !== null) Deno.env.set(hostedDenoVariable, hostedDeno);
  const missing = findMissingNeeds();
  const skipped = missing.flatMap(({ files }) => files);
  await using cluster = await startMigratedCluster();
  const env = {
    TEST_DB_URL: cluster.url,
    TEST_TEMPLATE: cluster.template,
    ...cluster.files && describeClusterFiles(cluster.files),
  };
  const runs = await Promise.all(
    groupTests(args, skipped).map((group) => runGroup(interruption.signal, { ...group, env })),
  );
  const complete = reportMissing(missing);
  const passed = runs.reduce((sum, totals) => sum + totals.passed, 0);
  const failed = runs.reduce((sum, totals) => sum + totals.failed, 0);
  // The last lines are what a reader of a long log sees first.
  for (const failure of runs.flatMap(({ failures }) => failures)) say(`failed: ${failure}`);
  say(`${passed} passed, ${failed} failed`);
  return failed === 0 && complete ? 0 : 1;
}

/** Arguments of one run of `deno test`. */
interface TestGroup {
  args: string[];
  /** Files side by side. */
  jobs: number;
}

/** Returns the runs of `deno test`, which take place at the same time. */
function groupTests(args: string[], skipped: readonly string[]): TestGroup[] {
  if (args.length > 0) {
    return [{ args: [...skipped.map((path) => `--ignore=${path}`), ...args], jobs }];
  }
  const waiting = waitingFiles.filter((path) => !skipped.includes(path));
  const others = [...skipped, ...waiting].map((path) => `--ignore=${path}`);
  if (waiting.length === 0) return [{ args: others, jobs }];
  return [{ args: others, jobs }, { args: waiting, jobs: 1 }];
}

async function runGroup(
  signal: AbortSignal,
  { args, jobs, env }: TestGroup & { env: Record<string, string> },
): Promise<Totals> {
  await using report = await makeReport();
  const success = await runTests(signal, {
    args: [`--junit-path=${report.path}`, ...args],
    env: { DENO_JOBS: String(jobs), ...env },
  });
  return await readTotals(report.path, success);
}

async function runTests(
  signal: AbortSignal,
  { args, env }: { args: string[]; env: Record<string, string> },
): Promise<boolean> {
  if (signal.aborted) return false;
  const child = new Deno.Command(Deno.execPath(), {
    // Types are checked by `deno task ok`; a second time would cost a minute.
    args: ["test", "-A", "--no-check", "--parallel", ...args],
    env,
    detached: true,
  }).spawn();
  // The group, for the services that tests have started end with them.
  const end = () => Deno.kill(-child.pid, "SIGTERM");
  signal.addEventListener("abort", end);
  const { success } = await child.status;
  signal.removeEventListener("abort", end);
  return success;
}

async function makeReport() {
  const path = await Deno.makeTempFile({ suffix: ".xml" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path) };
}

/** An interrupted run ends its tests first and then, by disposal, its server. */
function listenForSignals(): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of names) Deno.addSignalListener(name, abort);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => names.forEach((name) => Deno.removeSignalListener(name, abort)),
  };
}

/** False when leaving tests out is a failure. */
function reportMissing(missing: readonly MissingNeed[]): boolean {
  for (const { name, files } of missing) {
    say(`\nNOT TESTED: no ${name} was found, so these were left out:`);
    for (const path of files) say(`  ${path}`);
  }
  return missing.every(({ isOptional }) => isOptional) || Deno.env.get("CI") !== "true";
}

/** Without a server or a schema no test can run, which is a failure too. */
function reportBroken(error: unknown): number {
  say(error instanceof Error ? error.message : String(error));
  say("0 passed, 1 failed");
  return 1;
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
