import type { CallerSql } from "../../kernel/caller.ts";
import { orderByTime, type TimePageRequest } from "../../kernel/sorting.ts";

/** One delivery attempt. */
export interface Delivery {
  id: string;
  workspace_id: string;
  destination_id: string;
  /** Null once the destination was deleted. */
  destination_name: string | null;
  message_id: string;
  event_type: string;
  attempt_number: number;
  trigger: "event" | "retry" | "replay" | "test";
  ok: boolean;
  status_code: number | null;
  response_snippet: string | null;
  response_headers: Record<string, string> | null;
  error: string | null;
  duration_ms: number | null;
  attempted_at: string;
  next_attempt_at: string | null;
}

export interface DeliveryFilter extends TimePageRequest {
  workspaceId: string;
  destination_id?: string | undefined;
  event_type?: string | undefined;
  ok?: boolean | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** Lists attempts, newest first. */
export async function listDeliveries(tx: CallerSql, filter: DeliveryFilter): Promise<Delivery[]> {
  const { workspaceId, destination_id, event_type, ok, since, until, limit, after, sort } = filter;
  const { start, by } = orderByTime(tx, { time: tx`d.attempted_at`, id: tx`d.id` }, {
    after,
    sort,
  });
  return await tx<Delivery[]>`
    with found as materialized (
      select d.*
      from public.deliveries as d
      where d.workspace_id = ${workspaceId}
      ${start}
      ${destination_id === undefined ? tx`` : tx`and d.destination_id = ${destination_id}`}
      ${event_type === undefined ? tx`` : tx`and d.event_type = ${event_type}`}
      ${ok === undefined ? tx`` : ok ? tx`and d.ok` : tx`and not d.ok`}
      ${since === undefined ? tx`` : tx`and d.attempted_at >= ${since}::text::timestamptz`}
      ${until === undefined ? tx`` : tx`and d.attempted_at < ${until}::text::timestamptz`}
      order by ${by}
      limit ${limit + 1}
    )
    select ${columns(tx)}
    from ${named(tx, workspaceId)}
    order by ${by}
  `;
}

export interface DeliveryKey {
  workspaceId: string;
  deliveryId: string;
}

/** An attempt with its request and all attempts to send its message to its destination. */
export interface DeliveryDetail extends Delivery {
  message: {
    id: string;
    event_type: string;
    customer_id: string | null;
    body: string | null;
    created_at: string;
  } | null;
  attempts: Delivery[];
}

/** Returns one attempt; the id contains the time of the attempt and so selects the partition. */
export async function findDelivery(
  tx: CallerSql,
  { workspaceId, deliveryId }: DeliveryKey,
): Promise<DeliveryDetail | undefined> {
  const rows = await tx<(Delivery & Pick<DeliveryDetail, "message">)[]>`
    with found as materialized (
      select d.*
      from public.deliveries as d
      where d.workspace_id = ${workspaceId} and d.id = ${deliveryId}
        and d.attempted_at = private.uuid_v7_time(${deliveryId})
    )
    select ${columns(tx)}, case when m.id is not null then jsonb_build_object(
      'id', m.id, 'event_type', m.event_type, 'customer_id', m.customer_id, 'body', m.body,
      'created_at', private.rfc3339(m.created_at)
    ) end as message
    from ${named(tx, workspaceId)}
    left join public.webhook_messages as m
      on m.workspace_id = d.workspace_id and m.created_at = d.message_created_at
      and m.id = d.message_id
  `;
  const found = rows[0];
  if (found === undefined) return undefined;
  const attempts = await listMessageDeliveries(tx, {
    workspaceId,
    messageId: found.message_id,
    destinationId: found.destination_id,
  });
  return { ...found, attempts };
}

export interface MessageKey {
  workspaceId: string;
  messageId: string;
  /** Limits the list to attempts at this destination. */
  destinationId?: string;
}

/** Lists the attempts to deliver a message, newest first; at most the newest 200. */
export async function listMessageDeliveries(
  tx: CallerSql,
  { workspaceId, messageId, destinationId }: MessageKey,
): Promise<Delivery[]> {
  return await tx<Delivery[]>`
    with found as materialized (
      select d.*
      from public.deliveries as d
      where d.workspace_id = ${workspaceId} and d.message_id = ${messageId}
        and d.attempted_at >= private.attempts_start(private.uuid_v7_time(${messageId}))
        ${destinationId === undefined ? tx`` : tx`and d.destination_id = ${destinationId}`}
      order by d.attempted_at desc, d.id desc
      limit 200
    )
    select ${columns(tx)}
    from ${named(tx, workspaceId)}
    order by d.attempted_at desc, d.id desc
  `;
}

/** Queues the message of an attempt again; returns the message's id. */
export async function replayDelivery(
  tx: CallerSql,
  { workspaceId, deliveryId }: DeliveryKey,
): Promise<string> {
  const rows = await tx<{ id: string }[]>`
    select private.replay_delivery(${workspaceId}, ${deliveryId}) as id
  `;
  return rows[0]!.id;
}

/** The rows of `found` as `d`, beside the names of their destinations as `n`. */
function named(tx: CallerSql, workspaceId: string) {
  return tx`
    found as d
    left join private.destination_names(
      ${workspaceId}, array(select distinct f.destination_id from found as f)
    ) as n on n.destination_id = d.destination_id
  `;
}

function columns(tx: CallerSql) {
  return tx`
    d.id, d.workspace_id, d.destination_id, n.name as destination_name, d.message_id, d.event_type,
    d.attempt_number, d.trigger, d.ok, d.status_code, d.response_snippet, d.response_headers,
    d.error, d.duration_ms,
    private.rfc3339(d.attempted_at) as attempted_at,
    private.rfc3339(d.next_attempt_at) as next_attempt_at
  `;
}
