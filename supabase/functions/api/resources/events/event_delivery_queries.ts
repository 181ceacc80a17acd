import type { CallerSql } from "../../kernel/caller.ts";
import { type Delivery, listMessageDeliveries } from "../deliveries/delivery_queries.ts";
import { listMessageStates, type Message } from "../messages/message_queries.ts";

/** The message made of an event, its destinations, and every attempt to deliver it. */
export interface EventDeliveries {
  /** Null if no destination subscribed, or the message is no longer stored. */
  message_id: string | null;
  destinations: Message[];
  deliveries: Delivery[];
}

/** Returns the message and the attempts of an event, newest first. */
export async function findEventDeliveries(
  tx: CallerSql,
  { workspaceId, eventId }: { workspaceId: string; eventId: string },
): Promise<EventDeliveries> {
  // The event id contains its time of storage, which limits the partitions to search.
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
  if (messageId === undefined) return { message_id: null, destinations: [], deliveries: [] };
  return {
    message_id: messageId,
    destinations: await listMessageStates(tx, { workspaceId, messageId }),
    deliveries: await listMessageDeliveries(tx, { workspaceId, messageId }),
  };
}
