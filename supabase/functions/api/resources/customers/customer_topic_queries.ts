import type { CallerSql } from "../../kernel/caller.ts";
import { isUuid } from "../../contract/resource_names.ts";
import type { CustomerKey } from "./customer_queries.ts";

/** A topic, and whether a customer is subscribed to it. */
export interface CustomerTopic {
  id: string;
  key: string;
  name: string;
  subscribed: boolean;
  changed_at: string | null;
}

/** Lists all topics with a customer's state, by key. */
export async function listTopicsOfCustomer(
  tx: CallerSql,
  { workspaceId, customerId }: CustomerKey,
): Promise<CustomerTopic[]> {
  return await tx<CustomerTopic[]>`
    select t.id, t.key, t.name, s.subscribed, private.rfc3339(s.changed_at) as changed_at
    from private.customer_topics(${workspaceId}, ${customerId}) as s
    join public.topics as t on t.workspace_id = ${workspaceId} and t.id = s.topic_id
    order by t.key
  `;
}

/** Returns the id of a topic by its id or key, or undefined if the caller cannot see one. */
export async function findTopicId(
  tx: CallerSql,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<string | undefined> {
  const rows = await tx<{ id: string }[]>`
    select t.id from public.topics as t
    where t.workspace_id = ${workspaceId} and ${
    isUuid(name) ? tx`t.id = ${name}` : tx`t.key = ${name}`
  }
  `;
  return rows[0]?.id;
}

/** Subscribes a customer's address, or withdraws it; false if the customer does not exist. */
export async function setTopicOfCustomer(
  tx: CallerSql,
  { workspaceId, customerId, topicId, subscribed }: CustomerKey & {
    topicId: string;
    subscribed: boolean;
  },
): Promise<boolean> {
  const rows = await tx<{ found: boolean }[]>`
    select private.set_customer_topic(
      ${workspaceId}, ${customerId}, ${topicId}, ${subscribed}
    ) as found
  `;
  return rows[0]?.found ?? false;
}
