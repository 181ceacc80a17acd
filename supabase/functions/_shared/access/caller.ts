import type { ApiKey } from "./auth.ts";
import type { Sql } from "../db/connect.ts";
import { throwReadFailure, throwWriteFailure } from "../db/errors.ts";
import { retryLostRaces } from "../db/retry.ts";
import { runTransaction } from "../db/transaction.ts";

/** Roles of a user in a workspace, from the most powerful to the least. */
export const roles = ["owner", "admin", "member", "viewer"] as const;
export type Role = (typeof roles)[number];

/** A user by their session token; `claims` are the token's own, already verified. */
export interface SessionCaller {
  kind: "session";
  userId: string;
  claims: Readonly<Record<string, unknown>>;
}

/** A scoped key, already authenticated. */
export interface KeyCaller {
  kind: "key";
  key: ApiKey;
}

export type Caller = SessionCaller | KeyCaller;

/** Statements inside of the caller's transaction; there is no way out to other rights. */
export type CallerSql = Sql;

/** Transaction that runs with the rights of its caller. */
export interface CallerTransaction {
  sql: Sql;
  caller: Caller;
  /** The workspace the call is about; a session without one can only read and make workspaces. */
  workspaceId: string | undefined;
  isReadOnly: boolean;
}

/**
 * Runs `work` in a transaction that is the caller: a role without rights of its own, and settings
 * that policies read, all gone at its end. Settings travel together with the first statement of
 * `work`, which fails with them. Lost races are run again.
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
  // To compile a statement takes longer than to run it, and some servers do so by default.
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

/** One workspace of a user. */
export interface Membership {
  workspaceId: string;
  role: Role;
}

/** Line of the audit log. */
export interface AuditEntry {
  /** What was done, `<noun>.<verb>`. */
  action: string;
  entityId: string;
  /** Names and ids only, never a secret or a customer's data. */
  details: Readonly<Record<string, unknown>>;
  requestId: string;
}

/** Adds to the audit log, in the caller's name and within their transaction. */
export async function writeAudit(tx: CallerSql, entry: AuditEntry): Promise<void> {
  await tx`
    select private.write_audit(
      ${entry.action}, ${entry.entityId}, ${JSON.stringify(entry.details)}::text::jsonb,
      ${entry.requestId}
    )
  `;
}
