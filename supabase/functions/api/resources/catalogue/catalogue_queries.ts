import type { CallerSql } from "../../kernel/caller.ts";
import { serviceEvents } from "../../contract/service_events.ts";
import type { Position } from "../../kernel/cursor.ts";
import type { Fragment, PageRequest } from "../../kernel/page_queries.ts";

/** Type of a JSON value. */
export type PropertyType = "string" | "number" | "boolean" | "array" | "object";
/** A decision by people about the events of a name. */
export type EventStatus = "expected" | "unexpected";

/** A property that people expect. */
export interface ExpectedProperty {
  property: string;
  type?: PropertyType | undefined;
  is_required?: boolean | undefined;
  description?: string | undefined;
}

/** An event name as the list of the catalogue returns it. */
export interface CataloguedEvent {
  name: string;
  description: string | null;
  owner: string | null;
  status: EventStatus | null;
  events: number;
  events_per_day: number;
  events_today: number;
  events_by_day: number[];
  first_seen_at: string;
  last_seen_at: string;
  properties: number;
  unexpected_properties: number;
  /** The value that the list is sorted by, for the cursor; times in microseconds. */
  position_at: string;
}

/** Orders of the list: by the time first seen, the name, the time last seen, or the recent events. */
export const catalogueSorts = ["newest", "name", "last_seen", "volume"] as const;
export type CatalogueSort = (typeof catalogueSorts)[number];

export interface CatalogueFilter {
  workspaceId: string;
  q?: string | undefined;
  status?: EventStatus | "none" | undefined;
  /** True for the events that the service stores itself, false for all others. */
  service?: boolean | undefined;
  sort: CatalogueSort;
}

/** A workspace has no more names. */
const mostNames = 1_000;

/** Lists event names with what people say about them. */
export async function listCatalogue(
  tx: CallerSql,
  { workspaceId, q, status, service, sort, limit, after }: PageRequest & CatalogueFilter,
): Promise<CataloguedEvent[]> {
  const { start, by, position } = orderNames(tx, sort, after);
  // All names of the workspace, by an index: the planner would read those of all workspaces.
  const names = tx`
    select o.*, ${
    sort === "volume" ? countRecent(tx) : tx`0`
  } as recent from public.event_names as o
    where o.workspace_id = ${workspaceId} and o.first_seen_at <= 'infinity'
    order by o.first_seen_at desc, o.name
    limit ${mostNames}
  `;
  return await tx<CataloguedEvent[]>`
    with page as materialized (
      select n.*, d.description, d.owner, d.status, d.properties as expected
      from (${names}) as n
      left join lateral (
        select x.* from public.event_definitions as x
        where x.workspace_id = n.workspace_id and x.name = n.name limit 1
      ) as d on true
      where true
        ${start}
        ${q === undefined ? tx`` : tx`and strpos(lower(n.name), lower(${q}::text)) > 0`}
        ${
    status === undefined
      ? tx``
      : tx`and d.status is not distinct from ${status === "none" ? null : status}::text`
  }
        ${service === undefined ? tx`` : tx`and (n.name in ${tx(serviceEvents)}) = ${service}`}
      order by ${by(tx`n`)}
      limit ${limit + 1}
    )
    ${selectEvents(tx, tx`${position} as position_at,`)}
    order by ${by(tx`p`)}
  `;
}

/** SQL that counts the events of name `o` of the last 8 UTC days, as `events_by_day` lists them. */
function countRecent(tx: CallerSql) {
  return tx`
    (
      select coalesce(sum(s.events), 0)::bigint from public.event_name_stats as s
      where s.workspace_id = o.workspace_id and s.name = o.name
        and s.day >= date_trunc('day', now(), 'UTC') - interval '168 hours'
    )
  `;
}

