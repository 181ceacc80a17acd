-- Purpose: the events that an exploration is about, as SQL over the index of names, and its limits.
-- Risk:    values become literals by format(%L) and nothing else.

create or replace function private.exploration_limits(out read_rows integer, out index_rows integer)
language sql
stable
security invoker
set search_path = ''
as $$
  -- About half a second each. A row of the table costs five times as much as one of the index.
  select 30000 / l.divisor, 150000 / l.divisor
  from (
    select coalesce(nullif(current_setting('signalpost.exploration_divisor', true), ''), '1')::integer as divisor
  ) as l
$$;
comment on function private.exploration_limits() is
  'Numbers of events that an exploration reads from the table, and from the index per customer; beyond that it takes a sample. See private.shorten_exploration.';

create or replace function private.shorten_exploration()
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform set_config('signalpost.exploration_divisor', '8', true);
  perform set_config('statement_timeout', '1400', true);
end
$$;
comment on function private.shorten_exploration() is
  'Lets the next statement of the transaction read an eighth, and gives it 1.4 s: the first one was too slow on this database.';
grant execute on function private.shorten_exploration() to signalpost_user, signalpost_key;

create or replace function private.begin_exploration(p_workspace_id uuid, p_is_sampled boolean)
returns text
language plpgsql
volatile
-- Definer: as for private.explore_counts.
security definer
set search_path = ''
as $$
declare
  v_has_place boolean := false;
begin
  if not private.is_readable(p_workspace_id, array['events:read']) then
    return 'workspace';
  end if;
  perform set_config('statement_timeout', case when p_is_sampled then '600' else '2000' end, true);
  for v_slot in 1 .. 2 loop
    v_has_place := pg_try_advisory_xact_lock(
      hashtextextended(format('signalpost.explore.%s.%s', p_workspace_id, v_slot), 0)
    );
    exit when v_has_place;
  end loop;
  if not v_has_place then
    return 'workspace';
  end if;
  for v_slot in 1 .. 8 loop
    v_has_place := pg_try_advisory_xact_lock(hashtextextended(format('signalpost.explore.%s', v_slot), 0));
    exit when v_has_place;
  end loop;
  return case when v_has_place then 'begun' else 'database' end;
end
$$;
comment on function private.begin_exploration(uuid, boolean) is
  'Gives the next statements of the transaction 0.6 s each, or 2 s if no smaller sample could follow, and takes one of the 2 places of the workspace and the 8 of the database. Returns "begun", or which of the two is full.';
grant execute on function private.begin_exploration(uuid, boolean) to signalpost_user, signalpost_key;

create or replace function private.count_named_events(p_workspace_id uuid, p_names text[], p_since timestamptz)
returns bigint
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  select coalesce(sum(least(
    n.events,
    case when p_since > private.totals_start(now()) then (
      select coalesce(sum(s.events), 0)
      from public.event_name_stats as s
      where s.workspace_id = p_workspace_id and s.name = n.name
        and s.day >= date_trunc('day', p_since - interval '24 hours', 'UTC')
    ) else n.events end
  )), 0)::bigint
  from unnest(p_names) as k (name)
  join public.event_names as n on n.workspace_id = p_workspace_id and n.name = k.name
$$;
comment on function private.count_named_events(uuid, text[], timestamptz) is
  'Estimates how many events of these names were received since a time, from daily totals. A name that occurs twice counts twice.';

create or replace function private.count_explored(p_workspace_id uuid, p_events jsonb, p_since timestamptz)
returns bigint
language sql
stable
security invoker
set search_path = ''
as $$
  -- Events whose properties are read count for more, by how much more they cost.
  select coalesce(sum(
    private.count_named_events(p_workspace_id, array[e ->> 'event'], p_since)
    * case when jsonb_array_length(coalesce(e -> 'where', '[]')) > 0
        then ceil(l.index_rows::numeric / l.read_rows) else 1 end
  ), 0)::bigint
  from private.exploration_limits() as l
  cross join jsonb_array_elements(p_events) as e
$$;
comment on function private.count_explored(uuid, jsonb, timestamptz) is
  'Estimates how many events an exploration of customers reads from the index. Converts other work into this number.';

create or replace function private.customer_share(p_count bigint)
returns numeric
language sql
stable
security invoker
set search_path = ''
as $$
  select private.share_of(l.index_rows, p_count) from private.exploration_limits() as l
$$;
comment on function private.customer_share(bigint) is
  'The share of customers that an exploration of so many events takes, 1 for all.';

create or replace function private.share_of(p_limit integer, p_count bigint)
returns numeric
language sql
immutable
security invoker
set search_path = ''
as $$
  -- A whole number of 65,536 classes of a hash.
  select case
    when p_count <= p_limit then 1
    else greatest(1, floor(p_limit * 65536.0 / p_count)) / 65536.0
  end
$$;
comment on function private.share_of(integer, bigint) is
  'The share of p_count rows that a sample takes so that there are about p_limit; 1 for all.';

create or replace function private.sample_sql(p_share numeric, p_id text)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select case
    when p_share = 1 then 'true'
    else format('(uuid_hash(%s)::bigint & 65535) < %s', p_id, (p_share * 65536)::integer)
  end
$$;
comment on function private.sample_sql(numeric, text) is
  'SQL that is true for this share of all values of a UUID (SQL), always for the same ones.';

