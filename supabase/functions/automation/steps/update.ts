import type { UpdateStep } from "../../_shared/journeys/definition.ts";
import { goNext, type StepContext, type StepResult } from "./step.ts";

/** Changes the customer's profile. The steps after it see the changed customer. */
export function takeUpdate(step: UpdateStep, { isPassedBy }: StepContext): StepResult {
  const go = goNext(step);
  if (isPassedBy) return { go: { ...go, skipped: "passed_by" } };
  return { go, effect: { update: step.update }, endsTurn: true };
}
