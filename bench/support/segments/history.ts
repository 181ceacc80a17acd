import type postgres from "postgres";

const batch = 250_000;
const days = 60;

/** The sizes of a workspace's history. */
export interface HistorySize {
  customers: number;
  events: number;
}

/** Customers with an id each and events of five names over 60 days, written past ingest. */
export async function insertHistory(
  sql: postgres.Sql,
  workspaceId: string,
  { customers, events }: HistorySize,
): Promise<void> {
  await sql`
    with people as (
      insert into public.customers (workspace_id, id, email, country, attributes)
      select ${workspaceId}, private.uuid_v7(now() - n * interval '1 second'),
        'user-' || n || '@example.com', (array['DE', 'FR', 'US', 'JP'])[1 + n % 4],
        jsonb_build_object('plan', (array['free', 'pro'])[1 + n % 2], 'n', n)
      from generate_series(1, ${customers}::integer) as n
      returning id
    )
    insert into public.identities (workspace_id, kind, value, customer_id)
    select ${workspaceId}, 'external', 'past-' || row_number() over (), p.id from people as p`;
  const [ids] = await sql<{ first: number }[]>`
    select min(id)::int as first from public.identities
    where workspace_id = ${workspaceId} and value like 'past-%'`;
  for (let from = 0; from < events; from += batch) {
    await sql`
      insert into public.events
        (workspace_id, id, identity_id, name, occurred_at, received_at, properties)
      select ${workspaceId}, private.uuid_v7(t.at), ${ids!.first} + n * 7919 % ${customers},
        'past_' || n % 5, t.at, t.at, jsonb_build_object('total', n % 100)
      from generate_series(${from}::bigint, ${Math.min(from + batch, events) - 1}::bigint) as n
      cross join lateral (
        select date_trunc('milliseconds', now() - ${days} * interval '1 day' * (1 - n::float / ${events}))
          as at
      ) as t`;
  }
  await sql`analyze public.customers, public.identities, public.events`;
}
