import type postgres from "postgres";
import type { WorkspaceSize } from "./workspace_size.ts";

const batch = 250_000;
const destinations = 20;
const days = 90;

/** Customers with their ids, the events and what was delivered of them. */
export async function insertHistory(
  sql: postgres.Sql,
  { workspaceId, size }: { workspaceId: string; size: WorkspaceSize },
): Promise<void> {
  await insertCustomers(sql, workspaceId, size.customers);
  await insertTraces(sql, workspaceId);
  for (const [from, to] of batchesOf(size.events)) {
    await insertEvents(sql, workspaceId, { from, to, size });
  }
  await insertDestinations(sql, workspaceId);
  for (const [from, to] of batchesOf(size.deliveries)) {
    await insertDeliveries(sql, workspaceId, { from, to, size });
  }
  await insertSentEvents(sql, workspaceId);
}

function batchesOf(count: number): [from: number, to: number][] {
  return Array.from({ length: Math.ceil(count / batch) }, (_, i) => {
    return [i * batch + 1, Math.min((i + 1) * batch, count)];
  });
}

async function insertCustomers(sql: postgres.Sql, workspaceId: string, count: number) {
  await sql`
    with people as (
      insert into public.customers (
        workspace_id, id, email, first_name, last_name, country, attributes, created_at, updated_at
      )
      select
        ${workspaceId}, private.uuid_v7(t.at),
        lower(f.name || '.' || l.name || n || '@example.com'), f.name, l.name || n % 1000, 'DE',
        jsonb_build_object('tier', n % 3, 'n', n), t.at, t.at
      from generate_series(1, ${count}::integer) as n
      cross join lateral (
        select (array['Ada', 'Grace', 'Linus', 'Barbara', 'Ken', 'Radia', 'Donald', 'Margaret'])[1 + n % 8]
      ) as f (name)
      cross join lateral (
        select (array['Lovelace', 'Hopper', 'Torvalds', 'Liskov', 'Thompson', 'Perlman'])[1 + n % 6]
      ) as l (name)
      cross join lateral (
        select date_trunc('milliseconds', now() - ${days} * interval '1 day' * (1 - n::float / ${count}))
      ) as t (at)
      returning id, created_at
    )
    insert into public.identities (workspace_id, kind, value, customer_id, created_at)
    select ${workspaceId}, 'external', 'user-' || row_number() over (order by p.id), p.id, p.created_at
    from people as p`;
  await sql`
    insert into public.identities (workspace_id, kind, value, customer_id)
    select ${workspaceId}, 'anon', 'browser-' || i.id, i.customer_id
    from public.identities as i
    where i.workspace_id = ${workspaceId} and i.kind = 'external' and i.id % 2 = 0`;
}

/** Device tokens of every other customer, merges of every tenth, and hundreds of the busiest. */
async function insertTraces(sql: postgres.Sql, workspaceId: string): Promise<void> {
  await sql`
    with owners as (
      select i.customer_id as id, i.id as identity_id, i.created_at as at, 0 as n
      from public.identities as i where i.workspace_id = ${workspaceId} and i.kind = 'external'
      union all
      select b.id, null, now() - g.n * interval '1 minute', g.n
      from (${selectBusiest(sql, workspaceId)}) as b, generate_series(1, 300) as g (n)
    ), tokens as (
      insert into public.device_tokens (workspace_id, customer_id, token, platform, created_at)
      select ${workspaceId}, o.id, 'token-' || gen_random_uuid(), 'ios', o.at
      from owners as o where o.n > 0 or o.identity_id % 2 = 0
    )
    insert into public.customer_merges (
      workspace_id, id, customer_id, merged_customer_id, cause, identity_ids, profile, merged_at
    )
    select
      ${workspaceId}, private.uuid_v7(o.at), o.id, gen_random_uuid(), 'alias',
      array_remove(array[o.identity_id], null), '{}', o.at
    from owners as o where o.n > 0 or o.identity_id % 10 = 0`;
}

interface Range {
  from: number;
  to: number;
  size: WorkspaceSize;
}

async function insertEvents(sql: postgres.Sql, workspaceId: string, { from, to, size }: Range) {
  await sql`
    with bounds as (
      select min(i.id) as first, count(*) as total from public.identities as i
      where i.workspace_id = ${workspaceId}
    )
    insert into public.events (
      workspace_id, id, kind, identity_id, name, occurred_at, received_at, properties, context
    )
    select
      ${workspaceId}, private.uuid_v7(t.at), 'event',
      b.first + case when n % 100 = 0 then 0 else floor(random() * b.total)::bigint end,
      case when n % 100000 = 0 then 'account_frozen' else 'event_' || floor(40 * random() ^ 3) end,
      t.at, t.at,
      jsonb_build_object('total', n % 500, 'currency', 'EUR', 'path', '/products/' || n % 9999),
      '{"ip": "203.0.113.7", "ua": "Mozilla/5.0 (X11; Linux x86_64)"}'
    from bounds as b
    cross join generate_series(${from}::integer, ${to}::integer) as n
    cross join lateral (
      select date_trunc('milliseconds',
        now() - ${days} * interval '1 day' * (1 - n::float / ${size.events}::float))
    ) as t (at)`;
}

