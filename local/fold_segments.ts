import type { Sql } from "../supabase/functions/_shared/db/connect.ts";

/** Pause after a fold that found nothing: how late a timer may be noticed. */
const idleMs = 250;
const failedMs = 1000;
const announceMs = 60_000;

/**
 * Folds segments one workspace after the other until disposed, as the job of pg_cron does on
 * the platform. Signals wake it by NOTIFY. `report` gets what failed, at most once a second.
 */
export async function foldSegments(
  sql: Sql,
  report: (error: unknown) => void,
): Promise<AsyncDisposable> {
  const pause = createPause();
  const { unlisten } = await sql.listen("segments", pause.end, pause.end);
  let isOver = false;
  let announceAt = 0;
  const step = async () => {
    if (performance.now() >= announceAt) {
      await sql`select private.hear_signals('2 minutes')`;
      announceAt = performance.now() + announceMs;
    }
    const [row] = await sql<{ done: number }[]>`select private.fold_segments() as done`;
    return row!.done;
  };
  const done = (async () => {
    while (!isOver) {
      pause.reset();
      try {
        if (await step() === 0) await pause.wait(idleMs);
      } catch (error) {
        if (!isOver) report(error);
        pause.reset();
        await pause.wait(failedMs);
      }
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      isOver = true;
      pause.end();
      await done;
      await unlisten();
    },
  };
}

/** A pause that can be ended before it begins. */
function createPause() {
  let isEnded = false;
  let wake = () => {};
  return {
    end: () => {
      isEnded = true;
      wake();
    },
    reset: () => {
      isEnded = false;
    },
    wait: async (ms: number) => {
      if (isEnded) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      wake = resolve;
      await promise;
      clearTimeout(timer);
    },
  };
}
