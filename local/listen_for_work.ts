import type { Sql } from "../supabase/functions/_shared/db/connect.ts";

/**
 * Calls `wake` when the database announces work on the channel by NOTIFY, as it does where there is
 * no pg_net, and after the connection was lost. Needs a direct connection.
 */
export async function listenForWork(
  sql: Sql,
  { channel, wake }: { channel: string; wake: () => void },
): Promise<AsyncDisposable> {
  const onNotify = (payload: string) => {
    // Any text is a worker's test of its connection.
    if (payload === "") wake();
  };
  const { unlisten } = await sql.listen(channel, onNotify, wake);
  return { [Symbol.asyncDispose]: unlisten };
}
