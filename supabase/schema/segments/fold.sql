-- Purpose: the fold: signals and due timers of one workspace become state, memberships and messages.
-- Locks:   the lane of the workspace, then the workspace (shared, advisory) as ingest takes it.
-- Risk:    all effects are in the transaction that deletes the signals: a crash repeats nothing.

create or replace function private.find_dirt(
  p_workspace_id uuid,
  p_signals private.signals[],
  p_hits private.feature_hit[]
)
returns private.segment_truth[]
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  return array(
    with others as materialized (
      select s.kind, s.customer_id, s.name from unnest(p_signals) as s where s.kind <> 'event'
    ),
    dirt as (
      select g.id as segment_id, i.customer_id, 'event' as cause
      from unnest(p_hits) as h
      cross join lateral (
        select x.segment_id from private.segment_parts as x
        where x.workspace_id = p_workspace_id and x.kind = 'feature' and x.ref = h.feature_id::text
        offset 0
      ) as p
      cross join lateral (
        select x.id, x.is_growing, x.computed_version from public.segments as x
        where x.workspace_id = p_workspace_id and x.id = p.segment_id limit 1
      ) as g
      cross join lateral (
        select x.customer_id from public.identities as x
        where x.workspace_id = p_workspace_id and x.id = h.identity_id limit 1
      ) as i
      -- Those whom the event can only confirm stay; their timer stays early enough.
      where not (g.is_growing and exists (
        select from public.segment_members as m
        where m.workspace_id = p_workspace_id and m.segment_id = g.id and m.version = g.computed_version
          and m.customer_id = i.customer_id
      ))
      union all
      select p.segment_id, o.customer_id, k.cause
      from others as o
      join (
        values ('profile', 'field', 'profile'), ('seen', 'field', 'event'), ('consent', 'topic', 'consent'),
          ('segment', 'segment', 'segment'),
          -- Consent belongs to the address, and the profile has another one.
          ('profile', 'topic', 'profile')
      ) as k (kind, part, cause) on k.kind = o.kind
      cross join lateral (
        select x.segment_id, x.ref from private.segment_parts as x
        where x.workspace_id = p_workspace_id and x.kind = k.part
          and (k.kind <> 'segment' or x.ref = o.name) and (k.kind <> 'seen' or x.ref = 'last_seen_at')
        offset 0
      ) as p
      union all
      select g.id, o.customer_id, case o.kind when 'merge' then 'merge' else 'profile' end
      from others as o
      join public.segments as g on g.workspace_id = p_workspace_id and g.kind = 'live'
      where o.kind in ('created', 'merge')
        -- A customer without events is in no such segment, and one with events has signals of them.
        and not (o.kind = 'created' and g.is_growing and exists (
          select from private.segment_nodes as n where n.workspace_id = g.workspace_id and n.segment_id = g.id
        ))
    )
    select row(d.segment_id, d.customer_id, d.cause, null, null)::private.segment_truth from dirt as d
  );
end
$$;
comment on function private.find_dirt(uuid, private.signals[], private.feature_hit[]) is
  'The customers to compare with segments because of signals and the features they hit, some several times.';

create or replace function private.merge_dirt(p_dirt private.segment_truth[])
returns private.segment_truth[]
language plpgsql
immutable
security invoker
set search_path = ''
as $$
declare
  v_causes constant text[] := '{merge,event,segment,profile,consent,time}';
begin
  return array(
    select row(
      d.segment_id, d.customer_id, v_causes[min(array_position(v_causes, d.cause))], null, null
    )::private.segment_truth
    from unnest(p_dirt) as d
    group by d.segment_id, d.customer_id
  );
end
$$;
comment on function private.merge_dirt(private.segment_truth[]) is
  'Each pair of segment and customer once. If it has several causes, keeps the one that messages name.';

