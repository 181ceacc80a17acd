-- Purpose: the properties that events have, from samples of the newest ones.
-- Locks:   an advisory one, so that one worker samples at a time, and the rows of a sample.
-- Risk:    a sample reads 50 events of a name, at most every 10 minutes.

create or replace function private.note_new_events(p_deltas private.usage_delta[])
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  insert into public.event_samples as s (workspace_id, name, due_at)
  select d.workspace_id, d.name, max(d.at)
  from unnest(p_deltas) as d
  join public.event_names as n on n.workspace_id = d.workspace_id and n.name = d.name
  group by d.workspace_id, d.name
  on conflict (workspace_id, name) do update
  set due_at = greatest(excluded.due_at, s.sampled_at + interval '10 minutes')
  where s.due_at = 'infinity'
$$;
comment on function private.note_new_events(private.usage_delta[]) is
  'Makes samples due for known names with new events, at least 10 minutes after the last sample.';

create or replace function private.event_parts(p_properties jsonb)
returns table (property text, type text)
language sql
immutable
security invoker
set search_path = ''
as $$
  with recursive parts as (
    select k.key as property, k.value, 1 as depth
    from (select j.key, j.value from jsonb_each(p_properties) as j limit 200) as k
    where k.key <> '' and strpos(k.key, '.') = 0
    union all
    select p.property || '.' || k.key, k.value, p.depth + 1
    from parts as p
    cross join lateral (
      select j.key, j.value
      from jsonb_each(case jsonb_typeof(p.value) when 'object' then p.value else '{}' end) as j
      limit 50
    ) as k
    where p.depth < 3 and k.key <> '' and strpos(k.key, '.') = 0
  )
  select p.property, jsonb_typeof(p.value)
  from parts as p
  where jsonb_typeof(p.value) <> 'null' and char_length(p.property) <= 500
    and (jsonb_typeof(p.value) <> 'object' or p.depth = 3 or p.value = '{}')
$$;
comment on function private.event_parts(jsonb) is
  'The properties of an event and their types; nested properties are paths of up to three names. Leaves out nulls, and names that a path cannot contain.';

create or replace function private.add_properties(p_workspace_id uuid, p_name text, p_ids uuid[], p_ats timestamptz[])
returns void
language sql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  insert into public.event_properties as t (
    workspace_id, name, property, strings, numbers, booleans, arrays, objects, first_seen_at, last_seen_at
  )
  select
    p_workspace_id, p_name, n.property, n.strings, n.numbers, n.booleans, n.arrays, n.objects,
    n.first_at, n.last_at
  from (
    select
      f.*, k.property is not null as is_known,
      row_number() over (partition by k.property is null order by f.found desc, f.property) as position
    from (
      select
        x.property, count(*) as found,
        count(*) filter (where x.type = 'string') as strings,
        count(*) filter (where x.type = 'number') as numbers,
        count(*) filter (where x.type = 'boolean') as booleans,
        count(*) filter (where x.type = 'array') as arrays,
        count(*) filter (where x.type = 'object') as objects,
        min(e.received_at) as first_at, max(e.received_at) as last_at
      from unnest(p_ids, p_ats) as i (id, received_at)
      join public.events as e
        on e.workspace_id = p_workspace_id and e.received_at = i.received_at and e.id = i.id
      cross join lateral private.event_parts(e.properties) as x
      group by x.property
    ) as f
    left join public.event_properties as k
      on k.workspace_id = p_workspace_id and k.name = p_name and k.property = f.property
  ) as n
  cross join lateral (
    select
      (select count(*) from public.event_properties as c
       where c.workspace_id = p_workspace_id and c.name = p_name) as of_name,
      (select count(*) from public.event_properties as c where c.workspace_id = p_workspace_id) as of_all
    -- Counted once: it depends on no row.
    offset 0
  ) as c
  where n.is_known or (n.position <= 100 - c.of_name and n.position <= 10000 - c.of_all)
  on conflict (workspace_id, name, property) do update
  set
    strings = t.strings + excluded.strings, numbers = t.numbers + excluded.numbers,
    booleans = t.booleans + excluded.booleans, arrays = t.arrays + excluded.arrays,
    objects = t.objects + excluded.objects, last_seen_at = greatest(t.last_seen_at, excluded.last_seen_at)
