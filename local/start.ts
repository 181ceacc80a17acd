import { prepareDashboard } from "./dashboard.ts";
import { help, readOptions } from "./options.ts";
import { startStack } from "./stack.ts";
import { formatBanner } from "./banner.ts";

Deno.exit(await main());

/** Runs the stack until a signal stops it; returns the exit code. */
async function main(): Promise<number> {
  const stop = listenForSignals();
  try {
    const options = readOptions(Deno.args, Deno.env.toObject());
    if (!options) {
      say(help);
      return 0;
    }
    const started = performance.now();
    const dashboard = prepareDashboard(say);
    await using stack = await startStack(options, { say, signal: stop });
    await dashboard;
    say(formatBanner(stack, performance.now() - started));
    const reason = await Promise.race([stack.exited.then(() => "crash"), waitFor(stop)]);
    if (reason === "crash") {
      throw new Error("Cannot continue: the database server ended unexpectedly");
    }
    say("Stopping");
    return 0;
  } catch (error) {
    if (stop.aborted) return 0;
    complain(error);
    return 1;
  }
}

function listenForSignals(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    Deno.addSignalListener(name, () => controller.abort());
  }
  return controller.signal;
}

function waitFor(signal: AbortSignal): Promise<string> {
  if (signal.aborted) return Promise.resolve("signal");
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve("signal"), { once: true });
  });
}

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text.trimEnd()}\n`));
}

function complain(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
}
