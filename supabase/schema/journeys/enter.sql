-- Purpose: customers enter journeys: who may, and what begins with it.
-- Locks:   one advisory lock per workspace for all who enter, then the customers by id.

create or replace function private.depth_limit()
returns integer
language sql
immutable
security invoker
set search_path = ''
as $$
  select 10
$$;
comment on function private.depth_limit() is
  'The longest chain of automatic causes that still begins runs.';

create or replace function private.lock_entrants(p_workspace_id uuid, p_entries private.journey_entry[])
returns private.journey_entry[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- A rehearsal must not keep others from entering.
  if private.as_of() is null then
    perform pg_advisory_xact_lock(hashtextextended(p_workspace_id::text, 21));
  end if;
  -- A merge or an erasure waits, or is over and seen below.
  perform
  from (select distinct e.customer_id as id from unnest(p_entries) as e order by 1) as k
  cross join lateral (
    select from public.customers as c
    where c.workspace_id = p_workspace_id and c.id = k.id for key share
  ) as c;
  return array(
    select row(
      e.journey_id, e.version, coalesce(m.customer_id, e.customer_id), e.at, e.event_id, e.trigger, e.cause, e.depth
    )::private.journey_entry
    from unnest(p_entries) with ordinality
      as e (journey_id, version, customer_id, at, event_id, trigger, cause, depth, place)
    left join lateral (
      select n.customer_id
      from public.customer_merges as n
      where n.workspace_id = p_workspace_id and n.merged_customer_id = e.customer_id
      limit 1
    ) as m on true
    order by e.place
  );
end
$$;
comment on function private.lock_entrants(uuid, private.journey_entry[]) is
  'Keeps others from entering and the customers from being merged until the transaction ends; those who were merged become their survivors.';

create or replace function private.check_entries(
  p_workspace_id uuid,
  p_entries private.journey_entry[],
  p_now timestamptz
)
returns boolean[]
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_version public.journey_versions;
  v_places bigint[];
  v_is_in boolean[] := array_fill(true, array[cardinality(p_entries)]);
  v_answer record;
begin
  for v_version in
    select v.*
    from public.journey_versions as v
    where v.workspace_id = p_workspace_id and v.definition #> '{entry,when}' is not null
      and (v.journey_id, v.version) in (select e.journey_id, e.version from unnest(p_entries) as e)
  loop
    v_places := array(
      select g from generate_subscripts(p_entries, 1) as g
      where (p_entries[g]).journey_id = v_version.journey_id and (p_entries[g]).version = v_version.version
      order by g
    );
    for v_answer in
      select v_places[a.place] as place
      from private.evaluate_items(
        p_workspace_id, v_version.definition #> '{entry,when}',
        array(select (p_entries[g]).customer_id from unnest(v_places) with ordinality as n (g, i) order by i),
        array(select (p_entries[g]).trigger from unnest(v_places) with ordinality as n (g, i) order by i),
        p_now
      ) as a
      where not a.is_true
    loop
      v_is_in[v_answer.place] := false;
    end loop;
  end loop;
  return v_is_in;
end
$$;
comment on function private.check_entries(uuid, private.journey_entry[], timestamptz) is
  'Says for each entry whether the customer matches the condition of entry.';

create or replace function private.judge_entries(
  p_workspace_id uuid,
  p_entries private.journey_entry[],
  p_now timestamptz
)
returns table (place bigint, key text, is_parallel boolean, is_holdout boolean, refusal text)
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_is_in boolean[] := private.check_entries(p_workspace_id, p_entries, p_now);
begin
  return query
  with judged as (
    select
      e.*, k.key as entry_key, v.definition -> 'entry' as entry, k.is_parallel as parallel,
      case
        when c.id is null then 'unknown_customer'
        when e.depth > private.depth_limit() then 'depth_limit'
        when not v_is_in[e.place] then 'condition'
        when k.is_parallel then null
        when exists (
          select from public.journey_runs as r
          where r.workspace_id = p_workspace_id and r.journey_id = e.journey_id
            and r.customer_id = e.customer_id and r.key = k.key and r.state = 'active'
        ) then 'already_inside'
        when k.again = '"after_exit"' or l.last_at is null then null
        when jsonb_typeof(k.again) = 'object' then
          case when l.last_at + private.read_duration(k.again ->> 'after') > e.at then 'too_soon' end
        else 'entered_before'
      end as refused
    from unnest(p_entries) with ordinality
      as e (journey_id, version, customer_id, at, event_id, trigger, cause, depth, place)
    join public.journey_versions as v
      on v.workspace_id = p_workspace_id and v.journey_id = e.journey_id and v.version = e.version
    cross join lateral (
      select
        coalesce(v.definition #> '{entry,again}', '"never"') as again,
        coalesce(v.definition #> '{entry,again}' = '"always"', false) as is_parallel,
        coalesce(left(
          e.trigger #>> (string_to_array(v.definition #>> '{entry,key}', '.'))[2:], 200
        ), '') as key
    ) as k
    left join lateral (
      select x.id from public.customers as x
      where x.workspace_id = p_workspace_id and x.id = e.customer_id limit 1
    ) as c on true
    left join private.journey_entries as l
      on l.workspace_id = p_workspace_id and l.journey_id = e.journey_id
      and l.customer_id = e.customer_id and l.key = k.key
  )
  select
    j.place, j.entry_key, j.parallel,
    coalesce(
      private.pick_bucket(j.journey_id || ':holdout', j.customer_id) < (j.entry ->> 'holdout')::numeric, false
    ),
    case
      when j.refused is null and not j.parallel and row_number() over (
        partition by j.journey_id, j.customer_id, j.entry_key, j.refused is null order by j.place
      ) > 1 then 'already_inside'
      else j.refused
    end
  from judged as j
  order by j.place;
end
$$;
comment on function private.judge_entries(uuid, private.journey_entry[], timestamptz) is
  'Returns the key of each entry, and the reason if the customer may not enter.';

create or replace function private.insert_runs(
  p_workspace_id uuid,
  p_entries private.journey_entry[],
  p_judged jsonb
)
returns public.journey_runs[]
language sql
volatile
security invoker
set search_path = ''
as $$
  with judged as materialized (
    select
      e.*, j.id, j.key as entry_key, j.is_parallel, j.is_holdout,
      v.definition ->> 'start' as start
    from jsonb_to_recordset(p_judged)
      as j (place bigint, id uuid, key text, is_parallel boolean, is_holdout boolean, refusal text)
    join unnest(p_entries) with ordinality
      as e (journey_id, version, customer_id, at, event_id, trigger, cause, depth, place) on e.place = j.place
    join public.journey_versions as v
      on v.workspace_id = p_workspace_id and v.journey_id = e.journey_id and v.version = e.version
    where j.refusal is null
  ),
  noted as (
    insert into private.journey_entries as l (workspace_id, journey_id, customer_id, key, times, last_at)
    select p_workspace_id, j.journey_id, j.customer_id, j.entry_key, count(*), max(j.at)
    from judged as j
    group by 2, 3, 4
    order by 2, 3, 4
    on conflict (workspace_id, journey_id, customer_id, key) do update
    set times = l.times + excluded.times, last_at = greatest(l.last_at, excluded.last_at)
  ),
  begun as (
    insert into public.journey_runs as r (
      workspace_id, id, journey_id, version, customer_id, key, state, reason, step, stepped_at, stepped_id,
      due_at, is_parallel, is_holdout, trigger, cause, depth, entered_at, entered_id, exited_at
    )
    select
      p_workspace_id, j.id, j.journey_id, j.version, j.customer_id, j.entry_key,
      case when j.is_holdout then 'ended' else 'active' end,
      case when j.is_holdout then 'holdout' end,
      j.start, j.at, coalesce(j.event_id, '00000000-0000-0000-0000-000000000000'),
      case when j.is_holdout then 'infinity' else j.at end, j.is_parallel, j.is_holdout,
      j.trigger, j.cause, j.depth, j.at, coalesce(j.event_id, '00000000-0000-0000-0000-000000000000'),
      case when j.is_holdout then j.at end
    from judged as j
    order by j.place
    returning r as run
  )
  select coalesce(array_agg(b.run), '{}') from begun as b
$$;
comment on function private.insert_runs(uuid, private.journey_entry[], jsonb) is
  'Begins the runs of those who may enter, notes that they did, and returns the runs.';

create or replace function private.enter_runs(
  p_workspace_id uuid,
  p_entries private.journey_entry[],
  p_now timestamptz
)
returns table (place bigint, run_id uuid, reason text)
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_entries private.journey_entry[];
  v_judged jsonb;
  v_runs public.journey_runs[];
begin
  if coalesce(cardinality(p_entries), 0) = 0 then
    return;
  end if;
  v_entries := private.lock_entrants(p_workspace_id, p_entries);
  select jsonb_agg(to_jsonb(j) || jsonb_build_object('id', private.uuid_v7(p_now, j.place::integer)))
  into v_judged
  from private.judge_entries(p_workspace_id, v_entries, p_now) as j;
  v_runs := private.insert_runs(p_workspace_id, v_entries, v_judged);
  if cardinality(v_runs) > 0 then
    perform private.publish_runs(p_workspace_id, 'journey.entered', v_runs, p_now);
    perform private.publish_runs(
      p_workspace_id, 'journey.exited', array(select r from unnest(v_runs) as r where r.is_holdout), p_now
    );
    perform private.count_entered(p_workspace_id, v_runs);
    perform private.note_runs(p_workspace_id, v_runs);
    perform private.announce_runs(p_workspace_id, (
      select jsonb_agg(jsonb_build_array(r.journey_id, r.due_at)) from unnest(v_runs) as r where not r.is_holdout
    ), p_now);
  end if;
  return query
  select j.place, case when j.refusal is null then j.id end,
    case when j.refusal is null and j.is_holdout then 'holdout' else j.refusal end
  from jsonb_to_recordset(v_judged) as j (place bigint, id uuid, is_holdout boolean, refusal text);
end
$$;
comment on function private.enter_runs(uuid, private.journey_entry[], timestamptz) is
  'Lets customers enter journeys in this order, if they may. Returns the run, or the reason why there is none. For a customer who is held out, returns a run that has ended, and the reason holdout.';
