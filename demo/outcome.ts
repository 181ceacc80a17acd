import type postgres from "postgres";

/** Contents of the workspace. */
export interface Outcome {
  /** All stored entries, without those about mails of the journeys. */
  events: number;
  /** Events without identifies and aliases. */
  named: number;
  customers: number;
  identified: number;
  merges: number;
}

export interface Busiest {
  profile: Record<string, unknown>;
  events: number;
  /** The latest entries, oldest first. */
  timeline: TimelineEntry[];
}

export interface TimelineEntry {
  occurred_at: Date;
  kind: "event" | "identify" | "alias";
  name: string | null;
  arrived_on: string;
}

/** Counts what the workspace holds now. */
export async function readOutcome(sql: postgres.Sql, workspaceId: string): Promise<Outcome> {
  const [row] = await sql<[Outcome]>`
    select
      (select count(*)::integer from public.events as e
        where e.workspace_id = ${workspaceId}
          and coalesce(e.name, '') not like 'email\\_%') as events,
      (select count(*)::integer from public.events as e
        where e.workspace_id = ${workspaceId} and e.kind = 'event'
          and e.name not like 'email\\_%') as named,
      (select count(*)::integer from public.customers as c
        where c.workspace_id = ${workspaceId}) as customers,
      (select count(distinct i.customer_id)::integer from public.identities as i
        where i.workspace_id = ${workspaceId} and i.kind = 'external') as identified,
      (select count(*)::integer from public.customer_merges as m
        where m.workspace_id = ${workspaceId}) as merges`;
  return row;
}

/** The customer with the most events, and the last `limit` entries of their timeline. */
export async function readBusiest(
  sql: postgres.Sql,
  workspaceId: string,
  limit: number,
): Promise<Busiest | undefined> {
  const [busiest] = await sql<{ customer_id: string; events: number }[]>`
    select i.customer_id, count(*)::integer as events
    from public.events as e
    join public.identities as i on i.workspace_id = e.workspace_id and i.id = e.identity_id
    where e.workspace_id = ${workspaceId}
    group by i.customer_id
    order by events desc, i.customer_id
    limit 1`;
  if (!busiest) return undefined;
  const [customer] = await sql<[{ document: Record<string, unknown> }]>`
    select d.document
    from private.customer_documents(${workspaceId}, array[${busiest.customer_id}]::uuid[]) as d`;
  const timeline = await sql<TimelineEntry[]>`
    select e.occurred_at, e.kind, e.name, i.value as arrived_on
    from public.events as e
    join public.identities as i on i.workspace_id = e.workspace_id and i.id = e.identity_id
    where i.workspace_id = ${workspaceId} and i.customer_id = ${busiest.customer_id}
    order by e.occurred_at desc, e.id desc
    limit ${limit}`;
  return {
    profile: customer.document,
    events: busiest.events,
    timeline: [...timeline].reverse(),
  };
}

/**
 * Idempotency keys count for a day: a replay after that would store everything a second time.
 *
 * @throws Error when the recording was replayed too long ago.
 */
export async function checkKeysRemembered(sql: postgres.Sql, workspaceId: string): Promise<void> {
  const [earlier] = await sql`
    select from public.identities as i
    where i.workspace_id = ${workspaceId} and i.kind = 'anon' and i.value like 'sess\\_0%'
      and i.created_at < now() - interval '23 hours'
    limit 1`;
  if (!earlier) return;
  throw new Error(
    "Cannot replay: the recording was replayed here over 23 hours ago, and idempotency keys are " +
      'remembered for 24. Start over with "deno task start --fresh"',
  );
}
