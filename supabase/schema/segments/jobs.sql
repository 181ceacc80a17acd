-- Purpose: the computation of new and edited segments, in steps; and who folds next.
-- Locks:   the lane of the workspace.

create or replace function private.compare_page(p_job private.segment_jobs, p_now timestamptz, p_limit integer)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_segment public.segments;
  v_ids uuid[] := array(
    select c.id from public.customers as c
    where c.workspace_id = p_job.workspace_id and c.id > p_job.cursor order by c.id limit p_limit
  );
begin
  select s.* into v_segment from public.segments as s
  where s.workspace_id = p_job.workspace_id and s.id = p_job.segment_id;
  perform private.apply_truths(p_job.workspace_id, private.evaluate_segment(v_segment, array(
    select row(v_segment.id, i.id, 'segment', null, null)::private.segment_truth from unnest(v_ids) as i (id)
  ), p_now), p_now);
  update private.segment_jobs as j
  set cursor = coalesce(v_ids[cardinality(v_ids)], j.cursor), done = j.done + cardinality(v_ids)
  where j.workspace_id = p_job.workspace_id and j.segment_id = p_job.segment_id;
  update public.segments as s
  set progress = least(0.99, 0.5 + 0.5 * (p_job.done + cardinality(v_ids)) / greatest(p_job.total, 1))
  where s.workspace_id = p_job.workspace_id and s.id = p_job.segment_id;
  if cardinality(v_ids) < p_limit then
    perform private.serve_version(v_segment, p_now);
  end if;
end
$$;
comment on function private.compare_page(private.segment_jobs, timestamptz, integer) is
  'Compares the next p_limit customers with the newest version of a segment; after the last, that version counts.';

