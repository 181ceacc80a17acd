import type { MessageState } from "../../contract/messages.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import { type Fragment, lastUuid, type PageRequest } from "../../kernel/page_queries.ts";
import { type Delivery, listMessageDeliveries } from "../deliveries/delivery_queries.ts";

const firstUuid = "00000000-0000-0000-0000-000000000000";

/** A message at one destination. */
export interface Message {
  id: string;
  workspace_id: string;
  destination_id: string;
  /** Null once the destination was deleted. */
  destination_name: string | null;
  event_type: string;
  /** The customer now, if it was merged into another. */
  customer_id: string | null;
  customer_name: string | null;
  created_at: string;
  state: MessageState;
  held_by: "breaker" | "disabled" | null;
  attempts: number;
  next_attempt_at: string | null;
  is_in_progress: boolean;
  canceled_at: string | null;
  last_attempt: {
    delivery_id: string;
    attempted_at: string;
    status_code: number | null;
    error: string | null;
  } | null;
}

export interface MessageFilter extends PageRequest {
  workspaceId: string;
  destination_id?: string | undefined;
  customer_id?: string | undefined;
  event_type?: string | undefined;
  state?: readonly MessageState[] | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** A page of messages: without a state, a row is only the position where the search stopped. */
export type ListedMessage = Message | (Omit<Message, "state"> & { state: null });

/** Lists messages at their destinations, newest first. */
export async function listMessages(
  tx: CallerSql,
  filter: MessageFilter,
): Promise<ListedMessage[]> {
  const { workspaceId, destination_id, customer_id, event_type, state } = filter;
  const { since, until, limit, after } = filter;
  const [beforeId, beforeDestinationId = firstUuid] = after ?? [];
  const before = beforeId !== undefined
    ? tx`${beforeId}::uuid, ${beforeDestinationId}::uuid, private.uuid_v7_time(${beforeId}::uuid)`
    : until !== undefined
    ? tx`
      private.first_message_id(${until}::text::timestamptz), ${firstUuid}::uuid,
      ${until}::text::timestamptz`
    : tx`${lastUuid}::uuid, ${lastUuid}::uuid, 'infinity'::timestamptz`;
  const from = since === undefined
    ? tx`${firstUuid}::uuid, '-infinity'::timestamptz`
    : tx`private.first_message_id(${since}::text::timestamptz), ${since}::text::timestamptz`;
  const narrow = tx`
    ${destination_id ?? null}::uuid, ${customer_id ?? null}::uuid, ${event_type ?? null}::text,
    string_to_array(${state?.join(",") ?? null}::text, ',')
  `;
  const found: Fragment = tx`
    private.list_messages(${workspaceId}, row(${narrow}, ${from}), row(${before}), ${limit + 1})
  `;
  return await tx<ListedMessage[]>`${selectStates(tx, workspaceId, found)}`;
}

export interface MessageKey {
  workspaceId: string;
  messageId: string;
}

/** Lists the destinations of a message with its state at each, sorted by name. */
export async function listMessageStates(
  tx: CallerSql,
  { workspaceId, messageId }: MessageKey,
): Promise<Message[]> {
  const found: Fragment = tx`private.read_message_states(${workspaceId}, ${messageId})`;
  return await tx<Message[]>`${selectStates(tx, workspaceId, found)}`;
}

/** A message with its states and attempts. */
export interface MessageDetail {
  id: string;
  workspace_id: string;
  event_type: string;
  customer_id: string | null;
  customer_name: string | null;
  body: string | null;
  created_at: string;
  destinations: Message[];
  deliveries: Delivery[];
}

/** Returns one message; the id contains the time of its creation and so selects the partition. */
export async function findMessage(
  tx: CallerSql,
  { workspaceId, messageId }: MessageKey,
): Promise<MessageDetail | undefined> {
  const rows = await tx<Omit<MessageDetail, "destinations" | "deliveries">[]>`
    select
      m.id, m.workspace_id, m.event_type, c.current_id as customer_id, c.name as customer_name,
      m.body, private.rfc3339(m.created_at) as created_at
    from public.webhook_messages as m
    left join lateral private.message_customers(${workspaceId}, array[m.customer_id]) as c on true
    where m.workspace_id = ${workspaceId} and m.id = ${messageId}
      and m.created_at = private.uuid_v7_time(${messageId})
  `;
  const found = rows[0];
  if (found === undefined) return undefined;
  const key = { workspaceId, messageId };
  return {
    ...found,
    destinations: await listMessageStates(tx, key),
    deliveries: await listMessageDeliveries(tx, key),
  };
}

export interface MessageAction extends MessageKey {
  destinationId: string | undefined;
}

/** Sends a message at once; returns the destinations it was queued for. */
export async function tryMessageNow(
  tx: CallerSql,
  { workspaceId, messageId, destinationId }: MessageAction,
): Promise<string[]> {
  const rows = await tx<{ ids: string[] }[]>`
    select to_jsonb(
      private.try_message_now(${workspaceId}, ${messageId}, ${destinationId ?? null})
    ) as ids
  `;
  return rows[0]!.ids;
}

/** Cancels a message where it waits or was missed; returns the destinations. */
export async function cancelMessage(
  tx: CallerSql,
  { workspaceId, messageId, destinationId }: MessageAction,
): Promise<string[]> {
  const rows = await tx<{ ids: string[] }[]>`
    select to_jsonb(
      private.cancel_message(${workspaceId}, ${messageId}, ${destinationId ?? null})
    ) as ids
  `;
  return rows[0]!.ids;
}

/** Selects what a function returns, in its order, with the customers that the messages are about. */
function selectStates(tx: CallerSql, workspaceId: string, found: Fragment) {
  return tx`
    with found as materialized (select f.* from ${found} with ordinality as f)
    select
      s.message_id as id, ${workspaceId} as workspace_id, s.destination_id, s.destination_name,
      s.event_type, c.current_id as customer_id, c.name as customer_name,
      private.rfc3339(s.created_at) as created_at, s.state, s.held_by, s.attempts,
      private.rfc3339(s.next_attempt_at) as next_attempt_at, s.is_in_progress,
      private.rfc3339(s.canceled_at) as canceled_at,
      case when s.delivery_id is not null then jsonb_build_object(
        'delivery_id', s.delivery_id, 'attempted_at', private.rfc3339(s.attempted_at),
        'status_code', s.status_code, 'error', s.error
      ) end as last_attempt
    from found as s
    left join private.message_customers(${workspaceId}, array(select customer_id from found)) as c
      on c.customer_id = s.customer_id
    order by s.ordinality
  `;
}