create or replace function private.take_checks(p_workspace_id uuid, p_now timestamptz, p_limit integer)
returns private.segment_truth[]
language sql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  with taken as (
    delete from private.segment_checks as k
    -- By ctid alone: any other condition would let the planner scan an index instead.
    where k.ctid = any (array(
      select d.ctid from private.segment_checks as d
      where d.workspace_id = p_workspace_id and d.check_at <= p_now
      order by d.check_at
      limit p_limit
    ))
    returning k.segment_id, k.customer_id
  )
  select coalesce(
    array_agg(row(t.segment_id, t.customer_id, 'time', null, null)::private.segment_truth), '{}'
  )
  from taken as t
$$;
comment on function private.take_checks(uuid, timestamptz, integer) is
  'Takes the timers that are due, up to p_limit.';

create or replace function private.evaluate_segment(
  p_segment public.segments,
  p_dirt private.segment_truth[],
  p_now timestamptz
)
returns private.segment_truth[]
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return array(
    select row(d.segment_id, d.customer_id, d.cause, e.is_true, e.changes_at)::private.segment_truth
    from private.evaluate_compiled(
      private.compile_condition(row(p_segment.workspace_id, 'marks', 'members'), p_segment.condition),
      p_segment.workspace_id, array(select d.customer_id from unnest(p_dirt) as d), p_now
    ) as e
    join unnest(p_dirt) as d on d.customer_id = e.customer_id
  );
end
$$;
comment on function private.evaluate_segment(public.segments, private.segment_truth[], timestamptz) is
  'The answers of a segment''s condition for the customers to compare with it, from the state that the fold keeps.';

create or replace function private.evaluate_level(
  p_workspace_id uuid,
  p_level integer,
  p_dirt private.segment_truth[],
  p_now timestamptz
)
returns private.segment_truth[]
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_part record;
  v_plain private.segment_truth[] := '{}';
  v_truths private.segment_truth[] := '{}';
begin
  for v_part in
    with t as materialized (
      select d.segment_id, array_agg(d) as dirt from unnest(p_dirt) as d group by d.segment_id
    )
    select s as segment, t.dirt, exists (
      select from private.segment_nodes as n where n.workspace_id = s.workspace_id and n.segment_id = s.id
    ) as is_plain
    from t
    join public.segments as s on s.workspace_id = p_workspace_id and s.id = t.segment_id
    where s.level = p_level and s.kind = 'live'
      -- The job compares all customers when the state has been built.
      and not exists (
        select from private.segment_jobs as j
        where j.workspace_id = s.workspace_id and j.segment_id = s.id and j.phase = 'features'
      )
    order by s.id
  loop
    if v_part.is_plain then
      v_plain := v_plain || v_part.dirt;
    else
      v_truths := v_truths || private.evaluate_segment(v_part.segment, v_part.dirt, p_now);
    end if;
  end loop;
  if cardinality(v_plain) > 0 then
    v_truths := v_truths || private.answer_nodes(p_workspace_id, v_plain, p_now);
  end if;
  return v_truths;
end
$$;
comment on function private.evaluate_level(uuid, integer, private.segment_truth[], timestamptz) is
  'The answers of the conditions of one level of segments for the customers to compare with them.';

