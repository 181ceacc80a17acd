import type { Sql } from "../_shared/db/connect.ts";
import { runTransaction } from "../_shared/db/transaction.ts";

class RollBack extends Error {}

/** Returns the result of `work` in a transaction that is rolled back. */
export async function runDry<Result>(
  sql: Sql,
  work: (tx: Sql) => Promise<Result>,
): Promise<Result> {
  let result: Result | undefined;
  try {
    await runTransaction(sql, "read write", async (tx) => {
      await tx`set local statement_timeout = '5s'`;
      result = await work(tx);
      throw new RollBack();
    });
  } catch (error) {
    if (!(error instanceof RollBack)) throw error;
  }
  return result!;
}
