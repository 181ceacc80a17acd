import type postgres from "postgres";

/** Range of events to add to a workspace: those after `from`, up to `to`. */
export interface Growth {
  workspaceId: string;
  from: number;
  to: number;
}

/** Number of customers with a hundred events each, spread over all days, at each size. */
export const probes = 30;
const eventsPerProbe = 100;
const eventsPerCustomer = 20;
const eventsPerMessage = 20;
const days = 90;
const sentDays = 29;
const destinations = 20;
const batch = 250_000;
const parallel = 2;
/** Ids of identities, which events are computed from: no look-up per event. */
const firstIdentity = 10_000_000_000;
const firstProbe = 30_000_000_000;

/** External id of a probe, at the size that was reached by `to` events. */
export function probeId(to: number, i: number): string {
  return `probe-${to}-${i % probes}`;
}

/** Number of customers at a size. */
export function countCustomers(events: number): number {
  return Math.max(500, events / eventsPerCustomer);
}

/** Number of deliveries that exist at a size. */
export function countDeliveries(events: number): number {
  return Math.max(2_000, events / eventsPerMessage);
}

/**
 * Adds events as the service would have stored them, in a few statements: 90 days, a twentieth as
 * many customers, a message and a delivery for every twentieth event, idempotency keys of a day.
 * Visitors have a heavy tail: the n-th has a share of 1/n, so the first has 7 % of 20 million.
 */
export async function addHistory(sql: postgres.Sql, growth: Growth): Promise<void> {
  const { workspaceId, from, to } = growth;
  const known = from === 0 ? 0 : countCustomers(from);
  await addCustomers(sql, { workspaceId, from: known, to: countCustomers(to) });
  await addProbes(sql, growth);
  await inBatches({ from, to }, (range) => addEvents(sql, { ...growth, ...range }, growth));
  await addKeys(sql, growth);
  if (from === 0) await addDestinations(sql, workspaceId);
  const sent = { from: from === 0 ? 0 : countDeliveries(from), to: countDeliveries(to) };
  await inBatches(sent, (range) => addDeliveries(sql, { workspaceId, ...range }, sent));
  await sql`
    vacuum (analyze) public.events, public.customers, public.identities, private.idempotency_keys,
      public.webhook_messages, public.deliveries, private.webhook_queue, private.lanes`;
  await sql`checkpoint`;
}

/** Runs `work` for ranges of a quarter million, two at a time. */
async function inBatches(
  { from, to }: { from: number; to: number },
  work: (range: { from: number; to: number }) => Promise<unknown>,
): Promise<void> {
  let next = from;
  await Promise.all(Array.from({ length: parallel }, async () => {
    while (next < to) {
      const start = next;
      next = Math.min(to, start + batch);
      await work({ from: start, to: next });
    }
  }));
}

/** As `private.uuid_v7`, but part of the statement, which is several times as fast. */
function uuidOf(sql: postgres.Sql) {
  return sql`encode(
    substring(int8send(floor(extract(epoch from t.at) * 1000)::bigint) from 3)
      || int2send((28672 + (random() * 4095)::integer)::smallint)
      || substring(uuid_send(gen_random_uuid()) from 9), 'hex')::uuid`;
}

async function addCustomers(sql: postgres.Sql, { workspaceId, from, to }: Growth): Promise<void> {
  await sql`
    with people as (
      select n, ${uuidOf(sql)} as id, t.at
      from generate_series(${from + 1}::bigint, ${to}::bigint) as n
      cross join lateral (
        select date_trunc('milliseconds', now() - ${days} * interval '1 day' * (1 - n::float / ${to}::float))
      ) as t (at)
    ), stored as (
      insert into public.customers (
        workspace_id, id, email, first_name, last_name, country, attributes, created_at, updated_at
      )
      select
        ${workspaceId}, p.id, 'person' || p.n || '@example.com',
        (array['Ada', 'Grace', 'Linus', 'Barbara', 'Ken', 'Radia', 'Donald', 'Margaret'])[1 + p.n % 8],
        (array['Lovelace', 'Hopper', 'Torvalds', 'Liskov', 'Thompson', 'Perlman'])[1 + p.n % 6] || p.n,
        'DE', jsonb_build_object('tier', p.n % 3, 'n', p.n), p.at, p.at
      from people as p
    )
    insert into public.identities (workspace_id, id, kind, value, customer_id, created_at)
    overriding system value
    select ${workspaceId}, ${firstIdentity} + p.n, 'external', 'user-' || p.n, p.id, p.at
    from people as p`;
}

async function addProbes(sql: postgres.Sql, { workspaceId, to }: Growth): Promise<void> {
  await sql`
    with people as (
      select i, gen_random_uuid() as id from generate_series(0, ${probes - 1}::integer) as i
    ), stored as (
      insert into public.customers (workspace_id, id, email, first_name, last_name)
      select ${workspaceId}, p.id, 'probe' || p.i || '.' || ${to}::text || '@example.com', 'Probe', 'Smith'
      from people as p
    )
    insert into public.identities (workspace_id, id, kind, value, customer_id)
    overriding system value
    select
      ${workspaceId}, ${firstProbe} + ${to}::bigint * 100 + p.i, 'external',
      'probe-' || ${to}::text || '-' || p.i, p.id
    from people as p`;
}

