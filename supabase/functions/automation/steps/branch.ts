import type { BranchStep } from "../../_shared/journeys/definition.ts";
import type { StepContext, StepResult } from "./step.ts";

/** Takes the first way whose condition the customer meets. */
export function takeBranch(step: BranchStep, { run, id, now }: StepContext): StepResult {
  for (const [place, { next }] of step.branch.entries()) {
    const answer = run.facts.answers[`${id}:${place}`];
    // The answer is not known: the run is claimed again at the step where it stands now.
    if (answer === undefined) return { wakeAt: now };
    if (answer) return { go: { way: `${place}`, to: next } };
  }
  return { go: { way: "else", to: step.else } };
}
