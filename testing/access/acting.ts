import type postgres from "postgres";

/** The roles of the Data API: nobody signed in, a session, and a secret key. */
export const dataApiRoles = ["anon", "authenticated", "service_role"] as const;
export type DataApiRole = (typeof dataApiRoles)[number];

/** Role and settings that a statement runs with. */
export interface Actor {
  role:
    | "signalpost_user"
    | "signalpost_key"
    | "signalpost_ingest"
    | "signalpost_dispatch"
    | "signalpost_send"
    | "signalpost_automation"
    | "signalpost_links"
    | DataApiRole;
  /** User of a session. */
  userId?: string;
  /** The workspace that the request of a session names. */
  actingWorkspaceId?: string | undefined;
  /** The workspace and the scopes of a key. */
  workspaceId?: string;
  scopes?: readonly string[];
}

export type Outcome = { rows: number } | { code: string };

class RollBack extends Error {}

/** Runs one statement as somebody and takes it back; its count of rows, or its SQLSTATE. */
export async function tryAs(
  sql: postgres.Sql,
  actor: Actor,
  statement: string,
): Promise<Outcome> {
  let outcome: Outcome = { rows: 0 };
  try {
    await sql.begin(async (tx) => {
      const claims = actor.userId
        ? JSON.stringify({ sub: actor.userId, role: "authenticated" })
        : "";
      await tx`
        select
          set_config('request.jwt.claims', ${claims}, true),
          set_config('signalpost.acting_workspace_id', ${actor.actingWorkspaceId ?? ""}, true),
          set_config('signalpost.workspace_id', ${actor.workspaceId ?? ""}, true),
          set_config('signalpost.scopes', ${(actor.scopes ?? []).join(" ")}, true),
          set_config('role', ${actor.role}, true)`;
      outcome = { rows: (await tx.unsafe(statement)).count };
      throw new RollBack();
    });
  } catch (error) {
    if (error instanceof RollBack) return outcome;
    return { code: (error as postgres.PostgresError).code };
  }
  return outcome;
}
