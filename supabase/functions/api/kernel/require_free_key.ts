import { databaseErrorCode } from "../../_shared/db/errors.ts";
import { ApiError } from "../../_shared/errors/errors.ts";

const uniqueViolation = "23505";

/** Returns the result of a change; throws `conflict` if another resource has the new key. */
export async function requireFreeKey<Value>(
  noun: string,
  key: string | null | undefined,
  change: Promise<Value>,
): Promise<Value> {
  try {
    return await change;
  } catch (error) {
    if (databaseErrorCode(error) !== uniqueViolation) throw error;
    throw new ApiError("conflict", `Cannot change ${noun}: the key "${key}" is in use`, {
      cause: error,
    });
  }
}
