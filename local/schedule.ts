import postgres from "postgres";
import { listenForWork } from "./listen_for_work.ts";

const sweepMs = 10_000;
const maintainMs = 60 * 60 * 1000;

export interface ScheduleOptions {
  databaseUrl: string;
  /** Wakes the dispatcher, which answers at once and works on. */
  wakeDispatcher: () => Promise<void>;
}

/**
 * Does what pg_cron and pg_net do on the platform: looks for due work and sweeps every 10 s,
 * maintains every hour and at the start, and wakes the dispatcher when the database calls for it.
 */
export async function startSchedule(options: ScheduleOptions): Promise<AsyncDisposable> {
  const { databaseUrl, wakeDispatcher } = options;
  const sql = postgres(databaseUrl, {
    max: 2,
    fetch_types: false,
    connection: { application_name: "signalpost-schedule" },
    onnotice: () => {},
  });
  const maintain = () => attempt("maintain the database", () => sql`select ops.maintain()`);
  const sweep = () => attempt("sweep the database", () => sql`select private.sweep()`);
  const wake = () =>
    attempt("look for due work", async () => {
      const [row] = await sql<{ due: boolean }[]>`select private.wake_if_due() as due`;
      if (row?.due) await wakeDispatcher();
    });
  await listenForWork(sql, () => void attempt("wake the dispatcher", wakeDispatcher));
  await maintain();
  await wake();
  await sweep();
  const timers = [
    setInterval(wake, sweepMs),
    setInterval(sweep, sweepMs),
    setInterval(maintain, maintainMs),
  ];
  return {
    async [Symbol.asyncDispose]() {
      timers.forEach(clearInterval);
      await sql.end({ timeout: 1 });
    },
  };
}

/** A turn that fails is not the last: the next one comes by itself. */
async function attempt(what: string, work: () => PromiseLike<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    Deno.stderr.writeSync(new TextEncoder().encode(`Cannot ${what}: ${reason}\n`));
  }
}
