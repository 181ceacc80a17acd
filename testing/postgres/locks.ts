import type postgres from "postgres";

const patienceMs = 30_000;

/** Resolves when so many statements of this database wait for a lock. */
export async function lockIsAwaited(sql: postgres.Sql, count = 1): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    const waiting = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    if (waiting.length >= count) return;
  }
  throw new Error("Cannot continue: nothing waits for a lock");
}

/** Work over one connection. */
export type Step<Result = unknown> = (sql: postgres.Sql) => PromiseLike<Result>;

/** Runs `first` in a transaction that commits once `second`, in one of its own, waits for it. */
export async function interleave<First, Second>(
  sql: postgres.Sql,
  first: Step<First>,
  second: Step<Second>,
): Promise<[First, Second]> {
  const connection = await sql.reserve();
  try {
    await connection`begin`;
    const result = await first(connection);
    const later = Promise.resolve(second(sql));
    later.catch(() => {});
    await lockIsAwaited(sql);
    await connection`commit`;
    return [result, await later];
  } finally {
    await connection`rollback`;
    connection.release();
  }
}

/** Holds a lock on a whole table, which all others wait for, until the scope ends. */
export async function lockTable(sql: postgres.Sql, table: string): Promise<AsyncDisposable> {
  return await hold(
    sql,
    (session) => session`lock table ${session(table)} in access exclusive mode`,
  );
}

/** Locks the customers of a workspace until the scope ends, as a change of each does. */
export async function lockCustomers(
  sql: postgres.Sql,
  workspaceId: string,
): Promise<AsyncDisposable> {
  return await hold(
    sql,
    (session) =>
      session`select from public.customers where workspace_id = ${workspaceId} for update`,
  );
}

/** Begins a transaction with a statement, and holds its locks until the scope ends. */
async function hold(
  sql: postgres.Sql,
  lock: (session: postgres.Sql) => Promise<unknown>,
): Promise<AsyncDisposable> {
  const session = await sql.reserve();
  await session`begin`;
  await lock(session);
  return {
    async [Symbol.asyncDispose]() {
      await session`rollback`;
      session.release();
    },
  };
}
