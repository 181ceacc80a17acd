import type { z } from "zod";
import { invalidInput } from "../../../_shared/errors/errors.ts";
import type { newCounts } from "../../contract/explore.ts";

/** Quality of an exploration: exact, or an estimate from a share of all. */
export interface Quality {
  is_exact: boolean;
  sampled_share: number;
}

/** Describes the quality of a result that was read from this share. */
export function describeQuality(share: number): Quality {
  return { is_exact: share === 1, sampled_share: share };
}

/** Returns the estimate for all events or customers, from the number in a sample. */
export function scale(count: number, share: number): number {
  return Math.round(count / share);
}

/**
 * Returns the estimate of a measure for all events, from its number in a sample. Without a number,
 * an average is null and anything else 0. An average is not scaled.
 *
 * @throws {ApiError} `invalid_input` if a sum is beyond a 64-bit float
 */
export function scaleMeasure(
  number: number | undefined,
  { measure, share }: { measure: z.output<typeof newCounts>["measure"]; share: number },
): number | null {
  if (measure === "average") return number ?? null;
  if (measure !== "sum") return scale(number ?? 0, share);
  const sum = (number ?? 0) / share;
  if (Number.isFinite(sum)) return sum;
  const message = "must have numbers whose sum is within the range of a 64-bit float";
  throw invalidInput([{ field: "value", message }]);
}
