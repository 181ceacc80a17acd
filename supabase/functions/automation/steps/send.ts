import type { SendStep } from "../../_shared/journeys/definition.ts";
import { readDuration } from "../local_time.ts";
import { goNext, type StepContext, type StepResult } from "./step.ts";

/** Creates a send, unless its turn comes too late. */
export function takeSend(step: SendStep, { position, isPassedBy, now }: StepContext): StepResult {
  const { template, sender, topic, not_after, on_cap = "skip" } = step.send;
  const lastAt = position.at + readDuration(not_after ?? "24h");
  const go = goNext(step);
  if (isPassedBy) return { go: { ...go, skipped: "passed_by" } };
  if (now > lastAt) return { go: { ...go, skipped: "late" } };
  const send = { template, sender, topic: topic ?? null, on_cap };
  return { go, effect: { send: { ...send, not_after: new Date(lastAt).toISOString() } } };
}
