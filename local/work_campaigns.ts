import type { Sql } from "../supabase/functions/_shared/db/connect.ts";

/** Pause when nothing is due: how late a campaign may begin. */
const idleMs = 250;
const failedMs = 1000;

/**
 * Works on campaigns step by step until disposed, as the job of pg_cron does on the platform.
 * `report` gets what failed, at most once a second.
 */
export function workCampaigns(sql: Sql, report: (error: unknown) => void): AsyncDisposable {
  const ended = Promise.withResolvers<void>();
  let isOver = false;
  const done = (async () => {
    while (!isOver) {
      let pauseMs = idleMs;
      try {
        const [row] = await sql<{ done: number }[]>`select private.work_campaigns() as done`;
        if (row!.done > 0) continue;
      } catch (error) {
        if (!isOver) report(error);
        pauseMs = failedMs;
      }
      await pauseUnlessEnded(ended.promise, pauseMs);
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      isOver = true;
      ended.resolve();
      await done;
    },
  };
}

async function pauseUnlessEnded(ended: Promise<void>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([ended, promise]);
  clearTimeout(timer);
}
