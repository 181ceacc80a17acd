import type postgres from "postgres";
import type { WorkspaceSize } from "./workspace_size.ts";

interface Filled {
  workspaceId: string;
  size: WorkspaceSize;
}

/** Small workspaces with an owner each: other rows that a table holds. */
export async function insertNeighbours(
  sql: postgres.Sql,
  { neighbours }: WorkspaceSize,
): Promise<void> {
  // Every user who signs up gets a first workspace.
  await sql`
    insert into auth.users (id, email)
    select gen_random_uuid(), 'neighbour' || n || '@example.com'
    from generate_series(1, ${neighbours}::integer) as n`;
  await sql`
    with others as materialized (${selectNeighbours(sql)}), destinations as (
      insert into public.destinations (workspace_id, name, url, event_types)
      select o.id, 'Destination ' || n, 'https://example.com/' || n, '{order_created}'
      from others as o, generate_series(1, 3) as n
      returning workspace_id, id
    ), totals as (
      insert into public.delivery_stats (workspace_id, destination_id, hour, ok, failed)
      select d.workspace_id, d.id, date_trunc('hour', now() - n * interval '1 hour', 'UTC'), 9, 1
      from destinations as d, generate_series(1, 12) as n
    ), sources as (
      insert into public.inbound_sources (workspace_id, name, scheme)
      select o.id, 'Source ' || n, 'service' from others as o, generate_series(1, 3) as n
    ), usage as (
      insert into public.usage_stats (workspace_id, hour, events, customers)
      select o.id, date_trunc('hour', now() - n * interval '1 hour', 'UTC'), 100, 10
      from others as o, generate_series(1, 48) as n
    ), throttled as (
      insert into public.throttle_stats
      select
        o.id, date_trunc('hour', now() - n * interval '1 hour', 'UTC'), 'api', 'rate', 'user', o.id, 9
      from others as o, generate_series(1, 48) as n
    ), rejected as (
      insert into public.rejected_entry_stats (workspace_id, day, kept)
      select o.id, date_trunc('day', now() - n * interval '1 day', 'UTC'), 10
      from others as o, generate_series(1, 30) as n
    ), invitations as (
      insert into public.invitations (workspace_id, email, role)
      select o.id, 'invited' || n || '@example.com', 'viewer' from others as o, generate_series(1, 3) as n
    ), names as (
      insert into public.event_names (workspace_id, name, events, first_seen_at, last_seen_at)
      select o.id, 'event_' || n, 100, now(), now() from others as o, generate_series(1, 10) as n
      returning workspace_id, name
    )
    insert into public.event_name_stats (workspace_id, day, name, events)
    select n.workspace_id, date_trunc('day', now(), 'UTC') - d * interval '1 day', n.name, 10
    from names as n, generate_series(1, 5) as d`;
  await insertKeys(sql, selectNeighbours(sql), { each: 5, days: 0 });
}

/** Members, invitations and keys of the workspace, its log of changes, its jobs and its queue. */
export async function insertTeam(sql: postgres.Sql, { workspaceId, size }: Filled): Promise<void> {
  await sql`
    insert into public.workspace_members (workspace_id, user_id, role, created_at)
    select ${workspaceId}, u.id, 'member', now() - row_number() over (order by u.id) * interval '1 hour'
    from auth.users as u where u.email like 'neighbour%' order by u.id limit 150`;
  await sql`
    insert into public.invitations (workspace_id, email, role)
    select ${workspaceId}, 'invited' || n || '@example.com', 'viewer' from generate_series(1, 100) as n`;
  await insertKeys(sql, sql`select ${workspaceId}::uuid as id`, { each: 300, days: 30 });
  await sql`
    insert into public.audit_log (workspace_id, actor_kind, actor_id, action, created_at, id)
    select
      ${workspaceId}, 'user', md5((n % 50)::text)::uuid,
      case when n % 500 = 0 then 'api_key.create' else 'customer.update' end, t.at, private.uuid_v7(t.at)
    from generate_series(1, ${size.auditRows}::integer) as n
    cross join lateral (
      select now() - 90 * interval '1 day' * (1 - n::float / ${size.auditRows}::float)
    ) as t (at)`;
}

