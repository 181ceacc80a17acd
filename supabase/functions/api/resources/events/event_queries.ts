import { serviceEvents } from "../../contract/service_events.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import { type Fragment, type PageRequest, startAfter } from "../../kernel/page_queries.ts";

/** An entry of the timeline as the api returns it. */
export interface StoredEvent {
  id: string;
  kind: "event" | "identify" | "alias";
  customer_id: string;
  customer_name: string | null;
  external_id: string | null;
  anon_id: string | null;
  name: string | null;
  occurred_at: string;
  received_at: string;
  properties: Record<string, unknown>;
  context: Record<string, unknown>;
}

export interface EventFilter extends PageRequest {
  workspaceId: string;
  name?: string | undefined;
  /** False leaves out events that the service stores itself. */
  service?: false | undefined;
  /** Inclusive start, by time of receipt, or of occurrence for one customer. */
  since?: string | undefined;
  /** Exclusive end. */
  until?: string | undefined;
}

/** Lists a workspace's events, newest first by time of receipt. */
export async function listEvents(tx: CallerSql, filter: EventFilter): Promise<StoredEvent[]> {
  const { workspaceId, limit } = filter;
  return await tx<StoredEvent[]>`
    with found as materialized (
      select e.*, i.customer_id
      from public.events as e
      join public.identities as i on i.workspace_id = e.workspace_id and i.id = e.identity_id
      where e.workspace_id = ${workspaceId}
        ${narrow(tx, tx`e.received_at`, filter)}
      order by e.received_at desc, e.id desc
      limit ${limit + 1}
    )
    select ${columns(tx)}
    from found as e ${names(tx, workspaceId)}
    order by e.received_at desc, e.id desc
  `;
}

/** Lists one customer's events, newest first by time of occurrence. */
export async function listCustomerEvents(
  tx: CallerSql,
  filter: EventFilter & { customerId: string },
): Promise<StoredEvent[]> {
  const { workspaceId, customerId, limit } = filter;
  return await tx<StoredEvent[]>`
    with found as materialized (
      select e.*, i.customer_id
      from public.identities as i
      cross join lateral (
        select e.*
        from public.events as e
        where e.workspace_id = i.workspace_id and e.identity_id = i.id
          ${narrow(tx, tx`e.occurred_at`, filter)}
        order by e.occurred_at desc, e.id desc
        limit ${limit + 1}
      ) as e
      where i.workspace_id = ${workspaceId} and i.customer_id = ${customerId}
      order by e.occurred_at desc, e.id desc
      limit ${limit + 1}
    )
    select ${columns(tx)}
    from found as e ${names(tx, workspaceId)}
    order by e.occurred_at desc, e.id desc
  `;
}

/** Conditions of a filter on events `e`, with the column that orders them. */
function narrow(
  tx: CallerSql,
  time: Fragment,
  { name, service, since, until, after }: EventFilter,
) {
  return tx`
    ${startAfter(tx, { time, id: tx`e.id` }, after)}
    ${name === undefined ? tx`` : tx`and e.name = ${name}`}
    ${service === undefined ? tx`` : withoutServiceEvents(tx)}
    ${since === undefined ? tx`` : tx`and ${time} >= ${since}::text::timestamptz`}
    ${until === undefined ? tx`` : tx`and ${time} < ${until}::text::timestamptz`}
  `;
}

/** An identify or an alias has no name. */
function withoutServiceEvents(tx: CallerSql) {
  return tx`and (e.name in ${tx(serviceEvents)}) is not true`;
}

/** Returns one event; the id contains the time of receipt and so selects the partition. */
export async function findEvent(
  tx: CallerSql,
  { workspaceId, eventId }: { workspaceId: string; eventId: string },
): Promise<StoredEvent | undefined> {
  const rows = await tx<StoredEvent[]>`
    with found as materialized (
      select e.*, i.customer_id
      from public.events as e
      join public.identities as i on i.workspace_id = e.workspace_id and i.id = e.identity_id
      where e.workspace_id = ${workspaceId} and e.id = ${eventId}
        and e.received_at = private.uuid_v7_time(${eventId})
    )
    select ${columns(tx)}
    from found as e ${names(tx, workspaceId)}
  `;
  return rows[0];
}

/** Joins the names of customers as `n` to `found as e`: events, each with a `customer_id`. */
export function names(tx: CallerSql, workspaceId: string) {
  return tx`
    left join private.customer_names(${workspaceId}, array(select customer_id from found)) as n
      on n.customer_id = e.customer_id
  `;
}

/** The columns of a `StoredEvent`, of events with `names`. */
export function columns(tx: CallerSql) {
  return tx`
    e.id, e.kind, e.customer_id, n.name as customer_name, e.external_id, e.anon_id, e.name,
    private.rfc3339(e.occurred_at) as occurred_at, private.rfc3339(e.received_at) as received_at,
    e.properties, e.context
  `;
}
