import type { CallerSql } from "../../kernel/caller.ts";
import { type PageRequest, startAfter } from "../../kernel/page_queries.ts";

/** An entry of the audit log. */
export interface AuditRow {
  id: string;
  action: string;
  actor: { kind: "user" | "api_key" | "system"; id: string | null; name: string | null };
  entity_id: string | null;
  /** Current name of the entity, or its name when it was deleted; null if it has none. */
  entity_name: string | null;
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
    with people as materialized (
      select p.id::text as id, p.email from private.workspace_people(${workspaceId}) as p
    )
    select
      a.id, a.action, a.entity_id, ${nameEntity(tx)} as entity_name, a.details, a.request_id,
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

/** Finds the name of an entry's entity by its key, in the same statement. */
function nameEntity(tx: CallerSql) {
  return tx`coalesce(
    case split_part(a.action, '.', 1)
      when 'workspace' then (
        select w.name from public.workspaces as w where w.id = a.entity_id::uuid
      )
      when 'member' then (select p.email from people as p where p.id = a.entity_id)
      when 'api_key' then (
        select k.name from private.api_keys as k
        where k.workspace_id = a.workspace_id and k.id = a.entity_id::uuid
      )
      when 'customer' then (
        select coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), c.email)
        from public.customers as c
        where c.workspace_id = a.workspace_id and c.id = a.entity_id::uuid
      )
      when 'destination' then (
        select d.name from public.destinations as d
        where d.workspace_id = a.workspace_id and d.id = a.entity_id::uuid
      )
      when 'source' then (
        select s.name from public.inbound_sources as s
        where s.workspace_id = a.workspace_id and s.id = a.entity_id::uuid
      )
    end,
    a.details ->> 'name'
  )`;
}
