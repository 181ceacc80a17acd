import type { CallerSql } from "../../kernel/caller.ts";
import { type PageRequest, startAfter } from "../../kernel/page_queries.ts";

/** An entry of the audit log. */
export interface AuditRow {
  id: string;
  action: string;
  actor: { kind: "user" | "api_key" | "system"; id: string | null; name: string | null };
  entity_id: string | null;
  details: Record<string, unknown>;
  request_id: string | null;
  created_at: string;
  /** Creation time in microseconds, for the cursor. */
  position_at: string;
}

export interface AuditFilter extends PageRequest {
  workspaceId: string;
  action?: string | undefined;
  /** Id of a user or of a key. */
  actorId?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** Lists changes, newest first. */
export async function listAuditLog(tx: CallerSql, filter: AuditFilter): Promise<AuditRow[]> {
  const { workspaceId, action, actorId, since, until, limit, after } = filter;
  return await tx<AuditRow[]>`
    select
      a.id, a.action, a.entity_id, a.details, a.request_id,
      jsonb_build_object('kind', a.actor_kind, 'id', a.actor_id, 'name', a.actor_name) as actor,
      private.rfc3339(a.created_at) as created_at,
      to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as position_at
    from public.audit_log as a
    where a.workspace_id = ${workspaceId}
      ${startAfter(tx, { time: tx`a.created_at`, id: tx`a.id` }, after)}
      ${action === undefined ? tx`` : tx`and a.action = ${action}`}
      ${actorId === undefined ? tx`` : tx`and a.actor_id = ${actorId}`}
      ${since === undefined ? tx`` : tx`and a.created_at >= ${since}::text::timestamptz`}
      ${until === undefined ? tx`` : tx`and a.created_at < ${until}::text::timestamptz`}
    order by a.created_at desc, a.id desc
    limit ${limit + 1}
  `;
}
