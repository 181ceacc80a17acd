-- Purpose: the state of event leaves: newest times and hourly figures per identity.
-- Locks:   the caller holds the lane of the workspace.

create or replace function private.store_marks(
  p_workspace_id uuid,
  p_hits text,
  p_signals private.signals[],
  p_limit integer default null
)
returns private.feature_hit[]
language plpgsql
volatile
security invoker
set search_path = ''
set jit = 'off'
as $$
declare
  v_hits private.feature_hit[];
begin
  execute format(
    'with hits as materialized (%s),
     marked as (
       insert into private.feature_marks as m (workspace_id, feature_id, identity_id, marks)
       select $1, h.feature_id, h.identity_id, (array_agg(h.at order by h.at desc))[:min(h.keep)]
       from hits as h
       where not h.is_total
       group by h.feature_id, h.identity_id
       order by h.feature_id, h.identity_id
       on conflict (workspace_id, feature_id, identity_id) do update
       set marks = array(
         select t.at from unnest(m.marks || excluded.marks) as t (at)
         order by t.at desc
         limit (select f.keep from private.features as f where f.workspace_id = $1 and f.id = m.feature_id)
       )
     ),
     added as (
       insert into private.feature_buckets as b
         (workspace_id, feature_id, identity_id, hour, sum, min, max)
       select $1, h.feature_id, h.identity_id, date_trunc(''hour'', h.at, ''UTC''),
         sum(h.value), min(h.value), max(h.value)
       from hits as h
       where h.is_total and h.value is not null
       group by 2, 3, 4
       order by 2, 3, 4
       on conflict (workspace_id, feature_id, identity_id, hour) do update
       set sum = b.sum + excluded.sum, min = least(b.min, excluded.min),
         max = greatest(b.max, excluded.max)
     )
     select array(
       select row(h.feature_id, h.identity_id)::private.feature_hit
       from hits as h group by h.feature_id, h.identity_id
     )', p_hits
  ) into v_hits using p_workspace_id, p_signals, p_limit;
  return v_hits;
end
$$;
comment on function private.store_marks(uuid, text, private.signals[], integer) is
  'Adds events to the state of features. p_hits is SQL of feature_id, identity_id, at, keep, is_total and value, with $1 the workspace, $2 the signals, $3 the limit. Returns who had an event of which feature.';

create or replace function private.feature_value_sql(p_feature private.features, p_properties text)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select case when p_feature.property is null then 'null::numeric' else format(
    'case when jsonb_typeof(%1$s #> %2$L::text[]) = ''number'' then (%1$s #> %2$L::text[])::numeric end',
    p_properties, p_feature.property::text
  ) end
$$;
comment on function private.feature_value_sql(private.features, text) is
  'SQL of the number that a feature adds up; null when the property is not a number.';

