-- Purpose: the effects of a fold of signals on journeys: who enters, and which runs wake.
-- Locks:   the caller holds the lane of the workspace; then as private.enter_runs; then runs by id;
--          then timers of dates.

create or replace function private.entries_of_version(
  p_version public.journey_versions,
  p_signals private.signals[]
)
returns private.journey_entry[]
language plpgsql
stable
security invoker
set search_path = ''
set jit = 'off'
as $$
declare
  v_trigger jsonb := p_version.definition -> 'trigger';
  v_found private.journey_entry[];
begin
  execute format(
    'select array_agg(row(
       $3, $4, i.customer_id, s.received_at, s.event_id, x.properties,
       jsonb_build_object(
         ''event'', s.name, ''event_id'', s.event_id, ''received_at'', private.rfc3339(s.received_at)
       ), s.depth
     )::private.journey_entry order by s.id)
     from unnest($2) as s
     cross join lateral (
       select n.customer_id from public.identities as n
       where n.workspace_id = $1 and n.id = s.identity_id limit 1
     ) as i
     cross join lateral (
       select e.properties from public.events as e
       where e.workspace_id = $1 and e.received_at = s.received_at and e.id = s.event_id limit 1
     ) as x
     where s.kind = ''event'' and s.name = %L and %s',
    v_trigger ->> 'event',
    private.where_sql(
      private.leaf_feature(jsonb_build_object(
        'event', v_trigger -> 'event', 'where', coalesce(v_trigger -> 'where', '[]')
      )) -> 'conditions', 'x.properties'
    )
  ) into v_found using p_version.workspace_id, p_signals, p_version.journey_id, p_version.version;
  return coalesce(v_found, '{}');
end
$$;
comment on function private.entries_of_version(public.journey_versions, private.signals[]) is
  'The customers whose events trigger a version of a journey, in the order of the signals.';

create or replace function private.entries_by_event(p_workspace_id uuid, p_signals private.signals[])
returns private.journey_entry[]
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_version public.journey_versions;
  v_entries private.journey_entry[] := '{}';
begin
  for v_version in
    select v.*
    from private.journey_interests as i
    join public.journeys as j
      on j.workspace_id = i.workspace_id and j.id = i.journey_id and j.version = i.version and j.state = 'running'
    join public.journey_versions as v
      on v.workspace_id = i.workspace_id and v.journey_id = i.journey_id and v.version = i.version
    where i.workspace_id = p_workspace_id and i.role = 'trigger' and i.kind = 'event'
      and i.ref in (select s.name from unnest(p_signals) as s where s.kind = 'event')
    order by v.journey_id
  loop
    v_entries := v_entries || private.entries_of_version(v_version, p_signals);
  end loop;
  return v_entries;
end
$$;
comment on function private.entries_by_event(uuid, private.signals[]) is
  'The customers whose events trigger running journeys, per journey in the order of the signals.';

