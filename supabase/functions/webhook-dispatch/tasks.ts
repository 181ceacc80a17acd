import type { Sql } from "../_shared/db/connect.ts";
import type { Task } from "../_shared/work/work.ts";
import { wakeDispatcher, workFanOuts, workJobs } from "./dispatch_queue.ts";
import type { Reencrypt } from "./reencrypt.ts";

export interface TaskDeps {
  sql: Sql;
  reencrypt: Reencrypt;
  /** Time for the database. @default its own clock */
  databaseNow?: (() => Date) | undefined;
}

const jobPauseMs = 100;

/** Creates a dispatcher's background tasks: fan-outs, jobs, and a change of the secrets' key. */
export function createDispatchTasks({ sql, reencrypt, databaseNow }: TaskDeps): readonly Task[] {
  return [
    {
      failedEvent: "fan_out_failed",
      // One step after the other: queued messages are claimed while the next step runs.
      async work(run) {
        while (!run.isSpent() && await workFanOuts(sql) > 0) run.noteWork();
      },
    },
    {
      failedEvent: "job_failed",
      async work(run) {
        while (!run.isSpent() && await workJobs(sql, databaseNow?.()) > 0) {
          run.noteWork();
          await new Promise((resolve) => setTimeout(resolve, jobPauseMs));
        }
      },
    },
    {
      failedEvent: "reencrypt_failed",
      // A change of the encryption key starts new instances, and so new runs.
      isOncePerRun: true,
      async work(run) {
        for await (const count of reencrypt()) {
          run.spend(count);
          if (run.isSpent()) return await wakeDispatcher(sql);
        }
      },
    },
  ];
}
