import type { CallerSql } from "../../kernel/caller.ts";
import { isUuid } from "../../contract/resource_names.ts";
import { type NamePageRequest, orderByName } from "../../kernel/sorting.ts";
import type { Use } from "../../kernel/uses.ts";

export type TopicState = "subscribed" | "unsubscribed";

/** A topic as the api returns it. */
export interface Topic {
  id: string;
  key: string;
  name: string;
  description: string | null;
  default: TopicState;
  subscribed: number;
  unsubscribed: number;
  created_at: string;
  updated_at: string;
  used_by: Use[];
}

export interface TopicName {
  workspaceId: string;
  /** Id or key. */
  name: string;
}

/** Lists topics, newest first. */
export async function listTopics(
  tx: CallerSql,
  { workspaceId, limit, after, sort }: NamePageRequest & { workspaceId: string },
): Promise<Topic[]> {
  const page = { after, sort };
  const { start, by } = orderByName(tx, { id: tx`t.id`, name: tx`t.name` }, page);
  const { by: shown } = orderByName(tx, { id: tx`f.id`, name: tx`f.name` }, page);
  return await tx<Topic[]>`
    with found as materialized (
      select t.*
      from public.topics as t
      where t.workspace_id = ${workspaceId} ${start}
      order by ${by}
      limit ${limit + 1}
    )
    ${selectTopics(tx, workspaceId)}
    order by ${shown}
  `;
}

/** Returns one topic, or undefined if the caller cannot see it. */
export async function findTopic(tx: CallerSql, topic: TopicName): Promise<Topic | undefined> {
  const rows = await tx<Topic[]>`
    with found as materialized (
      select t.* from public.topics as t where ${isNamed(tx, topic)}
    )
    ${selectTopics(tx, topic.workspaceId)}
  `;
  return rows[0];
}

function isNamed(tx: CallerSql, { workspaceId, name }: TopicName) {
  return isUuid(name)
    ? tx`t.workspace_id = ${workspaceId} and t.id = ${name}`
    : tx`t.workspace_id = ${workspaceId} and t.key = ${name}`;
}

function selectTopics(tx: CallerSql, workspaceId: string) {
  return tx`
    select
      f.id, f.key, f.name, f.description, f.default_state as default,
      coalesce(c.subscribed, 0)::float8 as subscribed,
      coalesce(c.unsubscribed, 0)::float8 as unsubscribed,
      private.rfc3339(f.created_at) as created_at, private.rfc3339(f.updated_at) as updated_at,
      coalesce(u.used_by, '[]') as used_by
    from found as f
    left join private.list_uses(${workspaceId}, 'topic', array(select id from found)) as u
      on u.id = f.id
    cross join lateral (
      select sum(n.subscribed) as subscribed, sum(n.unsubscribed) as unsubscribed
      from private.topic_counts as n
      where n.workspace_id = f.workspace_id and n.topic_id = f.id
    ) as c
  `;
}

/** Fields that members may set; an omitted field keeps its value, null clears it. */
export interface TopicFields {
  key?: string | undefined;
  name?: string | undefined;
  description?: string | null | undefined;
  default?: TopicState | undefined;
}

/** Creates a topic; returns its id, or undefined if its key is in use. */
export async function insertTopic(
  tx: CallerSql,
  { workspaceId, fields }: { workspaceId: string; fields: TopicFields },
): Promise<string | undefined> {
  const rows = await tx<{ id: string }[]>`
    insert into public.topics (workspace_id, key, name, description, default_state)
    values (
      ${workspaceId}, ${fields.key ?? null}, ${fields.name ?? null},
      ${fields.description ?? null}, ${fields.default ?? null}
    )
    on conflict (workspace_id, key) do nothing
    returning id
  `;
  return rows[0]?.id;
}

/** Changes the given fields; returns the topic's id, or undefined if it does not exist. */
export async function changeTopic(
  tx: CallerSql,
  { fields, ...topic }: TopicName & { fields: TopicFields },
): Promise<string | undefined> {
  const { key, name, description, default: state } = fields;
  const rows = await tx<{ id: string }[]>`
    update public.topics as t
    set
      key = coalesce(${key ?? null}, t.key), name = coalesce(${name ?? null}, t.name),
      description = ${description === undefined ? tx`t.description` : description},
      default_state = coalesce(${state ?? null}, t.default_state)
    where ${isNamed(tx, topic)}
    returning t.id
  `;
  return rows[0]?.id;
}

/**
 * Deletes a topic with all choices about it; returns its id, or undefined if it does not exist.
 *
 * @throws {Error} SP409 while a segment or a campaign depends on it.
 */
export async function removeTopic(tx: CallerSql, topic: TopicName): Promise<string | undefined> {
  await tx`
    select private.refuse_used_topic(t.workspace_id, t.id)
    from public.topics as t
    where ${isNamed(tx, topic)}
  `;
  const rows = await tx<{ id: string }[]>`
    delete from public.topics as t where ${isNamed(tx, topic)} returning t.id
  `;
  return rows[0]?.id;
}
