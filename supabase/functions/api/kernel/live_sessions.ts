import type { Membership, SessionCaller } from "./caller.ts";
import { uuidForm } from "../../_shared/ids/uuid.ts";
import type { Sql } from "../../_shared/db/connect.ts";

/** State of a token's session, as Supabase Auth reports it now. */
export type SessionState = "active" | "banned" | "deleted" | "signed_out";

/** A user's current session. */
export interface LiveSession {
  state: SessionState;
  /** The user's workspaces, oldest membership first; empty unless the session is active. */
  memberships: Membership[];
  /** Cells with workspaces of the user. @default the first cell */
  cells?: readonly string[];
}

/** The workspaces that a call is about. */
export interface AskedWorkspaces {
  /** False for a call that is about no workspace: only the first cell is asked for memberships. */
  isAny: boolean;
  /** The only one, if the call names it. */
  named: string | undefined;
}

/** Looks up the session of a caller. */
export type FindSession = (caller: SessionCaller, asked: AskedWorkspaces) => Promise<LiveSession>;

/** Looks up a session in one statement. A token without a session id is checked by user only. */
export async function findSession(
  sql: Sql,
  { userId, claims }: SessionCaller,
): Promise<LiveSession> {
  const { session_id: id } = claims;
  const sessionId = typeof id === "string" && uuidForm.test(id) ? id : null;
  const rows = await sql<(Membership & { state: SessionState })[]>`
    select s.state, m.workspace_id as "workspaceId", m.role
    from private.session_state(${userId}, ${sessionId}) as s (state)
    left join lateral private.user_memberships(${userId}) as m on s.state = 'active'
  `;
  const memberships = rows.filter(({ workspaceId }) => workspaceId !== null)
    .map(({ workspaceId, role }) => ({ workspaceId, role }));
  return { state: rows[0]!.state, memberships };
}

/** Lists a user's memberships in the cell behind `sql`, oldest first. */
export async function listMemberships(sql: Sql, userId: string): Promise<Membership[]> {
  return await sql<Membership[]>`
    select m.workspace_id as "workspaceId", m.role from private.user_memberships(${userId}) as m
  `;
}
