import { findBrowserTests, findChromium } from "./support/chromium.ts";
import { createTemplate, startTestCluster } from "./support/cluster.ts";
import { readTotals } from "./support/totals.ts";

/** Files run side by side; more would only wait for the same two cores. */
const JOBS = Math.min(4, navigator.hardwareConcurrency);

Deno.exit(await main(Deno.args).catch(reportBroken));

/** Runs `deno test` with these arguments on a Postgres of its own; returns the exit code. */
async function main(args: string[]): Promise<number> {
  const skipped = findChromium() ? [] : findBrowserTests();
  await using cluster = await startTestCluster();
  await using report = await makeReport();
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "-A",
      "--parallel",
      `--junit-path=${report.path}`,
      ...skipped.map((path) => `--ignore=${path}`),
      ...args,
    ],
    env: {
      DENO_JOBS: String(JOBS),
      TEST_DB_URL: cluster.url,
      TEST_TEMPLATE: await createTemplate(cluster),
    },
  }).spawn();
  using _signals = forwardSignals(child);
  const { success } = await child.status;
  const totals = await readTotals(report.path, success);
  const complete = reportSkipped(skipped);
  say(`${totals.passed} passed, ${totals.failed} failed`);
  return success && complete ? 0 : 1;
}

async function makeReport() {
  const path = await Deno.makeTempFile({ suffix: ".xml" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path) };
}

/** An interrupted run ends its tests first and then, by disposal, its server. */
function forwardSignals(child: Deno.ChildProcess): Disposable {
  const listeners = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((name) => {
    const listener = () => child.kill("SIGTERM");
    Deno.addSignalListener(name, listener);
    return () => Deno.removeSignalListener(name, listener);
  });
  return { [Symbol.dispose]: () => listeners.forEach((remove) => remove()) };
}

/** False when leaving the browser tests out is a failure. */
function reportSkipped(skipped: string[]): boolean {
  if (skipped.length === 0) return true;
  say("\nNOT TESTED: no Chromium was found, so these were left out:");
  for (const path of skipped) say(`  ${path}`);
  return Deno.env.get("CI") !== "true";
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
