import { ApiError } from "../../_shared/errors/errors.ts";

/** Returns the value, or throws the same 404 for a missing row and for another workspace's row. */
export function requireFound<Value>(value: Value | undefined | null | false, noun: string): Value {
  if (value === undefined || value === null || value === false) {
    throw new ApiError("not_found", `${noun} does not exist`);
  }
  return value;
}
