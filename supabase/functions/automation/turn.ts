import type { Step } from "../_shared/journeys/definition.ts";
import type { EndReason, Move, RunState, Turn } from "./facts.ts";
import type { Position, StepResult } from "./steps/step.ts";

/** Progress of a turn. */
export interface TurnState {
  moves: Move[];
  /** Id of the step at which the run stands. */
  step: string;
  visit: number;
  position: Position;
  isPassedBy: boolean;
  /** RFC 3339: when time alone can change `exit_when`; null for never. */
  exitChangesAt: string | null;
}

const kinds = ["send", "wait", "wait_for", "branch", "split", "update", "webhook"] as const;

/** Starts a turn where the run stands. */
export function startTurn(run: RunState): TurnState {
  return {
    moves: [],
    step: run.step,
    visit: run.visit,
    position: { at: run.stepped_at.getTime(), id: run.stepped_id },
    isPassedBy: run.is_passed_by,
    exitChangesAt: run.facts.exit_changes_at,
  };
}

/** Ends the run at its step, at a time in ms since 1970. */
export function exitRun(
  turn: TurnState,
  step: Step | undefined,
  { reason, at }: { reason: EndReason; at: number },
): Turn {
  record(turn, step, { outcome: { way: "exit", to: null, reason } });
  return endRun(turn, reason, at);
}

/** Ends the run at an exit step. */
export function completeRun(turn: TurnState, step: Step): Turn {
  record(turn, step, { outcome: { way: "end", to: null } });
  return endRun(turn, "completed", turn.position.at);
}

/** Records a step; returns the end of the turn if the run ends with it. */
export function goOn(
  turn: TurnState,
  step: Step,
  result: Extract<StepResult, { go: unknown }>,
): Turn | undefined {
  const { go, effect, fails } = result;
  record(turn, step, {
    outcome: fails ? { ...go, reason: "failed" } : go,
    ...(effect ? { effect } : {}),
  });
  turn.position = result.position ?? turn.position;
  if (go.to === null) return endRun(turn, fails ? "failed" : "completed", turn.position.at);
  turn.step = go.to;
  return undefined;
}

/**
 * Leaves the run at its step until `wakeAt`, in ms since 1970 (null: no time), due at `dueAt`.
 */
export function park(
  turn: TurnState,
  { wakeAt, dueAt }: { wakeAt: number | null; dueAt?: number },
): Turn {
  const { exitChangesAt } = turn;
  const changesAt = exitChangesAt === null ? Infinity : Date.parse(exitChangesAt);
  return close(turn, {
    wake_at: wakeAt === null ? null : new Date(wakeAt).toISOString(),
    due_at: new Date(Math.min(dueAt ?? wakeAt ?? changesAt, changesAt)).toISOString(),
  });
}

function record(
  turn: TurnState,
  step: Step | undefined,
  result: Pick<Move, "outcome" | "effect">,
): void {
  turn.visit++;
  turn.moves.push({
    visit: turn.visit,
    step: turn.step,
    kind: kinds.find((kind) => step !== undefined && kind in step) ?? "exit",
    at: new Date(turn.position.at).toISOString(),
    ...result,
  });
}

function endRun(turn: TurnState, reason: EndReason, at: number): Turn {
  const exited_at = new Date(at).toISOString();
  const goal_at = reason === "goal" ? exited_at : null;
  return close(turn, { end_reason: reason, exited_at, goal_at });
}

function close({ moves, step, visit, position, isPassedBy }: TurnState, end: Partial<Turn>): Turn {
  return {
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
  };
}
