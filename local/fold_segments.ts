import type { Sql } from "../supabase/functions/_shared/db/connect.ts";

/** Pause after a fold that found nothing: how late a change may be noticed. */
const idleMs = 50;

/**
 * Folds segments one workspace after the other until disposed, as the job of pg_cron does on
 * the platform. `report` gets what failed, at most once a second.
 */
export function foldSegments(
  sql: Sql,
  report: (error: unknown) => void,
): AsyncDisposable {
  let isOver = false;
  const done = (async () => {
    while (!isOver) {
      let pauseMs = idleMs;
      try {
        const [row] = await sql<{ done: number }[]>`select private.fold_segments() as done`;
        if (row!.done > 0) continue;
      } catch (error) {
        if (!isOver) report(error);
        pauseMs = 1000;
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      isOver = true;
      await done;
    },
  };
}
