import type { Definition, Step } from "../_shared/journeys/definition.ts";
import type { EndReason, Facts, RunState, Turn } from "./facts.ts";
import { takeBranch } from "./steps/branch.ts";
import { takeSend } from "./steps/send.ts";
import { takeSplit } from "./steps/split.ts";
import type { Position, StepContext, StepResult } from "./steps/step.ts";
import { takeUpdate } from "./steps/update.ts";
import { takeWait } from "./steps/wait.ts";
import { takeWaitFor } from "./steps/wait_for.ts";
import { takeWebhook } from "./steps/webhook.ts";
import { completeRun, exitRun, goOn, park, startTurn } from "./turn.ts";

/** Most steps in one turn; a run that has more to do is due again at once. */
const maxMoves = 20;

/**
 * Decides how a run moves, until it waits, ends, or needs other facts. The result depends only on
 * the arguments.
 *
 * @param now in ms since 1970
 */
export function advance(definition: Definition, run: RunState, now: number): Turn {
  const turn = startTurn(run);
  const exit = findExit(run.facts, turn.position, now);
  if (exit !== undefined) return exitRun(turn, definition.steps[run.step], exit);
  while (turn.moves.length < maxMoves) {
    const step = definition.steps[turn.step];
    if (step === undefined) return exitRun(turn, step, { reason: "failed", at: now });
    if ("exit" in step) return completeRun(turn, step);
    const { position, isPassedBy, step: id } = turn;
    const isStart = turn.moves.length === 0;
    const result = takeStep(step, { run, id, position, isStart, isPassedBy, now });
    if (!("go" in result)) {
      // Steps are left out up to the next wait that has not ended.
      if (result.wakeAt > now && result.dueAt === undefined) turn.isPassedBy = false;
      return park(turn, result);
    }
    const end = goOn(turn, step, result);
    if (end !== undefined) return end;
    if (result.endsTurn) break;
  }
  return park(turn, { wakeAt: null, dueAt: now });
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

/** Finds the first reason to end the run at any step. */
function findExit(facts: Facts, position: Position, now: number): Exit | undefined {
  if (facts.customer === null) return { reason: "deleted", at: now };
  const goal = facts.goal && { reason: "goal", at: Date.parse(facts.goal.received_at) } as const;
  const exitOn = facts.exit_on &&
    { reason: "exit_condition", at: Date.parse(facts.exit_on.received_at) } as const;
  const first = goal && exitOn ? (goal.at <= exitOn.at ? goal : exitOn) : goal ?? exitOn;
  if (first) return { ...first, at: Math.max(first.at, position.at) };
  return facts.exit_when ? { reason: "exit_condition", at: now } : undefined;
}
