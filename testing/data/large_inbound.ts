import type postgres from "postgres";
import type { WorkspaceSize } from "./workspace_size.ts";

const sources = 10;

/**
 * Sources, what they received in 30 days and what was refused in 7. The first source received every
 * second request; one in 200 was rejected, and one refused entry in 50 was sent again. One
 * refused entry in 1,000 has another code than the rest, and one another field.
 */
export async function insertLargeInbound(
  sql: postgres.Sql,
  { workspaceId, size }: { workspaceId: string; size: WorkspaceSize },
): Promise<void> {
  await sql`
    insert into public.inbound_sources (workspace_id, name, scheme)
    select ${workspaceId}, 'Source ' || n, 'service' from generate_series(1, ${sources}::integer) as n`;
  await insertReceipts(sql, workspaceId, size.receipts);
  await insertRejectedEntries(sql, workspaceId, size.rejectedEntries);
}

async function insertReceipts(sql: postgres.Sql, workspaceId: string, count: number) {
  await sql`
    with targets as materialized (${selectSources(sql, workspaceId)})
    insert into public.inbound_receipts (
      workspace_id, source_id, id, received_at, is_verified, outcome, status_code, message_id,
      headers, body, body_bytes, accepted, rejected, results, request_id
    )
    select
      ${workspaceId}, t.ids[case when n % 2 = 0 then 1 else 1 + n % ${sources} end],
      private.uuid_v7(a.at), a.at, true, o.outcome,
      case o.outcome when 'accepted' then 200 else 422 end, 'message-' || n,
      '{"content-type": "application/json"}', '{"text": "' || repeat('x', 300) || '"}', 313,
      (o.outcome = 'accepted')::integer, (o.outcome <> 'accepted')::integer,
      jsonb_build_array(jsonb_build_object('name', 'event_' || n % 10)), gen_random_uuid()
    from targets as t
    cross join generate_series(1, ${count}::integer) as n
    cross join lateral (
      select date_trunc('milliseconds', now() - 29 * interval '1 day' * (1 - n::float / ${count}))
    ) as a (at)
    cross join lateral (
      select case when n % 200 = 0 then 'rejected' else 'accepted' end
    ) as o (outcome)`;
}

async function insertRejectedEntries(sql: postgres.Sql, workspaceId: string, count: number) {
  await sql`
    with targets as materialized (${selectSources(sql, workspaceId)})
    insert into public.rejected_entries (
      workspace_id, id, rejected_at, origin, source_id, entry, code, error, field_in_entry,
      request_id, resent_at
    )
    select
      ${workspaceId}, private.uuid_v7(a.at), a.at, d.origin,
      case d.origin when 'inbound' then t.ids[1 + n % ${sources}] end,
      '{"name": "' || repeat('x', 300) || '"}',
      case when n % 1000 = 1 then 'not_found' else 'invalid_input' end, 'Invalid input',
      case when n % 1000 = 2 then 'external_id' else 'name' end,
      gen_random_uuid(),
      case when n % 50 = 0 then a.at end
    from targets as t
    cross join generate_series(1, ${count}::integer) as n
    cross join lateral (
      select case when n % 1000 = 0 then 'segment' when n % 10 = 0 then 'inbound' else 'track' end
    ) as d (origin)
    cross join lateral (
      select date_trunc('milliseconds', now() - 6 * interval '1 day' * (1 - n::float / ${count}))
    ) as a (at)`;
}

function selectSources(sql: postgres.Sql, workspaceId: string) {
  return sql`
    select array_agg(s.id order by s.id) as ids from public.inbound_sources as s
    where s.workspace_id = ${workspaceId}`;
}
