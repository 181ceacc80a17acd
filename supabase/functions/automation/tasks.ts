import type { Sql } from "../_shared/db/connect.ts";
import type { Task } from "../_shared/work/work.ts";
import { workDates } from "./dates.ts";
import { workMoves } from "./moves.ts";
import { workRehearsals } from "./rehearsals.ts";
import { type DatabaseTime, workJobs } from "./run_queue.ts";

export interface TaskDeps {
  sql: Sql;
  now: () => Date;
  /** Time for the database. @default its own clock */
  databaseNow?: (() => Date) | undefined;
}

/** A turn of a rehearsal takes about as much processor time as this many runs. */
const runsPerTurn = 10;

/** Creates the worker's background tasks: jobs, runs that change versions, dates, rehearsals. */
export function createAutomationTasks({ sql, now, databaseNow }: TaskDeps): readonly Task[] {
  const repeat = (failedEvent: string, step: (at: DatabaseTime) => Promise<number>): Task => ({
    failedEvent,
    async work(run) {
      while (!run.isSpent() && await step(databaseNow?.()) > 0) run.noteWork();
    },
  });
  return [
    repeat("journey_job_failed", (at) => workJobs(sql, at)),
    repeat("journey_move_failed", (at) => workMoves(sql, at)),
    repeat("journey_dates_failed", (at) => workDates(sql, { now: now(), databaseNow: at })),
    {
      failedEvent: "rehearsal_failed",
      async work(run) {
        while (!run.isSpent()) {
          const turns = await workRehearsals(sql, databaseNow?.());
          if (turns === 0) return;
          run.noteWork();
          run.spend(turns * runsPerTurn);
        }
      },
    },
  ];
}