async function insertDestinations(sql: postgres.Sql, workspaceId: string): Promise<void> {
  await sql`
    insert into public.destinations (workspace_id, name, url, event_types)
    select ${workspaceId}, 'Destination ' || n, 'https://example.com/' || n, '{order_created}'
    from generate_series(1, ${destinations}::integer) as n`;
}

/** A tenth of the messages is about the busiest customer, and a tenth about records merged into it. */
async function insertDeliveries(sql: postgres.Sql, workspaceId: string, { from, to, size }: Range) {
  await sql`
    with targets as materialized (
      select array_agg(d.id order by d.id) as ids from public.destinations as d
      where d.workspace_id = ${workspaceId}
    ), people as materialized (
      select
        b.id as busiest_id,
        array(
          select g.merged_customer_id from public.customer_merges as g
          where g.workspace_id = ${workspaceId} and g.customer_id = b.id order by g.id desc limit 20
        ) as merged_ids,
        array(
          select c.id from public.customers as c
          where c.workspace_id = ${workspaceId} order by md5(c.id::text) limit 1000
        ) as ids
      from (${selectBusiest(sql, workspaceId)}) as b
    ), messages as (
      insert into public.webhook_messages (
        workspace_id, id, event_type, customer_id, body, created_at
      )
      select
        ${workspaceId}, private.uuid_v7(t.at),
        case when n % 20000 = 0 then 'account_frozen' else 'event_' || floor(40 * random() ^ 3) end,
        case n % 10
          when 0 then p.busiest_id
          when 1 then p.merged_ids[1 + n / 10 % 20]
          when 2 then null
          else p.ids[1 + n % 1000]
        end,
        '{"event_type":"x","payload":' || jsonb_build_object('n', n, 'text', repeat('x', 300))::text || '}',
        t.at
      from people as p
      cross join generate_series(${from}::integer, ${to}::integer) as n
      cross join lateral (
        select date_trunc('milliseconds',
          now() - 29 * interval '1 day' * (1 - n::float / ${size.deliveries}::float))
      ) as t (at)
      returning id, event_type, created_at
    )
    insert into public.deliveries (
      workspace_id, id, destination_id, message_id, message_created_at, event_type,
      attempt_number, trigger, ok, status_code, response_snippet, duration_ms, attempted_at
    )
    select
      ${workspaceId}, m.id, t.ids[1 + floor(random() * ${destinations})::integer], m.id, m.created_at,
      m.event_type, 1, 'event', r.n >= 0.02, case when r.n >= 0.02 then 200 else 500 end, 'ok',
      5 + floor(3000 * r.n ^ 9)::integer,
      m.created_at
    from messages as m
    cross join targets as t
    cross join lateral (select random() + 0 * extract(epoch from m.created_at)) as r (n)`;
}

/** Events of the last weeks whose messages carry their ids, as those the service makes do. */
async function insertSentEvents(sql: postgres.Sql, workspaceId: string): Promise<void> {
  await sql`
    with sent as materialized (
      select e.id as event_id, e.name, t.at, private.uuid_v7(t.at) as id
      from public.events as e
      cross join lateral (
        select date_trunc('milliseconds', e.received_at + interval '5 milliseconds')
      ) as t (at)
      where e.workspace_id = ${workspaceId} and e.received_at > now() - interval '28 days'
      order by md5(e.id::text)
      limit 200
    ), messages as (
      insert into public.webhook_messages (workspace_id, id, event_type, body, created_at)
      select
        ${workspaceId}, s.id, s.name,
        jsonb_build_object('event_type', s.name, 'event_id', s.event_id)::text, s.at
      from sent as s
    )
    insert into public.deliveries (
      workspace_id, id, destination_id, message_id, message_created_at, event_type,
      attempt_number, trigger, ok, status_code, duration_ms, attempted_at
    )
    select
      ${workspaceId}, private.uuid_v7(s.at), d.id, s.id, s.at, s.name, 1, 'event', true, 200, 20, s.at
    from sent as s
    cross join lateral (
      select d.id from public.destinations as d where d.workspace_id = ${workspaceId} limit 3
    ) as d`;
}

/** Selects the customer with a hundredth of all events. */
export function selectBusiest(sql: postgres.Sql, workspaceId: string) {
  return sql<{ id: string }[]>`
    select i.customer_id as id from public.identities as i
    where i.workspace_id = ${workspaceId} order by i.id limit 1`;
}
