import { errorFields, type Log } from "../log/log.ts";
import type { Task, TaskRun } from "./work.ts";

/** Turns at which a run expires lost claims and starts its tasks. */
export interface TaskTurns {
  /** Makes the next turn come sooner, because there is something new. */
  hurry(): void;
  /** Takes a turn if one is due at this time (`clock.now()`). */
  takeIfDue(at: number): Promise<void>;
  /** Resolves when no task is running. */
  finish(): Promise<void>;
}

export interface TaskTurnsOptions {
  tasks: readonly Task[];
  run: TaskRun;
  /** Makes items due again whose lease ran out. */
  expireClaims: () => Promise<unknown>;
  /** Returns true if results of any run could not be recorded so far. */
  isAnyBehind: () => boolean;
  log: Log;
}

const turnMs = 5_000;
const hurriedTurnMs = 500;

/** Makes the turns of one run; the first is due at once. */
export function createTaskTurns(
  { tasks, run, expireClaims, isAnyBehind, log }: TaskTurnsOptions,
): TaskTurns {
  const started = new Map<Task, Promise<void>>();
  let lastAt = -Infinity;
  let isHurried = true;

  function start(task: Task): void {
    if (started.has(task)) return;
    const working = task.work(run)
      .catch((error) => log.error(task.failedEvent, errorFields(error)))
      .finally(() => task.isOncePerRun || started.delete(task));
    started.set(task, working);
  }

  return {
    hurry() {
      isHurried = true;
    },
    async takeIfDue(at) {
      if (at - lastAt <= (isHurried ? hurriedTurnMs : turnMs)) return;
      lastAt = at;
      isHurried = false;
      // An item with an unrecorded result must not count as lost and run again.
      if (!isAnyBehind()) await expireClaims();
      tasks.forEach(start);
    },
    async finish() {
      await Promise.all(started.values());
    },
  };
}
