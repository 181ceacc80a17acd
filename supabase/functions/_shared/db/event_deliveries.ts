import type { CallerSql } from "./caller.ts";
import type { Delivery } from "./deliveries.ts";

/** How an event went on: the message made of it, and every attempt to deliver that. */
export interface EventDeliveries {
  /** Null where no destination subscribed, or the message is no longer kept. */
  message_id: string | null;
  deliveries: Delivery[];
}

/** What became of an event, the newest attempt first. */
export async function findEventDeliveries(
  tx: CallerSql,
  { workspaceId, eventId }: { workspaceId: string; eventId: string },
): Promise<EventDeliveries> {
  const rows = await tx<EventDeliveries[]>`
    with message as (
      select m.id
      from public.events as e
      join public.webhook_messages as m
        on m.workspace_id = e.workspace_id and m.event_type = e.name
        -- Made in the transaction that stored the event, so not much later.
        and m.created_at between e.received_at and e.received_at + interval '10 seconds'
        and position(e.id::text in m.body) > 0
      where e.workspace_id = ${workspaceId} and e.id = ${eventId}
        and e.received_at = private.uuid_v7_time(${eventId})
      order by m.created_at
      limit 1
    )
    select
      (select m.id from message as m) as message_id,
      coalesce(jsonb_agg(jsonb_build_object(
        'id', d.id, 'destination_id', d.destination_id, 'message_id', d.message_id,
        'event_type', d.event_type, 'attempt_number', d.attempt_number, 'trigger', d.trigger,
        'ok', d.ok, 'status_code', d.status_code, 'response_snippet', d.response_snippet,
        'error', d.error, 'duration_ms', d.duration_ms,
        'attempted_at', private.rfc3339(d.attempted_at),
        'next_attempt_at', private.rfc3339(d.next_attempt_at)
      ) order by d.attempted_at desc, d.id desc), '[]') as deliveries
    from public.deliveries as d
    where d.workspace_id = ${workspaceId} and d.message_id = (select m.id from message as m)
  `;
  return rows[0] ?? { message_id: null, deliveries: [] };
}
