import { createHash } from "node:crypto";
import type { SplitStep } from "../../_shared/journeys/definition.ts";
import type { StepContext, StepResult } from "./step.ts";

/** Takes a way at random, by the weights. A customer always takes the same way. */
export function takeSplit(step: SplitStep, { run, id }: StepContext): StepResult {
  const total = step.split.reduce((sum, { weight }) => sum + weight, 0);
  const point = pickBucket(`${run.journey_id}:${id}`, run.customer_id) / 100 * total;
  let sum = 0;
  for (const [place, { weight, next }] of step.split.entries()) {
    sum += weight;
    if (point < sum) return { go: { way: `${place}`, to: next } };
  }
  const last = step.split.length - 1;
  return { go: { way: `${last}`, to: step.split[last]!.next } };
}

/** Returns the number from 0 to below 100 that `private.pick_bucket` has for a customer. */
export function pickBucket(salt: string, customerId: string): number {
  const hash = createHash("sha256").update(`${salt}:${customerId}`).digest();
  return hash.readUInt32BE(0) / 2 ** 32 * 100;
}
