import type postgres from "postgres";

export interface Size {
  events: number;
  customers: number;
  deliveries: number;
}

/** A workspace with a history of 90 days, and what of it a reader may ask for. */
export interface LargeWorkspace {
  workspaceId: string;
  /** Newest first, of all ages. */
  customerIds: string[];
  /** A customer with a hundredth of all events. */
  busiestId: string;
  eventIds: string[];
  destinationIds: string[];
  deliveryIds: string[];
}

const batch = 250_000;
const destinations = 20;
const days = 90;

/**
 * Fills a workspace with one statement a table: what the service would have stored, with ids that
 * tell their time, partitions of the past and statistics of the planner. Deliveries are those of
 * the last 29 days; one in 50 failed. Names follow a long tail: the rarest is one in 100,000.
 */
export async function fillLargeWorkspace(
  sql: postgres.Sql,
  { workspaceId, size }: { workspaceId: string; size: Size },
): Promise<LargeWorkspace> {
  await createPastPartitions(sql);
  await insertCustomers(sql, workspaceId, size.customers);
  for (let from = 1; from <= size.events; from += batch) {
    await insertEvents(sql, workspaceId, {
      from,
      to: Math.min(from + batch - 1, size.events),
      size,
    });
  }
  await insertDestinations(sql, workspaceId);
  for (let from = 1; from <= size.deliveries; from += batch) {
    const to = Math.min(from + batch - 1, size.deliveries);
    await insertDeliveries(sql, workspaceId, { from, to, size });
  }
  await insertTotals(sql, workspaceId);
  for (const table of ["customers", "identities", "events", "webhook_messages", "deliveries"]) {
    await sql.unsafe(`vacuum (analyze) public.${table}`);
  }
  return await readSamples(sql, workspaceId);
}

async function createPastPartitions(sql: postgres.Sql): Promise<void> {
  await sql`
    select private.create_partition('events', m, m + interval '1 month')
    from generate_series(
      date_trunc('month', now(), 'UTC') - interval '4 months', date_trunc('month', now(), 'UTC'),
      interval '1 month'
    ) as m`;
  await sql`
    select private.create_partition(t, d, d + interval '1 day')
    from unnest(array['deliveries', 'webhook_messages']) as t
    cross join generate_series(
      date_trunc('day', now(), 'UTC') - interval '30 days', date_trunc('day', now(), 'UTC'),
      interval '1 day'
    ) as d`;
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

interface Range {
  from: number;
  to: number;
  size: Size;
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

async function insertDeliveries(sql: postgres.Sql, workspaceId: string, { from, to, size }: Range) {
  await sql`
    with targets as materialized (
      select array_agg(d.id order by d.id) as ids from public.destinations as d
      where d.workspace_id = ${workspaceId}
    ), messages as (
      insert into public.webhook_messages (workspace_id, id, event_type, body, created_at)
      select
        ${workspaceId}, private.uuid_v7(t.at),
        case when n % 20000 = 0 then 'account_frozen' else 'event_' || floor(40 * random() ^ 3) end,
        '{"event_type":"x","payload":' || jsonb_build_object('n', n, 'text', repeat('x', 300))::text || '}',
        t.at
      from generate_series(${from}::integer, ${to}::integer) as n
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
      m.event_type, 1, 'event', r.n >= 0.02, case when r.n >= 0.02 then 200 else 500 end, 'ok', 20,
      m.created_at
    from messages as m
    cross join targets as t
    cross join lateral (select random() + 0 * extract(epoch from m.created_at)) as r (n)`;
}

async function insertTotals(sql: postgres.Sql, workspaceId: string): Promise<void> {
  await sql`
    insert into public.usage_stats (workspace_id, hour, events, customers)
    select e.workspace_id, date_trunc('hour', e.received_at, 'UTC'), count(*), count(*) / 25
    from public.events as e where e.workspace_id = ${workspaceId} group by 1, 2`;
  await sql`
    insert into public.event_names (workspace_id, name, events, first_seen_at, last_seen_at)
    select e.workspace_id, e.name, count(*), min(e.received_at), max(e.received_at)
    from public.events as e where e.workspace_id = ${workspaceId} group by 1, 2`;
  await sql`
    insert into public.event_name_stats (workspace_id, day, name, events)
    select e.workspace_id, date_trunc('day', e.received_at, 'UTC'), e.name, count(*)
    from public.events as e where e.workspace_id = ${workspaceId} group by 1, 2, 3`;
  await sql`
    insert into public.delivery_stats (workspace_id, destination_id, hour, ok, failed)
    select
      d.workspace_id, d.destination_id, date_trunc('hour', d.attempted_at, 'UTC'),
      count(*) filter (where d.ok), count(*) filter (where not d.ok)
    from public.deliveries as d where d.workspace_id = ${workspaceId} group by 1, 2, 3`;
  await sql`
    insert into public.delivery_durations (
      workspace_id, destination_id, hour, from_ms, attempts, total_ms, max_ms
    )
    select
      d.workspace_id, d.destination_id, date_trunc('hour', d.attempted_at, 'UTC'),
      s.steps[width_bucket(d.duration_ms, s.steps)], count(*), sum(d.duration_ms), max(d.duration_ms)
    from public.deliveries as d
    cross join private.duration_steps() as s (steps)
    where d.workspace_id = ${workspaceId} group by 1, 2, 3, 4`;
  await sql`
    insert into public.audit_log (workspace_id, actor_kind, actor_id, action, created_at, id)
    select
      ${workspaceId}, 'user', gen_random_uuid(), case when n % 100 = 0 then 'api_key.create' else 'customer.update' end,
      now() - n * interval '1 minute', private.uuid_v7(now() - n * interval '1 minute')
    from generate_series(1, 10000) as n`;
}

async function readSamples(sql: postgres.Sql, workspaceId: string): Promise<LargeWorkspace> {
  const ids = async (query: postgres.PendingQuery<{ id: string }[]>) =>
    (await query).map(({ id }) => id);
  const [busiest] = await sql<{ id: string }[]>`
    select i.customer_id as id from public.identities as i
    where i.workspace_id = ${workspaceId} order by i.id limit 1`;
  return {
    workspaceId,
    busiestId: busiest!.id,
    customerIds: await ids(sql`
      select c.id from public.customers as c where c.workspace_id = ${workspaceId}
      order by md5(c.id::text) limit 500`),
    eventIds: await ids(sql`
      select e.id from public.events as e tablesample system (0.5)
      where e.workspace_id = ${workspaceId} limit 500`),
    destinationIds: await ids(sql`
      select d.id from public.destinations as d where d.workspace_id = ${workspaceId}`),
    deliveryIds: await ids(sql`
      select d.id from public.deliveries as d tablesample system (1)
      where d.workspace_id = ${workspaceId} limit 500`),
  };
}