create or replace function private.people_sql(p_share numeric)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select format(
    'select x.id, x.customer_id from public.identities as x where x.workspace_id = $1 and %s',
    private.sample_sql(p_share, 'x.customer_id')
  )
$$;
comment on function private.people_sql(numeric) is
  'SQL of the identities of this share of the customers, over $1 (the workspace).';

create or replace function private.explored_sql(p_source private.explored_source, p_event jsonb)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_where text := private.where_sql(coalesce(p_event -> 'where', '[]'), 'e.properties');
  v_reads boolean := coalesce(p_source.reads_properties, false) or v_where <> 'true';
  v_people text := coalesce(p_source.people, '(' || private.people_sql(p_source.share) || ')');
  -- An event is at most 24 hours ahead of its receipt.
  v_range text := format(
    'e.workspace_id = $1 and e.name = %L and e.received_at >= %L::timestamptz
     and e.occurred_at >= %L::timestamptz and e.occurred_at < %L::timestamptz',
    p_event ->> 'event', p_source.since - interval '24 hours', p_source.since, p_source.until
  );
  -- No more columns than are used, so that a sample is found in the index alone.
  v_columns text := case
    when not v_reads then '' when p_source.share = 1 then ', e.properties' else ', e.received_at'
  end;
  v_keys text := case
    when not p_source.has_customers then format(
      'select e.identity_id, e.occurred_at, e.id, null::uuid as customer_id%s
       from public.events as e where %s and %s and %s',
      v_columns, v_range, private.sample_sql(p_source.share, 'e.id'),
      -- An erased customer has no identities any more.
      case when cardinality(p_source.erased_ids) = 0 then 'true'
        else format('e.identity_id <> all (%L::bigint[])', p_source.erased_ids) end
    )
    -- The timelines of few customers are shorter than a million events of a name.
    when p_source.share <= 1 / 16.0 and p_source.count >= 1000000 then format(
      'select i.id as identity_id, e.occurred_at, e.id, i.customer_id%s
       from %s as i
       cross join lateral (
         select e.occurred_at, e.id, e.received_at from public.events as e
         where e.identity_id = i.id and %s offset 0
       ) as e', v_columns, v_people, v_range
    )
    -- Without statistics, the planner would look each one up, or read all for a few events.
    when p_source.count < 20000 then format(
      'select e.identity_id, e.occurred_at, e.id, i.customer_id%s
       from public.events as e
       cross join lateral (
         select x.customer_id from public.identities as x
         where x.workspace_id = $1 and x.id = e.identity_id limit 1
       ) as i
       where %s and %s', v_columns, v_range, private.sample_sql(p_source.share, 'i.customer_id')
    )
    else format(
      'select e.identity_id, e.occurred_at, e.id, i.customer_id%s
       from public.events as e
       join %s as i on i.id = e.identity_id
       where %s', v_columns, v_people, v_range
    )
  end;
begin
  if not v_reads then
    return v_keys;
  elsif p_source.share = 1 then
    return v_keys || ' and ' || v_where;
  end if;
  -- The sample is taken in the index, and only its events are read.
  return format(
    'select k.identity_id, k.occurred_at, k.id, k.customer_id, e.properties
     from (%s offset 0) as k
     cross join lateral (
       select x.properties from public.events as x
       where x.workspace_id = $1 and x.received_at = k.received_at and x.id = k.id limit 1
     ) as e
     where %s', v_keys, v_where
  );
end
$$;
comment on function private.explored_sql(private.explored_source, jsonb) is
  'SQL of the events of a name that match its tests, over $1 (the workspace): identity_id, customer_id, occurred_at, id, and properties if they are read.';

create or replace function private.interval_starts(
  p_interval text,
  p_since timestamptz,
  p_until timestamptz,
  p_zone text
)
returns timestamptz[]
language sql
stable
security invoker
set search_path = ''
as $$
  select case p_interval
    when 'hour' then array(
      select g from generate_series(
        date_trunc('hour', p_since, p_zone), p_until - interval '1 microsecond', interval '1 hour'
      ) as g order by g
    )
    else array(
      -- A day that a zone skipped starts when the next one does.
      select distinct s.at
      from generate_series(
        date_trunc(p_interval, p_since at time zone p_zone), p_until at time zone p_zone,
        ('1 ' || p_interval)::interval
      ) as g
      cross join lateral (select private.first_instant(g, p_zone) as at) as s
      where s.at < p_until
      order by s.at
    )
  end
$$;
comment on function private.interval_starts(text, timestamptz, timestamptz, text) is
  'The starts of the hours, days, weeks (from Monday) or months of a zone, from the one that contains p_since to before p_until.';

create or replace function private.exploration_zone(p_workspace_id uuid, p_query jsonb)
returns text
language sql
stable
security invoker
set search_path = ''
as $$
  select private.known_zone(coalesce(p_query ->> 'zone', w.timezone), 'UTC')
  from public.workspaces as w
  where w.id = p_workspace_id
$$;
comment on function private.exploration_zone(uuid, jsonb) is
  'The zone of an exploration: its own, else that of the workspace.';

create or replace function private.find_erased_identities(p_workspace_id uuid)
returns bigint[]
language sql
stable
security invoker
set search_path = ''
as $$
  select coalesce(array_agg(u.id), '{}')
  from private.erasures as e
  cross join lateral unnest(e.identity_ids) as u (id)
  where e.workspace_id = p_workspace_id
$$;
comment on function private.find_erased_identities(uuid) is
  'Identities of customers of a workspace that are being erased.';
