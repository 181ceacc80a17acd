import type { Effect, Outcome, RunState } from "../facts.ts";

/** An instant, or an event at that instant. Both decide which events came after it. */
export interface Position {
  /** In ms since 1970. */
  at: number;
  /** Id of the event; zeros for none. */
  id: string;
}

/** Event id of a position that was not made by an event. */
export const noEvent = "00000000-0000-0000-0000-000000000000";

/** Facts that a step decides by. */
export interface StepContext {
  run: RunState;
  /** Id of the step. */
  id: string;
  position: Position;
  /** True if the run stood at the step when it was claimed. */
  isStart: boolean;
  isPassedBy: boolean;
  /** In ms since 1970. */
  now: number;
}

/** Decision of a step. */
export type StepResult =
  /** The run continues; `endsTurn` if facts must be read again before the next step. */
  | {
    go: Outcome;
    position?: Position;
    effect?: Effect;
    endsTurn?: boolean;
    /** Ends the run with this reason although the step has a way. */
    fails?: boolean;
  }
  /** The run stays until `wakeAt`; `dueAt` is when to look again, if earlier. In ms since 1970. */
  | { wakeAt: number; dueAt?: number };

/** Returns the outcome of the way "next". */
export function goNext(step: { next?: string }): Outcome {
  return { way: "next", to: step.next ?? null };
}
