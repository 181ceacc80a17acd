import type { Sql } from "../supabase/functions/_shared/db/connect.ts";
import { workChannel } from "../supabase/functions/webhook-dispatch/dispatch_queue.ts";

/**
 * Calls `wake` when the database asks for a dispatcher by NOTIFY, as it does where there is no
 * pg_net, and after the connection was lost. Needs a direct connection.
 */
export async function listenForWork(sql: Sql, wake: () => void): Promise<AsyncDisposable> {
  const onNotify = (payload: string) => {
    // Any text is a dispatcher's test of its connection.
    if (payload === "") wake();
  };
  const { unlisten } = await sql.listen(workChannel, onNotify, wake);
  return { [Symbol.asyncDispose]: unlisten };
}
