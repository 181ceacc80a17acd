import type { Sql } from "./connect.ts";
import { isConnectionLost } from "./errors.ts";

/** What is never answered, for there is nobody left to be told. */
const never = new Promise<never>(() => {});

/**
 * Runs `work` in a transaction. Once the connection is lost, nothing more is asked of it: the driver
 * would write to a socket that is gone, beyond every `catch` (porsager/postgres #1208), or send the
 * rest of `work` with the transaction of whoever has the connection next (#1216).
 *
 * @param mode what follows `begin`: `read only`, `read write`
 */
export async function runTransaction<Result>(
  sql: Sql,
  mode: string,
  work: (tx: Sql) => Promise<Result>,
): Promise<Result> {
  let isLost = false;
  const { promise: lost, reject } = Promise.withResolvers<never>();
  const outcome = sql.begin(mode, async (driver) => {
    try {
      return await work(guard(driver as unknown as Sql, () => isLost));
    } catch (error) {
      if (!isLost && !isConnectionLost(error)) throw error;
      // Thrown here, it would make the driver roll back.
      reject(error);
      return await never;
    }
  });
  outcome.catch(() => isLost = true);
  return await Promise.race([outcome as Promise<Result>, lost]);
}

function guard(tx: Sql, isLost: () => boolean): Sql {
  return new Proxy(tx, {
    apply: (target, self, args) => isLost() ? never : Reflect.apply(target, self, args),
  });
}
