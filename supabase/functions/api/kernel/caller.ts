import type { ApiKey } from "../../_shared/access/auth.ts";
import type { Role } from "../contract/roles.ts";
import type { Sql } from "../../_shared/db/connect.ts";
import { throwReadFailure, throwWriteFailure } from "../../_shared/db/errors.ts";
import { retryLostRaces } from "../../_shared/db/retry.ts";
import { runTransaction } from "../../_shared/db/transaction.ts";

/** A user with a session token; `claims` are the token's verified claims. */
export interface SessionCaller {
  kind: "session";
  userId: string;
  claims: Readonly<Record<string, unknown>>;
}

/** An authenticated API key. */
export interface KeyCaller {
  kind: "key";
  key: ApiKey;
}

export type Caller = SessionCaller | KeyCaller;

/** A connection inside the caller's transaction, limited to the caller's rights. */
export type CallerSql = Sql;

/** Transaction that runs with the rights of its caller. */
export interface CallerTransaction {
  sql: Sql;
  caller: Caller;
  /** Workspace of the call; a session without one can only read and create workspaces. */
  workspaceId: string | undefined;
  isReadOnly: boolean;
}

/**
 * Runs `work` in a transaction with the caller's rights: a role without rights of its own, and
 * settings that policies read, both reset at its end. The settings are sent together with the first
 * statement of `work`, which fails if they fail. Lost races are retried.
 */
export function asCaller<Result>(
  transaction: CallerTransaction,
  work: (tx: CallerSql) => Promise<Result>,
): Promise<Result> {
  const { sql, isReadOnly } = transaction;
  const run = () =>
    runTransaction(sql, isReadOnly ? "read only" : "read write", async (tx) => {
      const become = tx`
        select set_config(s.key, s.value, true)
        from jsonb_each_text(${JSON.stringify(settingsOf(transaction))}::text::jsonb) as s
      `;
      // Awaited below; until then a failure must not count as unhandled.
      become.catch(() => {});
      const result = await work(tx);
      await become;
      return result;
    });
  return isReadOnly ? run().catch(throwReadFailure) : retryLostRaces(run).catch(throwWriteFailure);
}

function settingsOf({ caller, workspaceId }: CallerTransaction): Record<string, string> {
  // Compiling a statement takes longer than running it, and some servers compile by default.
  const jit = "off";
  if (caller.kind === "session") {
    return {
      jit,
      "role": "signalpost_user",
      "request.jwt.claims": JSON.stringify(caller.claims),
      "signalpost.acting_workspace_id": workspaceId ?? "",
    };
  }
  return {
    jit,
    "role": "signalpost_key",
    "signalpost.workspace_id": caller.key.workspaceId,
    "signalpost.scopes": [...caller.key.scopes].join(" "),
    "signalpost.api_key_id": caller.key.id,
  };
}

/** A user's membership in one workspace. */
export interface Membership {
  workspaceId: string;
  role: Role;
  /** The cell of the workspace. @default the first cell */
  cell?: string;
}

/** Line of the audit log. */
export interface AuditEntry {
  /** Action as `<noun>.<verb>`. */
  action: string;
  entityId: string;
  /** Names, ids and settings, never a secret or a customer's data. */
  details: Readonly<Record<string, unknown>>;
  requestId: string;
}

/** Adds an entry to the audit log, as the caller and within their transaction. */
export async function writeAudit(tx: CallerSql, entry: AuditEntry): Promise<void> {
  await tx`
    select private.write_audit(
      ${entry.action}, ${entry.entityId}, ${JSON.stringify(entry.details)}::text::jsonb,
      ${entry.requestId}
    )
  `;
}