/** Jobs that are done, and messages whose next attempt at the first destination is far away. */
export async function insertWork(sql: postgres.Sql, { workspaceId, size }: Filled): Promise<void> {
  await sql`
    insert into public.jobs (
      workspace_id, kind, destination_id, since, until, state, done, total, finished_at
    )
    select d.workspace_id, 'replay', d.id, now() - interval '1 hour', now(), 'done', 9, 9, now()
    from public.destinations as d, generate_series(1, 5) as n`;
  await sql`
    insert into private.webhook_queue (
      workspace_id, destination_id, message_id, message_created_at, due_at, attempts, tries, trigger
    )
    select
      m.workspace_id, d.id, m.id, m.created_at, now() + interval '1 day', 3, 3, 'retry'
    from (
      select m.workspace_id, m.id, m.created_at from public.webhook_messages as m
      where m.workspace_id = ${workspaceId} order by m.created_at desc limit ${size.backlog}
    ) as m
    cross join (
      select d.id from public.destinations as d where d.workspace_id = ${workspaceId}
      order by d.id limit 1
    ) as d`;
}

/** Messages that the second destination missed, and some that were canceled at the third. */
export async function insertMissed(
  sql: postgres.Sql,
  { workspaceId, size }: Filled,
): Promise<void> {
  await sql`
    with messages as materialized (
      select m.workspace_id, m.id, m.created_at from public.webhook_messages as m
      where m.workspace_id = ${workspaceId} order by m.created_at desc limit ${size.backlog}
    ), destinations as materialized (
      select array_agg(d.id order by d.id) as ids from public.destinations as d
      where d.workspace_id = ${workspaceId}
    ), canceled as (
      insert into public.canceled_messages (
        workspace_id, destination_id, message_id, message_created_at, canceled_at
      )
      select m.workspace_id, d.ids[3], m.id, m.created_at, m.created_at
      from messages as m, destinations as d
    )
    insert into public.missed_messages (
      workspace_id, destination_id, message_id, message_created_at
    )
    select m.workspace_id, d.ids[2], m.id, m.created_at
    from messages as m, destinations as d`;
}

/** Keys of each workspace, made so many days ago. */
async function insertKeys(
  sql: postgres.Sql,
  workspaces: postgres.PendingQuery<postgres.Row[]>,
  { each, days }: { each: number; days: number },
): Promise<void> {
  await sql`
    insert into private.api_keys (hash, workspace_id, id, name, last_four, scopes, revoked_at)
    select
      sha256(uuid_send(gen_random_uuid())), w.id,
      private.uuid_v7(now() - ${days} * interval '1 day' + n * interval '1 second'),
      'Key ' || n, 'abcd', '{track:write}', case when n > 50 then now() end
    from (${workspaces}) as w, generate_series(1, ${each}::integer) as n`;
}

function selectNeighbours(sql: postgres.Sql) {
  return sql`
    select m.workspace_id as id
    from auth.users as u
    join public.workspace_members as m on m.user_id = u.id and m.role = 'owner'
    where u.email like 'neighbour%'`;
}

/** Sessions of other users, in the table of Supabase Auth where Auth itself has not made it. */
export async function insertSessions(sql: postgres.Sql): Promise<void> {
  const [auth] = await sql`select to_regclass('auth.sessions') is not null as is_there`;
  if (auth!.is_there) return;
  await sql`
    create table auth.sessions (
      id uuid primary key, user_id uuid not null, created_at timestamptz, refreshed_at timestamp
    )`;
  await sql`create index sessions_user_id_idx on auth.sessions (user_id)`;
  await sql`
    insert into auth.sessions
    select gen_random_uuid(), gen_random_uuid(), now(), now() from generate_series(1, 2000)`;
}