/** Makes the parts of a statement that returns a page of names in one order. A workspace has few. */
function orderNames(tx: CallerSql, sort: CatalogueSort, after: Position | undefined) {
  const [value = "", name = ""] = after ?? [];
  if (sort === "name") {
    return {
      start: after === undefined ? tx`` : tx`and n.name > ${name}::text`,
      by: (of: Fragment) => tx`${of}.name`,
      position: tx`p.name`,
    };
  }
  const column =
    { newest: tx`first_seen_at`, last_seen: tx`last_seen_at`, volume: tx`recent` }[sort];
  const last = sort === "volume" ? tx`${value}::text::bigint` : tx`${value}::text::timestamptz`;
  return {
    start: after === undefined ? tx`` : tx`
      and n.${column} <= ${last} and (n.${column} < ${last} or n.name > ${name}::text)
    `,
    by: (of: Fragment) => tx`${of}.${column} desc, ${of}.name`,
    position: sort === "volume"
      ? tx`p.recent::text`
      : tx`to_char(p.${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
  };
}

/** An event name alone, with the properties that people expect. */
export interface FoundEvent extends Omit<CataloguedEvent, "position_at"> {
  expected: ExpectedProperty[] | null;
}

/** Returns one event name, or undefined if the caller's workspace has none. */
export async function findCataloguedEvent(
  tx: CallerSql,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<FoundEvent | undefined> {
  const rows = await tx<FoundEvent[]>`
    with page as materialized (
      select n.*, d.description, d.owner, d.status, d.properties as expected
      from public.event_names as n
      left join lateral (
        select x.* from public.event_definitions as x
        where x.workspace_id = n.workspace_id and x.name = n.name limit 1
      ) as d on true
      where n.workspace_id = ${workspaceId} and n.name = ${name}
    )
    ${selectEvents(tx, tx`p.expected,`)}
  `;
  return rows[0];
}

function selectEvents(tx: CallerSql, more: ReturnType<CallerSql>) {
  return tx`
    select
      ${more} p.name, p.description, p.owner, p.status, p.events::float8 as events,
      case
        when p.first_seen_at >= date_trunc('day', now(), 'UTC') then coalesce(v.today, 0)
        else round(coalesce(v.before, 0) / v.days, 1)
      end::float8 as events_per_day,
      coalesce(v.today, 0)::float8 as events_today, v.by_day as events_by_day,
      private.rfc3339(p.first_seen_at) as first_seen_at,
      private.rfc3339(p.last_seen_at) as last_seen_at,
      c.properties::integer as properties, c.unexpected::integer as unexpected_properties
    from page as p
    cross join lateral (
      select
        sum(s.events) filter (where k.back > 0) as before,
        sum(s.events) filter (where k.back = 0) as today,
        to_jsonb(array_agg(coalesce(s.events, 0) order by k.back desc)) as by_day,
        least(7, greatest(1, extract(day from
          date_trunc('day', now(), 'UTC') - date_trunc('day', p.first_seen_at, 'UTC')))) as days
      from generate_series(0, 7) as k (back)
      left join public.event_name_stats as s
        on s.workspace_id = p.workspace_id and s.name = p.name
        and s.day >= date_trunc('day', now(), 'UTC') - interval '168 hours'
        and s.day = date_trunc('day', now(), 'UTC') - k.back * interval '24 hours'
    ) as v
    cross join lateral (
      select
        count(*) as properties,
        count(*) filter (where ${judgeProperty(tx, tx`p.expected`)} is not null) as unexpected
      from public.event_properties as o
      where o.workspace_id = p.workspace_id and o.name = p.name
    ) as c
  `;
}

/** SQL that compares property o with a JSON list of expected ones: "property", "type" or null. */
function judgeProperty(tx: CallerSql, expected: ReturnType<CallerSql>) {
  return tx`
    case
      when ${expected} is null then null
      when not exists (
        select from jsonb_array_elements(${expected}) as i where i ->> 'property' = o.property
      ) then 'property'
      when exists (
        select from jsonb_array_elements(${expected}) as i
        where i ->> 'property' = o.property
          and o.strings + o.numbers + o.booleans + o.arrays + o.objects > case i ->> 'type'
            when 'string' then o.strings when 'number' then o.numbers when 'boolean' then o.booleans
            when 'array' then o.arrays when 'object' then o.objects
          end
      ) then 'type'
    end
  `;
}

/** A property that was seen in samples. */
export interface SeenProperty {
  property: string;
  /** Sampled events by type of the value, in the order of `PropertyType`. */
  by_type: Record<PropertyType, number>;
  example: unknown;
  unexpected: "property" | "type" | null;
  first_seen_at: string;
  last_seen_at: string;
}

interface EventKey {
  workspaceId: string;
  name: string;
}

/** Lists the seen properties of an event name, each with a value of one of the newest 50 events. */
export async function listSeenProperties(
  tx: CallerSql,
  { workspaceId, name }: EventKey,
): Promise<SeenProperty[]> {
  return await tx<SeenProperty[]>`
    with recent as materialized (
      select e.properties, row_number() over (order by e.received_at desc, e.id desc) as position
      from public.events as e
      where e.workspace_id = ${workspaceId} and e.name = ${name}
      order by e.received_at desc, e.id desc
      limit 50
    )
    select
      o.property,
      jsonb_build_object('string', o.strings, 'number', o.numbers, 'boolean', o.booleans,
        'array', o.arrays, 'object', o.objects) as by_type,
      (
        select case when length(x.value::text) > 200 then to_jsonb(left(x.value #>> '{}', 200) || '…')
          else x.value end
        from (
          select nullif(r.properties #> string_to_array(o.property, '.'), 'null') as value, r.position
          from recent as r
        ) as x
        where x.value is not null
        order by x.position
        limit 1
      ) as example,
      ${judgeProperty(tx, tx`d.properties`)} as unexpected,
      private.rfc3339(o.first_seen_at) as first_seen_at,
      private.rfc3339(o.last_seen_at) as last_seen_at
    from public.event_properties as o
    left join lateral (
      select x.properties from public.event_definitions as x
      where x.workspace_id = o.workspace_id and x.name = o.name limit 1
    ) as d on true
    where o.workspace_id = ${workspaceId} and o.name = ${name}
    order by o.strings + o.numbers + o.booleans + o.arrays + o.objects desc, o.property
  `;
}

/** Number of events that the shares are based on, and the time of the last sample. */
export interface SampleState {
  sampled_events: number;
  sampled_at: string | null;
}

/** Returns the state of the samples of an event name. */
export async function readSamples(
  tx: CallerSql,
  { workspaceId, name }: EventKey,
): Promise<SampleState> {
  const rows = await tx<SampleState[]>`
    select s.sampled::float8 as sampled_events, private.rfc3339(s.sampled_at) as sampled_at
    from public.event_samples as s
    where s.workspace_id = ${workspaceId} and s.name = ${name}
  `;
  return rows[0] ?? { sampled_events: 0, sampled_at: null };
}

/** Lists the events of a name on the last 30 UTC days, oldest first. */
export async function listEventDays(
  tx: CallerSql,
  { workspaceId, name }: EventKey,
): Promise<{ at: string; events: number }[]> {
  return await tx<{ at: string; events: number }[]>`
    select private.rfc3339(d.day) as at, coalesce(s.events, 0)::float8 as events
    from generate_series(29, 0, -1) as k (back)
    cross join lateral (
      select date_trunc('day', now(), 'UTC') - k.back * interval '24 hours' as day
    ) as d
    left join lateral (
      select x.events from public.event_name_stats as x
      where x.workspace_id = ${workspaceId} and x.name = ${name} and x.day = d.day
      limit 1
    ) as s on true
    order by d.day
  `;
}

/** Fields that members may set; an omitted field keeps its value, null clears it. */
export interface DefinitionFields {
  description?: string | null | undefined;
  owner?: string | null | undefined;
  status?: EventStatus | null | undefined;
  properties?: ExpectedProperty[] | null | undefined;
}

/** Changes what people say about a known event name; returns false for an unknown one. */
export async function changeDefinition(
  tx: CallerSql,
  { workspaceId, name, fields }: EventKey & { fields: DefinitionFields },
): Promise<boolean> {
  const { description, owner, status, properties } = fields;
  const list = properties ? JSON.stringify(properties) : null;
  const rows = await tx<{ name: string }[]>`
    insert into public.event_definitions as d (workspace_id, name, description, owner, status, properties)
    select
      n.workspace_id, n.name, ${description ?? null}::text, ${owner ?? null}::text,
      ${status ?? null}::text, ${list}::text::jsonb
    from public.event_names as n
    where n.workspace_id = ${workspaceId} and n.name = ${name}
    on conflict (workspace_id, name) do update
    set
      description = ${description === undefined ? tx`d.description` : tx`excluded.description`},
      owner = ${owner === undefined ? tx`d.owner` : tx`excluded.owner`},
      status = ${status === undefined ? tx`d.status` : tx`excluded.status`},
      properties = ${properties === undefined ? tx`d.properties` : tx`excluded.properties`},
      updated_at = now()
    returning d.name
  `;
  return rows.length === 1;
}
