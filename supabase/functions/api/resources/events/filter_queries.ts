import { serviceEvents } from "../../contract/service_events.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import type { Condition } from "../../contract/conditions/types.ts";
import type { Count } from "../../kernel/page_queries.ts";
import { columns, type EventFilter, names, type StoredEvent } from "./event_queries.ts";

export interface EventSearch extends EventFilter {
  condition: Condition;
  customerId?: string | undefined;
}

/** Lists the events that meet a condition, newest first by time of receipt. */
export async function listFilteredEvents(
  tx: CallerSql,
  search: EventSearch,
): Promise<StoredEvent[]> {
  const { workspaceId, condition } = search;
  return await tx<StoredEvent[]>`
    with filtered as materialized (
      select f.received_at, f.id
      from private.filter_events(
        ${workspaceId}, ${JSON.stringify(condition)}::text::jsonb,
        ${JSON.stringify(describePage(search))}::text::jsonb
      ) as f
    ),
    found as materialized (
      select e.*, i.customer_id
      from filtered as f
      join public.events as e
        on e.workspace_id = ${workspaceId} and e.received_at = f.received_at and e.id = f.id
      join public.identities as i on i.workspace_id = e.workspace_id and i.id = e.identity_id
    )
    select ${columns(tx)}
    from found as e ${names(tx, workspaceId)}
    order by e.received_at desc, e.id desc
  `;
}

/** Counts the events that meet a condition. */
export async function countEvents(tx: CallerSql, search: EventSearch): Promise<Count> {
  const { workspaceId, condition } = search;
  const rows = await tx<{ count: Count }[]>`
    select private.count_events(
      ${workspaceId}, ${JSON.stringify(condition)}::text::jsonb,
      ${JSON.stringify(describePage(search))}::text::jsonb
    ) as count
  `;
  return rows[0]!.count;
}

/** The other filters and the page, as the SQL functions read them. */
function describePage({ name, service, since, until, customerId, limit, after }: EventSearch) {
  const [receivedAt, id] = after ?? [];
  return {
    name,
    without_names: service === undefined ? undefined : serviceEvents,
    since,
    until,
    customer_id: customerId,
    limit: limit + 1,
    before_received_at: receivedAt,
    before_id: id,
  };
}