create or replace function private.segment_entrants(
  p_workspace_id uuid,
  p_signals private.signals[],
  p_flips private.segment_truth[]
)
returns table (
  place bigint, journey_id uuid, version integer, trigger jsonb, segment_id uuid, customer_id uuid, cause text
)
language sql
stable
security invoker
set search_path = ''
as $$
  with flips as (
    select f.segment_id, f.customer_id, f.cause, f.holds, f.place from unnest(p_flips) with ordinality
      as f (segment_id, customer_id, cause, holds, until, place)
    union all
    -- A list was changed by hand: the membership now is what counts.
    select g.id, s.customer_id, null, exists (
      select from public.segment_members as m
      where m.workspace_id = p_workspace_id and m.segment_id = g.id and m.version = g.version
        and m.customer_id = s.customer_id
    ), s.id
    from unnest(p_signals) as s
    join public.segments as g on g.workspace_id = p_workspace_id and g.id::text = s.name and g.kind = 'static'
    where s.kind = 'segment'
  )
  select f.place, v.journey_id, v.version, v.definition -> 'trigger', f.segment_id, f.customer_id, f.cause
  from flips as f
  join private.journey_interests as i
    on i.workspace_id = p_workspace_id and i.role = 'trigger' and i.kind = 'segment' and i.ref = f.segment_id::text
  join public.journeys as j
    on j.workspace_id = i.workspace_id and j.id = i.journey_id and j.version = i.version and j.state = 'running'
  join public.journey_versions as v
    on v.workspace_id = i.workspace_id and v.journey_id = i.journey_id and v.version = i.version
  where (v.definition #>> '{trigger,on}' = 'enter') = f.holds
$$;
comment on function private.segment_entrants(uuid, private.signals[], private.segment_truth[]) is
  'The customers who entered or left segments that trigger running journeys, with the cause of the change.';

create or replace function private.entries_by_segment(
  p_workspace_id uuid,
  p_signals private.signals[],
  p_flips private.segment_truth[],
  p_now timestamptz
)
returns private.journey_entry[]
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return array(
    with entrants as materialized (
      select e.* from private.segment_entrants(p_workspace_id, p_signals, p_flips) as e
    ),
    news as materialized (
      select s.id, s.kind, s.name, s.received_at, s.event_id, s.depth,
        coalesce(i.customer_id, s.customer_id) as customer_id
      from unnest(p_signals) as s
      left join lateral (
        select n.customer_id from public.identities as n
        where n.workspace_id = p_workspace_id and n.id = s.identity_id limit 1
      ) as i on s.kind = 'event'
      where exists (select from entrants)
    ),
    changes as materialized (
      select n.customer_id, max(n.depth) as depth, min(n.id) filter (where n.kind <> 'event') as id
      from news as n
      group by n.customer_id
    )
    select row(
      e.journey_id, e.version, e.customer_id, least(c.received_at, p_now), c.event_id, '{}',
      jsonb_build_object('segment', e.segment_id, 'on', e.trigger ->> 'on'), coalesce(k.depth, 0)
    )::private.journey_entry
    from entrants as e
    left join changes as k on k.customer_id = e.customer_id
    -- The run begins at the change, not at the fold: events in between must not be lost.
    left join lateral (
      select n.received_at, case when e.cause = 'event' then n.event_id end as event_id
      from news as n
      where n.customer_id = e.customer_id and n.kind = 'event' and case
        when e.cause = 'event' then n.name in (
          select f.event
          from private.segment_parts as p
          join private.features as f on f.workspace_id = p.workspace_id and f.id::text = p.ref
          where p.workspace_id = p_workspace_id and p.segment_id = e.segment_id and p.kind = 'feature'
        )
        else n.id > coalesce(k.id, 0)
      end
      order by n.received_at, n.event_id
      limit 1
    ) as c on true
    order by e.place
  );
end
$$;
comment on function private.entries_by_segment(uuid, private.signals[], private.segment_truth[], timestamptz) is
  'The entries of customers whose entering or leaving of a segment triggers running journeys, as of the event that caused it.';

create or replace function private.changes_of(
  p_workspace_id uuid,
  p_signals private.signals[],
  p_flips private.segment_truth[]
)
returns table (kind text, ref text, customer_id uuid)
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  select 'event', s.name, i.customer_id
  from (select distinct s.name, s.identity_id from unnest(p_signals) as s where s.kind = 'event') as s
  cross join lateral (
    select n.customer_id from public.identities as n
    where n.workspace_id = p_workspace_id and n.id = s.identity_id limit 1
  ) as i
  union
  select
    case s.kind when 'consent' then 'consent' when 'segment' then 'segment' else 'profile' end,
    case s.kind when 'seen' then 'last_seen_at' when 'segment' then s.name else '' end,
    s.customer_id
  from unnest(p_signals) as s
  where s.kind in ('profile', 'created', 'seen', 'merge', 'consent', 'segment')
  union
  select 'segment', f.segment_id::text, f.customer_id from unnest(p_flips) as f
$$;
comment on function private.changes_of(uuid, private.signals[], private.segment_truth[]) is
  'Changes and their customers: the kinds and references of private.journey_interests.';

create or replace function private.wake_runs(p_workspace_id uuid, p_run_ids uuid[], p_now timestamptz)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_due jsonb;
begin
  with locked as materialized (
    select r.id
    from public.journey_runs as r
    where r.workspace_id = p_workspace_id and r.id = any (p_run_ids) and r.state = 'active'
    order by r.id
    for update
  ),
  woken as (
    update public.journey_runs as r
    set due_at = least(r.due_at, p_now), wakes = r.wakes + 1
    from locked as l
    where r.workspace_id = p_workspace_id and r.id = l.id
    returning r.journey_id, r.due_at
  )
  -- Their own times: a run whose claim was taken away has been due for longer.
  select jsonb_agg(jsonb_build_array(w.journey_id, w.due_at)) into v_due from woken as w;
  perform private.announce_runs(p_workspace_id, v_due, p_now);
  return coalesce(jsonb_array_length(v_due), 0);
end
$$;
comment on function private.wake_runs(uuid, uuid[], timestamptz) is
  'Makes a worker look at runs now. A worker that already holds them looks again. Returns the number of active runs.';

create or replace function private.fold_journeys(
  p_workspace_id uuid,
  p_signals private.signals[],
  p_flips private.segment_truth[],
  p_now timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_run_ids uuid[];
begin
  if not exists (select from private.journey_interests as i where i.workspace_id = p_workspace_id) then
    return;
  end if;
  perform private.enter_runs(
    p_workspace_id,
    private.entries_by_event(p_workspace_id, p_signals)
      || private.entries_by_segment(p_workspace_id, p_signals, p_flips, p_now),
    p_now
  );
  v_run_ids := array(
    select distinct r.id
    from private.changes_of(p_workspace_id, p_signals, p_flips) as c
    join private.journey_interests as i
      on i.workspace_id = p_workspace_id and i.role = 'run' and i.kind = c.kind and i.ref = c.ref
    join public.journey_runs as r
      on r.workspace_id = p_workspace_id and r.customer_id = c.customer_id and r.state = 'active'
      and r.journey_id = i.journey_id and r.version = i.version and (i.step = '' or i.step = r.step)
  );
  if cardinality(v_run_ids) > 0 then
    perform private.wake_runs(p_workspace_id, v_run_ids, p_now);
  end if;
  -- After the wake-up, which waits for workers that are about to end a run.
  perform private.note_goals(private.ended_runs(p_workspace_id, p_signals));
  -- After the runs, as merges do.
  perform private.note_dates(p_workspace_id, p_signals, p_now);
end
$$;
comment on function private.fold_journeys(uuid, private.signals[], private.segment_truth[], timestamptz) is
  'Lets customers enter journeys that signals and changes of segments trigger, and wakes the runs that wait for them.';

create or replace function private.note_dates(p_workspace_id uuid, p_signals private.signals[], p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_due integer;
begin
  insert into private.journey_dates as d (workspace_id, journey_id, customer_id, due_at, depth)
  select p_workspace_id, i.journey_id, s.customer_id, p_now, max(s.depth)
  from unnest(p_signals) as s
  join private.journey_interests as i
    on i.workspace_id = p_workspace_id and i.role = 'trigger' and i.kind = 'date'
  join public.journeys as j
    on j.workspace_id = i.workspace_id and j.id = i.journey_id and j.version = i.version
    -- Also during a pause: a date may lie behind it.
    and j.state <> 'stopped'
  where s.kind in ('profile', 'created', 'merge')
  group by i.journey_id, s.customer_id
  order by 2, 3
  on conflict (workspace_id, journey_id, customer_id) do update
  set due_at = least(d.due_at, excluded.due_at), depth = excluded.depth;
  get diagnostics v_due = row_count;
  if v_due > 0 then
    perform private.wake_worker('automation');
  end if;
end
$$;
comment on function private.note_dates(uuid, private.signals[], timestamptz) is
  'Makes a worker compute the dates of changed customers again, for the journeys that a date triggers.';
