import { createTemplate, startTestCluster } from "../postgres/cluster.ts";
import { findMissingNeeds, type MissingNeed } from "./needs.ts";
import { readTotals } from "./totals.ts";

/** Files run side by side; more would only wait for the same two cores. */
const jobs = Math.min(4, navigator.hardwareConcurrency);

Deno.exit(await main(Deno.args).catch(reportBroken));

/** Runs `deno test` with these arguments on a Postgres of its own; returns the exit code. */
async function main(args: string[]): Promise<number> {
  using interruption = listenForSignals();
  const missing = findMissingNeeds();
  const skipped = missing.flatMap(({ files }) => files);
  await using cluster = await startTestCluster();
  await using report = await makeReport();
  const template = await createTemplate(cluster);
  const success = await runTests(interruption.signal, {
    args: [...skipped.map((path) => `--ignore=${path}`), `--junit-path=${report.path}`, ...args],
    env: { TEST_DB_URL: cluster.url, TEST_TEMPLATE: template },
  });
  const totals = await readTotals(report.path, success);
  const complete = reportMissing(missing);
  say(`${totals.passed} passed, ${totals.failed} failed`);
  return success && complete ? 0 : 1;
}

async function runTests(
  signal: AbortSignal,
  { args, env }: { args: string[]; env: Record<string, string> },
): Promise<boolean> {
  if (signal.aborted) return false;
  const child = new Deno.Command(Deno.execPath(), {
    // Types are checked by `deno task ok`; a second time would cost a minute.
    args: ["test", "-A", "--no-check", "--parallel", ...args],
    env: { DENO_JOBS: String(jobs), ...env },
    detached: true,
  }).spawn();
  // The group, for the services that tests have started end with them.
  signal.addEventListener("abort", () => Deno.kill(-child.pid, "SIGTERM"));
  return (await child.status).success;
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
  return missing.length === 0 || Deno.env.get("CI") !== "true";
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
