import type { Sql } from "./connect.ts";
import { isOutcomeUnknown, markUnsent } from "./errors.ts";

/**
 * Runs `work` in a transaction. If its connection is lost, every later statement of `work` is
 * rejected. A connection lost before "commit" was sent has certainly changed nothing, and the error
 * is marked accordingly.
 *
 * @param mode text after `begin`: `read only`, `read write`
 */
export async function runTransaction<Result>(
  sql: Sql,
  mode: string,
  work: (tx: Sql) => Promise<Result>,
): Promise<Result> {
  let isCommitting = false;
  try {
    const outcome = await sql.begin(mode, async (tx) => {
      const result = await work(tx as unknown as Sql);
      isCommitting = true;
      return result;
    });
    return outcome as Result;
  } catch (error) {
    throw !isCommitting && isOutcomeUnknown(error) ? markUnsent(error) : error;
  }
}
