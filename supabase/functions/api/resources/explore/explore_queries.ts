import type { TransactionSql } from "postgres";
import type { Sql } from "../../../_shared/db/connect.ts";
import { isTimeout } from "../../../_shared/db/errors.ts";
import { ApiError } from "../../../_shared/errors/errors.ts";
import type { Call } from "../../kernel/route.ts";
import { runCancellable } from "../../kernel/run_cancellable.ts";

/** The functions that explore events. */
export type Exploration = "counts" | "funnel" | "retention" | "paths";

type ExploreCall = Pick<Call, "tx" | "workspaceId" | "signal">;

/** A question to the events. */
interface Question {
  kind: Exploration;
  query: unknown;
  /** False if all events are read in any case: a second try would read as much. */
  isSampled: boolean;
}

/**
 * Runs an exploration within 2 s, unless the caller leaves before. If the database is too slow for
 * it, a smaller sample is read. At most 2 of a workspace run at once.
 *
 * @throws {ApiError} `rate_limited` if all places are taken, `invalid_input` after 2 s
 */
export async function explore<Result>(
  { tx, workspaceId, signal }: ExploreCall,
  { kind, query, isSampled }: Question,
): Promise<Result> {
  const places = await tx<{ place: string }[]>`
    select private.begin_exploration(${workspaceId}, ${isSampled}) as place
  `;
  requirePlace(places[0]?.place);
  const read = async (sql: Sql) => {
    const statement = sql<{ result: Result }[]>`
      select ${sql(`private.explore_${kind}`)}(
        ${workspaceId}, ${JSON.stringify(query)}::text::jsonb
      ) as result
    `;
    const rows = await runCancellable(statement, signal);
    return rows[0]!.result;
  };
  if (isSampled) {
    try {
      return await inSavepoint(tx, read);
    } catch (error) {
      if (!isTimeout(error) || signal.aborted) throw error;
    }
    await tx`select private.shorten_exploration()`;
  }
  try {
    return await read(tx);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    const message = "Exploring took over 2 s: use a shorter time range, or fewer tests";
    throw new ApiError("invalid_input", message, { cause: error });
  }
}

/** Runs statements so that the transaction survives if one fails. */
async function inSavepoint<Result>(
  tx: Sql,
  run: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  // The rest of the api does not need to know that its connection is in a transaction.
  const transaction = tx as unknown as TransactionSql;
  return await transaction.savepoint((sql) => run(sql as unknown as Sql)) as Result;
}

function requirePlace(place: string | undefined): void {
  if (place === "begun") return;
  const message = place === "workspace"
    ? "Cannot explore: two explorations of the workspace are running"
    : "Cannot explore: too many explorations are running";
  throw new ApiError("rate_limited", message, { headers: { "Retry-After": "1" } });
}