async function addEvents(
  sql: postgres.Sql,
  { workspaceId, from, to }: Growth,
  { from: first, to: last }: Growth,
): Promise<void> {
  const step = Math.floor((last - first) / (probes * eventsPerProbe));
  await sql`
    insert into public.events (
      workspace_id, id, kind, identity_id, external_id, name, occurred_at, received_at, properties,
      context
    )
    select
      ${workspaceId}, ${uuidOf(sql)}, 'event',
      case when n % ${step}::bigint = 0
        then ${firstProbe} + ${last}::bigint * 100 + n / ${step}::bigint % ${probes}::bigint
        else ${firstIdentity} + floor(exp(random() * ln(${countCustomers(last)}::float)))::bigint
      end,
      'user', 'event_' || floor(40 * random() ^ 3), t.at, t.at,
      jsonb_build_object('total', n % 500, 'currency', 'EUR', 'path', '/products/' || n % 9999),
      '{"ip": "203.0.113.7", "ua": "Mozilla/5.0 (X11; Linux x86_64)"}'
    from generate_series(${from + 1}::bigint, ${to}::bigint) as n
    cross join lateral (
      select date_trunc('milliseconds',
        now() - ${days} * interval '1 day' * (1 - (n - ${first}::bigint)::float / ${
    last - first
  }::float))
    ) as t (at)`;
}

/** Keys of the last day: as many as events of a day. */
async function addKeys(sql: postgres.Sql, { workspaceId, from, to }: Growth): Promise<void> {
  await sql`
    insert into private.idempotency_keys (workspace_id, key, event_id, customer_id, created_at)
    select
      ${workspaceId}, md5((${to}::bigint + n)::text), gen_random_uuid(), gen_random_uuid(),
      date_trunc('milliseconds', now() - random() * interval '23 hours')
    from generate_series(1, ${Math.ceil((to - from) / days)}::integer) as n`;
}

async function addDestinations(sql: postgres.Sql, workspaceId: string): Promise<void> {
  await sql`
    insert into public.destinations (workspace_id, name, url, event_types, max_concurrency)
    select ${workspaceId}, 'Destination ' || n, 'https://example.com/' || n, '{order_created}', 100
    from generate_series(1, ${destinations}::integer) as n`;
}

async function addDeliveries(
  sql: postgres.Sql,
  { workspaceId, from, to }: Growth,
  { from: first, to: last }: { from: number; to: number },
): Promise<void> {
  await sql`
    with targets as materialized (
      select array_agg(d.id order by d.id) as ids from public.destinations as d
      where d.workspace_id = ${workspaceId}
    ), people as materialized (
      select min(i.id) as first, count(*) as total from public.identities as i
      where i.workspace_id = ${workspaceId} and i.id between ${firstIdentity} and ${firstProbe - 1}
    ), messages as (
      insert into public.webhook_messages (
        workspace_id, id, event_type, customer_id, body, created_at
      )
      select
        ${workspaceId}, ${uuidOf(sql)}, 'event_' || floor(40 * random() ^ 3), i.customer_id,
        '{"event_type":"x","payload":"' || repeat('x', 300) || '"}', t.at
      from people as p
      cross join generate_series(${from + 1}::bigint, ${to}::bigint) as n
      cross join lateral (
        select date_trunc('milliseconds',
          now() - ${sentDays} * interval '1 day' * (1 - (n - ${first}::bigint)::float / ${
    last - first
  }::float))
      ) as t (at)
      join public.identities as i
        on i.workspace_id = ${workspaceId} and i.id = p.first + n * 7919 % p.total
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

/** Adds messages that wait to be sent now, to all destinations in turn. */
export async function addWaiting(
  sql: postgres.Sql,
  { workspaceId, from, to }: Growth,
): Promise<void> {
  await inBatches({ from, to }, (range) =>
    sql`
    with targets as materialized (
      select array_agg(d.id order by d.id) as ids from public.destinations as d
      where d.workspace_id = ${workspaceId}
    ), messages as (
      insert into public.webhook_messages (workspace_id, id, event_type, body, created_at)
      select
        ${workspaceId}, ${uuidOf(sql)}, 'order_created',
        '{"event_type":"order_created","payload":"' || repeat('x', 300) || '"}', t.at
      from generate_series(${range.from + 1}::bigint, ${range.to}::bigint) as n
      cross join lateral (select date_trunc('milliseconds', now())) as t (at)
      returning id, created_at
    )
    insert into private.webhook_queue (
      workspace_id, destination_id, message_id, message_created_at, due_at
    )
    select
      ${workspaceId}, t.ids[1 + (row_number() over ()) % ${destinations}], m.id, m.created_at,
      m.created_at
    from messages as m
    cross join targets as t`);
  await sql`vacuum (analyze) public.webhook_messages, private.webhook_queue, private.lanes`;
}
