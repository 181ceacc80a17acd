import postgres from "postgres";
import { foldSegments } from "./fold_segments.ts";
import { listenForWork } from "./listen_for_work.ts";

const frequentMs = 10_000;
const hourlyMs = 60 * 60 * 1000;

export interface ScheduleOptions {
  databaseUrl: string;
  /** Wakes the dispatcher, which responds at once and continues. */
  wakeDispatcher: () => Promise<void>;
}

/**
 * Does what pg_cron and pg_net do on the platform: looks for due work and runs the
 * frequent tasks every 10 s, folds segments, runs the hourly tasks also at the start, and wakes the dispatcher when the database calls for it.
 */
export async function startSchedule(options: ScheduleOptions): Promise<AsyncDisposable> {
  const { databaseUrl, wakeDispatcher } = options;
  const sql = postgres(databaseUrl, {
    max: 3,
    fetch_types: false,
    connection: { application_name: "signalpost-schedule" },
    onnotice: () => {},
  });
  const runHourly = () => attempt("run hourly tasks", () => sql`select ops.run_hourly_tasks()`);
  const runFrequent = () =>
    attempt("run frequent tasks", () => sql`select private.run_frequent_tasks()`);
  const wake = () =>
    attempt("look for due work", async () => {
      const [row] = await sql<{ due: boolean }[]>`select private.wake_if_due() as due`;
      if (row?.due) await wakeDispatcher();
    });
  await listenForWork(sql, () => void attempt("wake the dispatcher", wakeDispatcher));
  await runHourly();
  await wake();
  await runFrequent();
  const folding = await foldSegments(sql, (error) => reportFailure("fold segments", error));
  const timers = [
    setInterval(wake, frequentMs),
    setInterval(runFrequent, frequentMs),
    setInterval(runHourly, hourlyMs),
  ];
  return {
    async [Symbol.asyncDispose]() {
      timers.forEach(clearInterval);
      await folding[Symbol.asyncDispose]();
      await sql.end({ timeout: 1 });
    },
  };
}

/** Reports a failed turn, and leaves the rest to the next turn. */
async function attempt(what: string, work: () => PromiseLike<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    reportFailure(what, error);
  }
}

function reportFailure(what: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  Deno.stderr.writeSync(new TextEncoder().encode(`Cannot ${what}: ${reason}\n`));
}
