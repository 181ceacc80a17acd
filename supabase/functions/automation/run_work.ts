import type { Sql } from "../_shared/db/connect.ts";
import { errorFields, type Log } from "../_shared/log/log.ts";
import type { Task, Work } from "../_shared/work/work.ts";
import { advance } from "./advance.ts";
import { createDefinitionBook } from "./definition_book.ts";
import type { Turn } from "./facts.ts";
import {
  type ClaimedRun,
  claimRuns,
  completeRuns,
  expireClaims,
  findNextWork,
  passOnWork,
  type RunResult,
  watchRuns,
} from "./run_queue.ts";

export interface RunWorkDeps {
  sql: Sql;
  log: Log;
  now: () => Date;
  /** Time for the database. @default its own clock */
  databaseNow?: (() => Date) | undefined;
}

/** Longer than a run may take to wait here and be recorded. */
const leaseSeconds = 60;
const retryMs = 60_000;

/** Creates the work of one run of the worker: runs of journeys, moved by `advance`. */
export function createRunWork(
  deps: RunWorkDeps,
  tasks: readonly Task[],
): Work<ClaimedRun, RunResult> {
  const { sql, log, now } = deps;
  const databaseNow = () => deps.databaseNow?.();
  const definitions = createDefinitionBook(sql);

  function decide(run: ClaimedRun): RunResult {
    // With a clock that is behind the database's, a due run would not seem due, and would be
    // claimed again at once.
    const at = Math.max(now().getTime(), Date.parse(run.facts.known_until ?? "") || 0);
    const definition = definitions.find(run);
    try {
      if (definition === undefined) return stay(run, at + retryMs);
      return describeResult(run, advance(definition, run, at));
    } catch (error) {
      const { workspace_id, run_id, step } = run;
      log.error("run_failed", { workspace_id, run_id, step, ...errorFields(error) });
      return stay(run, at + retryMs);
    }
  }

  return {
    failedEvent: "automation_failed",
    async claim({ limit }) {
      const runs = await claimRuns(sql, { limit, leaseSeconds, now: databaseNow() });
      await definitions.load(runs);
      return runs;
    },
    run: (run) => Promise.resolve(decide(run)),
    giveBack: (run) => stay(run, now().getTime()),
    record: (results) => completeRuns(sql, results, databaseNow()),
    simplify: withoutEffects,
    laneOf: ({ journey_id }) => journey_id,
    concurrencyOf: () => Infinity,
    isLaneFailing: () => false,
    expireClaims: () => expireClaims(sql, databaseNow()),
    findNextWork: () => findNextWork(sql, databaseNow()),
    watch: (ms) => watchRuns(sql, ms),
    passOn: () => passOnWork(sql, databaseNow()),
    tasks,
  };
}

/**
 * Returns the result without the effects of its steps, for data that the database rejects; undefined
 * if it has none.
 */
function withoutEffects(result: RunResult): RunResult | undefined {
  if (result.moves.every(({ effect }) => effect === undefined)) return undefined;
  const moves = result.moves.map(({ effect, ...move }) =>
    effect === undefined ? move : { ...move, outcome: { ...move.outcome, skipped: "rejected" } }
  );
  return { ...result, moves };
}

/** Leaves a run as it is, due again at `dueAt`, in ms since 1970. */
function stay(run: ClaimedRun, dueAt: number): RunResult {
  return describeResult(run, {
    moves: [],
    step: run.step,
    visit: run.visit,
    stepped_at: run.stepped_at.toISOString(),
    stepped_id: run.stepped_id,
    wake_at: null,
    due_at: new Date(dueAt).toISOString(),
    is_passed_by: run.is_passed_by,
    goal_at: null,
    end_reason: null,
    exited_at: null,
  });
}

function describeResult(run: ClaimedRun, turn: Turn): RunResult {
  const { claim, workspace_id, run_id, journey_id, version, customer_id, entered_at, wakes } = run;
  return {
    claim,
    workspace_id,
    run_id,
    journey_id,
    version,
    customer_id,
    entered_at,
    wakes,
    ...turn,
  };
}