$$;
comment on function private.add_properties(uuid, text, uuid[], timestamptz[]) is
  'Adds the properties of these events to the figures of their event name. New properties are added while the name has fewer than 100 and the workspace fewer than 10,000.';

create or replace function private.sample_event(p_workspace_id uuid, p_name text, p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_sample public.event_samples;
  v_ids uuid[];
  v_ats timestamptz[];
begin
  select s.* into v_sample
  from public.event_samples as s
  where s.workspace_id = p_workspace_id and s.name = p_name
  for update;
  select array_agg(e.id), array_agg(e.received_at) into v_ids, v_ats
  from (
    select e.id, e.received_at
    from public.events as e
    where e.workspace_id = p_workspace_id and e.name = p_name
      and e.received_at > v_sample.sampled_until
      and not exists (
        select from private.erasures as x
        where x.workspace_id = p_workspace_id and e.identity_id = any (x.identity_ids)
      )
    order by e.received_at desc, e.id desc
    limit 50
  ) as e;
  perform private.add_properties(p_workspace_id, p_name, v_ids, v_ats);
  delete from public.event_properties as p
  where p.workspace_id = p_workspace_id and p.name = p_name
    and p.last_seen_at < p_now - interval '90 days';
  update public.event_samples as s
  set
    due_at = 'infinity', sampled_at = p_now,
    sampled_until = coalesce(v_ats[1], s.sampled_until),
    sampled = s.sampled + coalesce(cardinality(v_ids), 0)
  where s.workspace_id = p_workspace_id and s.name = p_name
  returning * into v_sample;
  if v_sample.sampled > 10000 then
    perform private.halve_samples(p_workspace_id, p_name);
  end if;
end
$$;
comment on function private.sample_event(uuid, text, timestamptz) is
  'Samples the newest 50 events of a name that were not sampled before.';

create or replace function private.halve_samples(p_workspace_id uuid, p_name text)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  update public.event_samples as s
  set sampled = s.sampled / 2
  where s.workspace_id = p_workspace_id and s.name = p_name;
  update public.event_properties as p
  set
    strings = p.strings / 2, numbers = p.numbers / 2, booleans = p.booleans / 2,
    arrays = p.arrays / 2, objects = p.objects / 2
  where p.workspace_id = p_workspace_id and p.name = p_name;
end
$$;
comment on function private.halve_samples(uuid, text) is
  'Halves the figures of a name, so that shares follow the newer events.';

create or replace function private.sample_events(
  p_limit integer default 10,
  p_now timestamptz default clock_timestamp()
)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_due record;
  v_count integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('signalpost.catalogue', 0)) then
    return 0;
  end if;
  -- Workspaces take turns, so that one with a thousand names does not hold up the others.
  for v_due in
    select d.workspace_id, d.name
    from (
      select s.workspace_id, s.name, s.due_at,
        row_number() over (partition by s.workspace_id order by s.due_at, s.name) as turn
      from (
        select e.workspace_id, e.name, e.due_at
        from public.event_samples as e
        where e.due_at <= p_now and e.due_at < 'infinity'
        order by e.due_at
        limit 1000
      ) as s
    ) as d
    order by d.turn, d.due_at
    limit p_limit
  loop
    perform private.sample_event(v_due.workspace_id, v_due.name, p_now);
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
comment on function private.sample_events(integer, timestamptz) is
  'Samples events of up to p_limit names that are due and returns the number of names. Runs every 10 seconds.';

create or replace function private.erase_event_properties(
  p_erasure private.erasures,
  p_limit integer,
  p_now timestamptz
)
returns private.erasure_progress
language sql
volatile
security invoker
set search_path = ''
as $$
  with gone as (
    delete from public.event_properties as p
    where p.workspace_id = p_erasure.workspace_id
      and string_to_array(p.property, '.') && p_erasure.search_terms
    returning 1
  )
  -- All at once: a workspace has 10,000 properties at most.
  select private.batch_progress(0, 1) from (select count(*) from gone) as g
$$;
comment on function private.erase_event_properties(private.erasures, integer, timestamptz) is
  'Deletes properties whose name is an id, address or number of an erased customer.';
