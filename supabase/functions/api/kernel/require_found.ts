import { ApiError } from "../../_shared/platform/errors.ts";

/** What was found, or a 404 that is the same whether it is missing or somebody else's. */
export function requireFound<Value>(value: Value | undefined | null | false, noun: string): Value {
  if (value === undefined || value === null || value === false) {
    throw new ApiError("not_found", `${noun} does not exist`);
  }
  return value;
}
