import postgres from "postgres";
import { foldSegments } from "./fold_segments.ts";
import { listenForWork } from "./listen_for_work.ts";
import { workCampaigns } from "./work_campaigns.ts";

const frequentMs = 10_000;
const hourlyMs = 60 * 60 * 1000;

export interface ScheduleOptions {
  databaseUrl: string;
  /** Wakes a function that works in the background; it responds at once and continues. */
  wake: (name: string) => Promise<void>;
}

/** The functions that work in the background, and how often to look for due work. */
export const workers = [
  { name: "webhook-dispatch", check: "private.wake_if_due()", everyMs: frequentMs },
  { name: "send-dispatch", check: "private.wake_sends_if_due()", everyMs: frequentMs },
  { name: "automation", check: "private.wake_automation_if_due()", everyMs: 1_000 },
];

/**
 * Does what pg_cron and pg_net do on the platform: looks for due work, runs the frequent tasks every
 * 10 s, folds segments, works on campaigns, runs the hourly tasks also at the start, and wakes functions when the
 * database calls for them.
 */
export async function startSchedule(options: ScheduleOptions): Promise<AsyncDisposable> {
  const { databaseUrl } = options;
  const sql = postgres(databaseUrl, {
    max: 4,
    fetch_types: false,
    connection: { application_name: "signalpost-schedule" },
    onnotice: () => {},
  });
  const runHourly = () => attempt("run hourly tasks", () => sql`select ops.run_hourly_tasks()`);
  const runFrequent = () =>
    attempt("run frequent tasks", () => sql`select private.run_frequent_tasks()`);
  const checks = workers.map(({ name, check, everyMs }) => {
    const wake = () => attempt(`wake "${name}"`, () => options.wake(name));
    const run = () =>
      attempt("look for due work", async () => {
        const [row] = await sql.unsafe<{ due: boolean }[]>(`select ${check} as due`);
        if (row?.due) await wake();
      });
    return { channel: name.replaceAll("-", "_"), wake, run, everyMs };
  });
  for (const { channel, wake } of checks) {
    await listenForWork(sql, { channel, wake: () => void wake() });
  }
  await runHourly();
  for (const { run } of checks) await run();
  await runFrequent();
  const folding = await foldSegments(sql, (error) => reportFailure("fold segments", error));
  const campaigns = workCampaigns(sql, (error) => reportFailure("work on campaigns", error));
  const timers = [
    ...checks.map(({ run, everyMs }) => setInterval(run, everyMs)),
    setInterval(runFrequent, frequentMs),
    setInterval(runHourly, hourlyMs),
  ];
  return {
    async [Symbol.asyncDispose]() {
      timers.forEach(clearInterval);
      await folding[Symbol.asyncDispose]();
      await campaigns[Symbol.asyncDispose]();
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
