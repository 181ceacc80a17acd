import type { CallerSql } from "../../../_shared/access/caller.ts";
import { type Delivery, listMessageDeliveries } from "../deliveries/delivery_queries.ts";

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
  // The id tells when the event was stored, hence which partitions are looked into.
  const messages = await tx<{ id: string }[]>`
    select m.id
    from public.webhook_messages as m
    where m.workspace_id = ${workspaceId}
      -- Made in the transaction that stored the event, so not much later.
      and m.created_at >= private.uuid_v7_time(${eventId})
      and m.created_at < private.uuid_v7_time(${eventId}) + interval '10 seconds'
      and position(${eventId} in m.body) > 0
      and m.event_type = (
        select e.name
        from public.events as e
        where e.workspace_id = ${workspaceId} and e.id = ${eventId}
          and e.received_at = private.uuid_v7_time(${eventId})
      )
    order by m.created_at
    limit 1
  `;
  const messageId = messages[0]?.id;
  if (messageId === undefined) return { message_id: null, deliveries: [] };
  return {
    message_id: messageId,
    deliveries: await listMessageDeliveries(tx, { workspaceId, messageId }),
  };
}