create or replace function private.fold_events(p_workspace_id uuid, p_signals private.signals[])
returns private.feature_hit[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_tests text := '';
  v_values text := '';
  v_is_any boolean := false;
  v_feature private.features;
begin
  for v_feature in
    select f.* from private.features as f
    where f.workspace_id = p_workspace_id and f.state <> 'dropped'
      and f.event in (select s.name from unnest(p_signals) as s where s.kind = 'event')
  loop
    v_is_any := true;
    if v_feature.conditions <> '[]' then
      v_tests := v_tests || format(
        ' when %s then %s', v_feature.id, private.where_sql(v_feature.conditions, 'e.properties')
      );
    end if;
    if v_feature.property is not null then
      v_values := v_values || format(
        ' when %s then %s', v_feature.id, private.feature_value_sql(v_feature, 'e.properties')
      );
    end if;
  end loop;
  if not v_is_any then
    return '{}';
  end if;
  return private.store_marks(p_workspace_id, format(
    'select f.id as feature_id, s.identity_id, s.at, f.keep, f.property is not null as is_total,
       case f.id %1$s else null end as value
     from unnest($2) as s
     cross join lateral (
       select x.* from private.features as x
       where x.workspace_id = $1 and x.event = s.name and x.state <> ''dropped''
       offset 0
     ) as f
     -- An identity that is gone belongs to an erased customer.
     join lateral (
       select i.id from public.identities as i where i.workspace_id = $1 and i.id = s.identity_id limit 1
     ) as i on true
     left join lateral (
       select x.properties from public.events as x
       where x.workspace_id = $1 and x.received_at = s.received_at and x.id = s.event_id
         and (f.conditions <> ''[]'' or f.property is not null)
       limit 1
     ) as e on true
     where s.kind = ''event''
       -- Later steps of the computation read what is older than its cursor.
       and (f.state = ''ready'' or (s.received_at, s.event_id) >= (f.cursor_at, f.cursor_id))
       and s.at >= coalesce(f.since, ''-infinity'') and s.at < coalesce(f.until, ''infinity'')
       and case f.id %2$s else true end',
    coalesce(nullif(v_values, ''), 'when 0 then null::numeric'),
    coalesce(nullif(v_tests, ''), 'when 0 then true')
  ), p_signals);
end
$$;
comment on function private.fold_events(uuid, private.signals[]) is
  'Adds the events of signals to the state of the features that they match. Returns who had an event of which feature.';

create or replace function private.build_feature(p_feature private.features, p_limit integer)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_page record;
  v_is_total boolean := p_feature.property is not null;
begin
  if not p_feature.is_fenced then
    -- Waits for the calls of ingest that began before the feature was known, and noted nothing for it.
    perform pg_advisory_xact_lock(private.workspace_lock(p_feature.workspace_id));
    update private.features as f set is_fenced = true
    where f.workspace_id = p_feature.workspace_id and f.id = p_feature.id;
    return false;
  end if;
  select count(*) as rows, min(e.received_at) as last_at,
    (array_agg(e.id order by e.received_at, e.id))[1] as last_id
  into v_page
  from (
    select e.received_at, e.id
    from public.events as e
    where e.workspace_id = p_feature.workspace_id and e.name = p_feature.event
      and (e.received_at, e.id) < (p_feature.cursor_at, p_feature.cursor_id)
    order by e.received_at desc, e.id desc
    limit p_limit
  ) as e;
  if v_page.rows > 0 then
    perform private.store_marks(p_feature.workspace_id, format(
      'select %1$s::bigint as feature_id, e.identity_id, t.at, %2$s as keep, %3$L::boolean as is_total,
         %4$s as value
       from public.events as e
       cross join lateral (select least(e.occurred_at, e.received_at) as at) as t
       %13$s
       where e.workspace_id = $1 and e.name = %5$L
         and (e.received_at, e.id) < (%6$L, %7$L) and (e.received_at, e.id) >= (%8$L, %9$L)
         and t.at >= coalesce(%10$L::timestamptz, ''-infinity'') and t.at < coalesce(%11$L::timestamptz, ''infinity'')
         and %12$s
         and %14$s
         -- The fold counts events whose signal still waits.
         and e.id not in (
           select s.event_id from private.signals as s where s.workspace_id = $1 and s.kind = ''event''
         )',
      p_feature.id, p_feature.keep, v_is_total,
      private.feature_value_sql(p_feature, 'e.properties'), p_feature.event,
      p_feature.cursor_at, p_feature.cursor_id, v_page.last_at, v_page.last_id,
      p_feature.since, p_feature.until, private.where_sql(p_feature.conditions, 'e.properties'),
      -- From the newest to the oldest, most events change nothing: as many newer ones are known.
      case when not v_is_total then format(
        'left join lateral (
           select x.marks[%2$s] as oldest from private.feature_marks as x
           where x.workspace_id = $1 and x.feature_id = %1$s and x.identity_id = e.identity_id
           limit 1
         ) as m on true', p_feature.id, p_feature.keep
      ) end,
      case when v_is_total then 'true' else '(m.oldest is null or m.oldest < t.at)' end
    ), null);
  end if;
  update private.features as f
  set
    cursor_at = coalesce(v_page.last_at, f.cursor_at), cursor_id = coalesce(v_page.last_id, f.cursor_id),
    state = case when v_page.rows < p_limit then 'ready' else f.state end
  where f.workspace_id = p_feature.workspace_id and f.id = p_feature.id;
  return v_page.rows < p_limit;
end
$$;
comment on function private.build_feature(private.features, integer) is
  'Reads the next p_limit events of a feature from history, the newest first. Returns true if it is ready. The first step only waits until every running call of ingest knows the feature.';