create or replace function private.follow_dirt(
  p_workspace_id uuid,
  p_dirt private.segment_truth[],
  p_now timestamptz
)
returns private.segment_truth[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_told private.segment_truth[] := '{}';
  v_level integer := 0;
  v_last integer := (select max(s.level) from public.segments as s where s.workspace_id = p_workspace_id);
  v_flips private.segment_truth[];
begin
  while v_level <= v_last loop
    v_flips := private.apply_truths(
      p_workspace_id, private.evaluate_level(p_workspace_id, v_level, p_dirt, p_now), p_now
    );
    v_told := v_told || v_flips;
    if cardinality(v_flips) > 0 then
      p_dirt := private.merge_dirt(p_dirt || array(
        select row(p.segment_id, f.customer_id, 'segment', null, null)::private.segment_truth
        from unnest(v_flips) as f
        join private.segment_parts as p
          on p.workspace_id = p_workspace_id and p.kind = 'segment' and p.ref = f.segment_id::text
      ));
    end if;
    v_level := v_level + 1;
  end loop;
  return v_told;
end
$$;
comment on function private.follow_dirt(uuid, private.segment_truth[], timestamptz) is
  'Compares customers with segments, starting with the segments that others name, and writes the effects. Returns the changes of membership.';

create or replace function private.drop_customers(
  p_workspace_id uuid,
  p_signals private.signals[],
  p_now timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_signal private.signals;
  v_segment_ids uuid[] := '{}';
  v_touched uuid[];
begin
  for v_signal in
    select s.* from unnest(p_signals) as s where s.kind in ('merge', 'removed') order by s.id
  loop
    if v_signal.kind = 'merge' then
      with moved as (
        insert into public.segment_members (workspace_id, segment_id, version, customer_id, since)
        select m.workspace_id, m.segment_id, m.version, v_signal.customer_id, m.since
        from public.segment_members as m
        join public.segments as s on s.workspace_id = m.workspace_id and s.id = m.segment_id
        where m.workspace_id = p_workspace_id and m.customer_id = v_signal.event_id and s.kind = 'static'
        on conflict do nothing
        returning segment_id
      )
      update public.segments as s set members = s.members + 1
      from moved as m
      where s.workspace_id = p_workspace_id and s.id = m.segment_id;
    end if;
    with gone as (
      delete from public.segment_members as m
      where m.workspace_id = p_workspace_id
        and m.customer_id = case v_signal.kind when 'merge' then v_signal.event_id else v_signal.customer_id end
      returning m.segment_id, m.version
    ),
    counted as (
      update public.segments as s
      set
        members = s.members - (select count(*) from gone as g where g.segment_id = s.id and g.version = s.version),
        computed_members = s.computed_members
          - (select count(*) from gone as g where g.segment_id = s.id and g.version = s.computed_version)
      where s.workspace_id = p_workspace_id and s.id in (select g.segment_id from gone as g)
      returning s.id
    )
    select array_agg(c.id) into v_touched from counted as c;
    v_segment_ids := v_segment_ids || v_touched;
    delete from private.segment_checks as k
    where k.workspace_id = p_workspace_id
      and k.customer_id = case v_signal.kind when 'merge' then v_signal.event_id else v_signal.customer_id end;
  end loop;
  if cardinality(v_segment_ids) > 0 then
    perform private.record_flips(p_workspace_id, v_segment_ids, '{}', p_now);
  end if;
end
$$;
comment on function private.drop_customers(uuid, private.signals[], timestamptz) is
  'Removes merged and erased customers from all segments. The survivor of a merge takes the other''s place in static segments.';

create or replace function private.fold_workspace(p_workspace_id uuid, p_now timestamptz, p_limit integer)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_signals private.signals[];
  v_checks private.segment_truth[];
  v_dirt private.segment_truth[];
  v_flips private.segment_truth[];
begin
  perform pg_advisory_xact_lock_shared(private.workspace_lock(p_workspace_id));
  with taken as (
    delete from private.signals as s
    where s.workspace_id = p_workspace_id and s.id = any (array(
      select n.id from private.signals as n where n.workspace_id = p_workspace_id order by n.id limit p_limit
    ))
    returning s as signal
  )
  select coalesce(array_agg(t.signal order by (t.signal).id), '{}') into v_signals from taken as t;
  perform private.drop_customers(p_workspace_id, v_signals, p_now);
  v_dirt := private.find_dirt(p_workspace_id, v_signals, private.fold_events(p_workspace_id, v_signals));
  v_checks := private.take_checks(p_workspace_id, p_now, p_limit);
  v_flips := private.follow_dirt(p_workspace_id, private.merge_dirt(v_dirt || v_checks), p_now);
  perform private.fold_journeys(p_workspace_id, v_signals, v_flips, p_now);
  update private.segment_lanes as l
  set folded_at = p_now, last_error = null, next_check_at = coalesce((
    select k.check_at from private.segment_checks as k
    where k.workspace_id = p_workspace_id order by k.check_at limit 1
  ), 'infinity')
  where l.workspace_id = p_workspace_id;
  return cardinality(v_signals) + cardinality(v_checks);
end
$$;
comment on function private.fold_workspace(uuid, timestamptz, integer) is
  'Folds up to p_limit signals and p_limit due timers of a workspace whose lane the caller holds, and returns the number folded.';