create or replace function private.serve_version(p_segment public.segments, p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_is_part boolean := exists (
    select from private.segment_parts as p
    where p.workspace_id = p_segment.workspace_id and p.kind = 'segment' and p.ref = p_segment.id::text
  );
begin
  if v_is_part or exists (
    select from private.journey_interests as i
    where i.workspace_id = p_segment.workspace_id and i.role = 'run' and i.kind = 'segment'
      and i.ref = p_segment.id::text
  ) then
    perform private.note_segment_change(p_segment.workspace_id, p_segment.id, array(
      select m.customer_id
      from public.segment_members as m
      where m.workspace_id = p_segment.workspace_id and m.segment_id = p_segment.id
        and m.version in (p_segment.version, p_segment.computed_version)
        and (v_is_part or exists (
          select from public.journey_runs as r
          where r.workspace_id = m.workspace_id and r.customer_id = m.customer_id and r.state = 'active'
        ))
      group by m.customer_id
      having count(*) = 1
    ));
  end if;
  update public.segments as s
  set
    state = 'ready', progress = 1, version = s.computed_version, version_at = p_now,
    members = s.computed_members
  where s.workspace_id = p_segment.workspace_id and s.id = p_segment.id;
  perform private.record_flips(p_segment.workspace_id, array[p_segment.id], '{}', p_now);
  update private.segment_jobs as j set phase = 'cleanup'
  where j.workspace_id = p_segment.workspace_id and j.segment_id = p_segment.id;
end
$$;
comment on function private.serve_version(public.segments, timestamptz) is
  'Makes the newest version of a segment the one that counts, without messages; segments and runs of journeys that name it follow.';

create or replace function private.clean_up(p_job private.segment_jobs, p_limit integer)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_rows integer;
begin
  delete from public.segment_members as m
  -- By ctid alone: any other condition would let the planner scan an index instead.
  where m.ctid = any (array(
    select n.ctid from public.segment_members as n
    where n.workspace_id = p_job.workspace_id and n.segment_id = p_job.segment_id
      and n.version < coalesce((
        select s.version from public.segments as s
        where s.workspace_id = p_job.workspace_id and s.id = p_job.segment_id
      ), 2147483647)
    limit p_limit
  ));
  get diagnostics v_rows = row_count;
  if v_rows < p_limit then
    delete from private.segment_jobs as j
    where j.workspace_id = p_job.workspace_id and j.segment_id = p_job.segment_id;
  end if;
end
$$;
comment on function private.clean_up(private.segment_jobs, integer) is
  'Deletes up to p_limit members of old versions of a segment, or of a deleted one; ends the job after the last.';

create or replace function private.delete_dropped_state(p_workspace_id uuid, p_limit integer)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_id bigint := (
    select f.id from private.features as f
    where f.workspace_id = p_workspace_id and f.state = 'dropped' limit 1
  );
  v_rows integer;
  v_more integer;
begin
  if v_id is null then
    return 0;
  end if;
  delete from private.feature_marks as m
  where m.ctid = any (array(
    select n.ctid from private.feature_marks as n
    where n.workspace_id = p_workspace_id and n.feature_id = v_id limit p_limit
  ));
  get diagnostics v_rows = row_count;
  delete from private.feature_buckets as b
  where b.ctid = any (array(
    select n.ctid from private.feature_buckets as n
    where n.workspace_id = p_workspace_id and n.feature_id = v_id limit p_limit
  ));
  get diagnostics v_more = row_count;
  if greatest(v_rows, v_more) < p_limit then
    delete from private.features as f where f.workspace_id = p_workspace_id and f.id = v_id;
  end if;
  return 1;
end
$$;
comment on function private.delete_dropped_state(uuid, integer) is
  'Deletes up to p_limit rows of the state of a feature that no segment needs, and at the end the feature. Returns 0 if there is none.';

create or replace function private.work_segment_job(p_workspace_id uuid, p_now timestamptz)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_job private.segment_jobs;
  v_feature private.features;
begin
  select j.* into v_job from private.segment_jobs as j
  where j.workspace_id = p_workspace_id order by j.worked_at, j.segment_id limit 1;
  if not found then
    return private.delete_dropped_state(p_workspace_id, 20000);
  end if;
  update private.segment_jobs as j set worked_at = clock_timestamp()
  where j.workspace_id = p_workspace_id and j.segment_id = v_job.segment_id;
  if v_job.phase = 'features' then
    select f.* into v_feature
    from private.segment_parts as p
    join private.features as f on f.workspace_id = p.workspace_id and f.id::text = p.ref
    where p.workspace_id = p_workspace_id and p.segment_id = v_job.segment_id and p.kind = 'feature'
      and f.state = 'building'
    order by f.id
    limit 1;
    if found then
      perform private.build_feature(v_feature, 50000);
    else
      update private.segment_jobs as j set phase = 'customers', total = (
        select count(*) from public.customers as c where c.workspace_id = p_workspace_id
      )
      where j.workspace_id = p_workspace_id and j.segment_id = v_job.segment_id;
    end if;
  elsif v_job.phase = 'customers' then
    perform private.compare_page(v_job, p_now, 5000);
  else
    perform private.clean_up(v_job, 20000);
  end if;
  return 1;
end
$$;
comment on function private.work_segment_job(uuid, timestamptz) is
  'Does one step of the job of a workspace that has waited the longest. Returns 0 if there is none.';

create or replace function private.take_segment_lane(p_now timestamptz)
returns uuid
language sql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
  with recursive waiting as (
    -- From workspace to workspace, however many signals one has.
    (select s.workspace_id from private.signals as s order by s.workspace_id limit 1)
    union all
    select (
      select s.workspace_id from private.signals as s
      where s.workspace_id > w.workspace_id order by s.workspace_id limit 1
    )
    from waiting as w
    where w.workspace_id is not null
  ),
  due as (
    select w.workspace_id from waiting as w where w.workspace_id is not null
    union
    select l.workspace_id from private.segment_lanes as l where l.next_check_at <= p_now
    union
    select j.workspace_id from private.segment_jobs as j
    union
    select f.workspace_id from private.features as f where f.state = 'dropped'
  )
  select l.workspace_id
  from private.segment_lanes as l
  where l.workspace_id in (select d.workspace_id from due as d) and l.rest_until <= p_now
  order by l.folded_at
  limit 1
  for update skip locked
$$;
comment on function private.take_segment_lane(timestamptz) is
  'Locks the workspace with work that was folded the longest ago and that nobody else folds. Returns null if there is none.';

create or replace function private.fold_segments(
  p_now timestamptz default clock_timestamp(),
  p_limit integer default 1000
)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
set jit = 'off'
-- Folds are short and many: planning would take longer than running them.
set plan_cache_mode = 'force_generic_plan'
as $$
declare
  v_workspace_id uuid := private.take_segment_lane(p_now);
  v_done integer;
begin
  if v_workspace_id is null then
    return 0;
  end if;
  begin
    v_done := private.fold_workspace(v_workspace_id, p_now, p_limit);
    -- Each step of a computation runs between two folds.
    if v_done < p_limit then
      v_done := v_done + private.work_segment_job(v_workspace_id, p_now);
    end if;
    return v_done;
  exception when others then
    -- One workspace must not hold up the others.
    raise warning 'Cannot fold segments of workspace "%": %', v_workspace_id, sqlerrm;
    update private.segment_lanes as l
    set last_error = sqlerrm, folded_at = p_now, rest_until = clock_timestamp() + interval '5 seconds'
    where l.workspace_id = v_workspace_id;
    return 1;
  end;
end
$$;
comment on function private.fold_segments(timestamptz, integer) is
  'Folds the workspace that has waited the longest: up to p_limit signals and timers, and a step of a computation. Returns the number folded, 0 if nothing is due anywhere.';
