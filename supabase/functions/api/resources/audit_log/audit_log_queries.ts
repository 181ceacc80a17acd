import type { CallerSql } from "../../kernel/caller.ts";
import { orderByTime, type TimePageRequest } from "../../kernel/sorting.ts";

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

export interface AuditFilter extends TimePageRequest {
  workspaceId: string;
  /** An action, or several, separated by commas. */
  action?: string | undefined;
  /** Id of a user or of a key. */
  actorId?: string | undefined;
  entityId?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** Lists changes, newest first. */
export async function listAuditLog(tx: CallerSql, filter: AuditFilter): Promise<AuditRow[]> {
  const { workspaceId, action, actorId, entityId, since, until, limit, after, sort } = filter;
  const { start, by } = orderByTime(tx, { time: tx`a.created_at`, id: tx`a.id` }, { after, sort });
  return await tx<AuditRow[]>`
    ${selectEntries(tx, workspaceId)}
      ${start}
      ${action === undefined ? tx`` : tx`and a.action = any (string_to_array(${action}, ','))`}
      ${actorId === undefined ? tx`` : tx`and a.actor_id = ${actorId}`}
      ${entityId === undefined ? tx`` : tx`and a.entity_id = ${entityId}`}
      ${since === undefined ? tx`` : tx`and a.created_at >= ${since}::text::timestamptz`}
      ${until === undefined ? tx`` : tx`and a.created_at < ${until}::text::timestamptz`}
    order by ${by}
    limit ${limit + 1}
  `;
}

/** Returns one entry, or undefined if the caller cannot see it. */
export async function findAuditEntry(
  tx: CallerSql,
  { workspaceId, entryId }: { workspaceId: string; entryId: string },
): Promise<AuditRow | undefined> {
  // The log is in order of time, which the id has to the millisecond.
  const rows = await tx<AuditRow[]>`
    ${selectEntries(tx, workspaceId)}
      and a.id = ${entryId}
      and a.created_at between private.uuid_v7_time(${entryId}) - interval '1 second'
        and private.uuid_v7_time(${entryId}) + interval '1 second'
  `;
  return rows[0];
}

/** Selects the entries of a workspace; further conditions can follow. */
function selectEntries(tx: CallerSql, workspaceId: string) {
  return tx`
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
  `;
}

/** Tables of what has a name and an id in its workspace, by the noun of an action. */
const namedTables: Readonly<Record<string, string>> = {
  api_key: "private.api_keys",
  destination: "public.destinations",
  source: "public.inbound_sources",
  segment: "public.segments",
  journey: "public.journeys",
  campaign: "public.campaigns",
  template: "public.templates",
  topic: "public.topics",
  sender: "public.senders",
  alert_rule: "public.alert_rules",
  view: "public.views",
};

/** Finds the name of an entry's entity by its key, in the same statement. */
function nameEntity(tx: CallerSql) {
  const named = Object.entries(namedTables).map(([noun, table]) =>
    tx`
      when ${noun} then (
        select t.name from ${tx(table)} as t
        where t.workspace_id = a.workspace_id and t.id = a.entity_id::uuid
      )`
  );
  return tx`coalesce(
    case split_part(a.action, '.', 1)
      when 'workspace' then (
        select w.name from public.workspaces as w where w.id = a.entity_id::uuid
      )
      when 'member' then (select p.email from people as p where p.id = a.entity_id)
      when 'customer' then (
        select coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), c.email)
        from public.customers as c
        where c.workspace_id = a.workspace_id and c.id = a.entity_id::uuid
      )
      ${named.reduce((all, one) => tx`${all} ${one}`)}
      when 'event_definition' then a.entity_id
    end,
    a.details ->> 'name'
  )`;
}
