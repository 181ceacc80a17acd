import type { CallerSql } from "./caller.ts";
import { lastUuid, type PageRequest } from "./pages.ts";

/** A change as the api shows it. */
export interface AuditRow {
  id: string;
  action: string;
  actor: { kind: "user" | "api_key"; id: string; name: string | null };
  entity_id: string | null;
  details: Record<string, unknown>;
  request_id: string | null;
  created_at: string;
}

export interface AuditFilter extends PageRequest {
  workspaceId: string;
  action?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** Who changed what, newest first. */
export async function listAuditLog(tx: CallerSql, filter: AuditFilter): Promise<AuditRow[]> {
  const { workspaceId, action, since, until, limit, after } = filter;
  return await tx<AuditRow[]>`
    select
      a.id, a.action, a.entity_id, a.details, a.request_id,
      jsonb_build_object('kind', a.actor_kind, 'id', a.actor_id, 'name', a.actor_name) as actor,
      private.rfc3339(a.created_at) as created_at
    from public.audit_log as a
    where a.workspace_id = ${workspaceId} and a.id < ${after?.[0] ?? lastUuid}
      ${action === undefined ? tx`` : tx`and a.action = ${action}`}
      ${since === undefined ? tx`` : tx`and a.created_at >= ${since}::text::timestamptz`}
      ${until === undefined ? tx`` : tx`and a.created_at < ${until}::text::timestamptz`}
    order by a.id desc
    limit ${limit + 1}
  `;
}
