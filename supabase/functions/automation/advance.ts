import type { Definition, Step } from "../_shared/journeys/definition.ts";
import type { EndReason, Facts, Move, RunState, Turn } from "./facts.ts";
import { takeBranch } from "./steps/branch.ts";
import { takeSend } from "./steps/send.ts";
import { takeSplit } from "./steps/split.ts";
import type { Position, StepContext, StepResult } from "./steps/step.ts";
import { takeUpdate } from "./steps/update.ts";
import { takeWait } from "./steps/wait.ts";
import { takeWaitFor } from "./steps/wait_for.ts";
import { takeWebhook } from "./steps/webhook.ts";

/** Most steps of one turn; a run that has more to do is due again at once. */
const maxMoves = 20;

/**
 * Decides how a run moves, until it waits, ends, or needs other facts. The result depends on the
 * arguments alone.
 *
 * @param now in ms since 1970
 */
export function advance(definition: Definition, run: RunState, now: number): Turn {
  const turn = createTurn(run);
  const exit = findExit(run.facts, turn.position, now);
  if (exit !== undefined) return turn.exit(definition.steps[run.step], exit);
  while (turn.moves.length < maxMoves) {
    const step = definition.steps[turn.step];
    if (step === undefined) return turn.exit(step, { reason: "failed", at: now });
    if ("exit" in step) return turn.complete();
    const context: StepContext = {
      run,
      id: turn.step,
      position: turn.position,
      isStart: turn.moves.length === 0,
      isPassedBy: turn.isPassedBy,
      now,
    };
    const result = takeStep(step, context);
    if (!("go" in result)) {
      const waits = "wait" in step || "wait_for" in step;
      return turn.park(result, waits);
    }
    const end = turn.go(step, result);
    if (end !== undefined) return end;
    if (result.endsTurn) break;
  }
  return turn.park({ wakeAt: now }, false);
}

function takeStep(step: Exclude<Step, { exit: unknown }>, context: StepContext): StepResult {
  if ("wait" in step) return takeWait(step, context);
  if ("wait_for" in step) return takeWaitFor(step, context);
  if ("branch" in step) return takeBranch(step, context);
  if ("split" in step) return takeSplit(step, context);
  if ("send" in step) return takeSend(step, context);
  if ("update" in step) return takeUpdate(step, context);
  return takeWebhook(step, context);
}

interface Exit {
  reason: EndReason;
  /** In ms since 1970. */
  at: number;
}

/** Finds the first reason for which the run ends wherever it is. */
function findExit(facts: Facts, position: Position, now: number): Exit | undefined {
  if (facts.customer === null) return { reason: "deleted", at: now };
  const goal = facts.goal && { reason: "goal", at: Date.parse(facts.goal.received_at) } as const;
  const exitOn = facts.exit_on &&
    { reason: "exit_condition", at: Date.parse(facts.exit_on.received_at) } as const;
  const first = goal && exitOn ? (goal.at <= exitOn.at ? goal : exitOn) : goal ?? exitOn;
  if (first) return { ...first, at: Math.max(first.at, position.at) };
  return facts.exit_when ? { reason: "exit_condition", at: now } : undefined;
}

function createTurn(run: RunState) {
  const moves: Move[] = [];
  let { step } = run;
  let visit = run.visit;
  let isPassedBy = run.is_passed_by;
  let position: Position = { at: run.stepped_at.getTime(), id: run.stepped_id };

  const record = (kind: string, rest: Pick<Move, "outcome" | "effect">) => {
    visit++;
    moves.push({ visit, step, kind, at: new Date(position.at).toISOString(), ...rest });
  };
  const close = (end: Partial<Turn>): Turn => ({
    moves,
    step,
    visit,
    stepped_at: new Date(position.at).toISOString(),
    stepped_id: position.id,
    wake_at: null,
    due_at: null,
    is_passed_by: isPassedBy,
    goal_at: null,
    end_reason: null,
    exited_at: null,
    ...end,
  });
  const endRun = (reason: EndReason, at: number) => {
    const exited_at = new Date(at).toISOString();
    return close({
      end_reason: reason,
      exited_at,
      ...(reason === "goal" ? { goal_at: exited_at } : {}),
    });
  };

  return {
    moves,
    get step() {
      return step;
    },
    get position() {
      return position;
    },
    get isPassedBy() {
      return isPassedBy;
    },
    /** Ends the run where it stands. */
    exit(current: Step | undefined, { reason, at }: Exit): Turn {
      record(kindOf(current), { outcome: { way: "exit", to: null, reason } });
      return endRun(reason, at);
    },
    /** Ends the run at an exit step. */
    complete(): Turn {
      record("exit", { outcome: { way: "end", to: null } });
      return endRun("completed", position.at);
    },
    /** Records a step; returns the end of the turn if the run ends with it. */
    go(current: Step, result: Extract<StepResult, { go: unknown }>): Turn | undefined {
      const { go, effect, fails } = result;
      record(kindOf(current), {
        outcome: fails ? { ...go, reason: "failed" } : go,
        ...(effect ? { effect } : {}),
      });
      position = result.position ?? position;
      if (go.to === null) return endRun(fails ? "failed" : "completed", position.at);
      step = go.to;
      return undefined;
    },
    /** Leaves the run at its step. */
    park({ wakeAt, dueAt }: { wakeAt: number; dueAt?: number }, waits: boolean): Turn {
      if (waits) isPassedBy = false;
      const changesAt = run.facts.exit_changes_at;
      const due = Math.min(
        dueAt ?? wakeAt,
        changesAt === null ? Infinity : Date.parse(changesAt),
      );
      return close({
        wake_at: new Date(wakeAt).toISOString(),
        due_at: new Date(due).toISOString(),
        is_passed_by: isPassedBy,
      });
    },
  };
}

const kinds = ["send", "wait", "wait_for", "branch", "split", "update", "webhook"] as const;

function kindOf(step: Step | undefined): string {
  return kinds.find((kind) => step !== undefined && kind in step) ?? "exit";
}

