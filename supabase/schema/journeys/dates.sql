-- Purpose: journeys that a date of the profile triggers: a worker computes when, in local time.
-- Locks:   the journeys (shared), then as private.enter_runs, then the timers.

create or replace function private.due_dates(p_limit integer, p_now timestamptz default clock_timestamp())
returns table (
  workspace_id uuid, journey_id uuid, customer_id uuid, rule jsonb, value jsonb, zone text,
  workspace_zone text, due_at timestamptz, entered_for timestamptz
)
language sql
stable
-- Definer: as for private.claim_runs.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
  select
    d.workspace_id, d.journey_id, d.customer_id, v.definition -> 'trigger',
    case v.definition #>> '{trigger,date}'
      when 'created_at' then to_jsonb(private.rfc3339(c.created_at))
      else c.attributes #> (string_to_array(v.definition #>> '{trigger,date}', '.'))[2:]
    end,
    c.timezone, w.timezone, d.due_at, d.entered_for
  from (
    select n.* from private.journey_dates as n where n.due_at <= p_now order by n.due_at limit p_limit
  ) as d
  left join public.journeys as j on j.workspace_id = d.workspace_id and j.id = d.journey_id
  left join public.journey_versions as v
    on v.workspace_id = d.workspace_id and v.journey_id = d.journey_id and v.version = j.version
  left join lateral (
    select x.* from public.customers as x where x.workspace_id = d.workspace_id and x.id = d.customer_id limit 1
  ) as c on true
  left join public.workspaces as w on w.id = d.workspace_id
$$;
comment on function private.due_dates(integer, timestamptz) is
  'Up to p_limit customers whose date of a journey is to be computed, with the rule and the value.';
grant execute on function private.due_dates(integer, timestamptz) to signalpost_automation;

create or replace function private.lock_dates(p_workspace_id uuid, p_dates jsonb)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  -- A journey that is paused or stopped: the change waits, or is over and seen.
  perform
  from (
    select distinct d.journey_id as id
    from jsonb_to_recordset(p_dates) as d (workspace_id uuid, journey_id uuid)
    where d.workspace_id = p_workspace_id
    order by 1
  ) as k
  cross join lateral (
    select from public.journeys as j where j.workspace_id = p_workspace_id and j.id = k.id for share
  ) as j;
  -- In the order of folds and merges, which change the timers after these.
  perform pg_advisory_xact_lock(hashtextextended(p_workspace_id::text, 21));
  perform
  from (
    select distinct d.customer_id as id
    from jsonb_to_recordset(p_dates) as d (workspace_id uuid, customer_id uuid)
    where d.workspace_id = p_workspace_id
    order by 1
  ) as k
  cross join lateral (
    select from public.customers as c where c.workspace_id = p_workspace_id and c.id = k.id for key share
  ) as c;
end
$$;
comment on function private.lock_dates(uuid, jsonb) is
  'Keeps the journeys and customers of dates in a workspace as they are until the transaction ends.';

create or replace function private.enter_dates(p_workspace_id uuid, p_dates jsonb, p_now timestamptz)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_count integer;
begin
  perform private.lock_dates(p_workspace_id, p_dates);
  -- Only customers who were due before: another worker computes the same.
  with dates as materialized (
    select k.*
    from jsonb_to_recordset(p_dates) as k (
      workspace_id uuid, journey_id uuid, customer_id uuid, due_at timestamptz, enter_at timestamptz
    )
    where k.workspace_id = p_workspace_id
  ),
  done as (
    update private.journey_dates as d
    set due_at = coalesce(k.due_at, 'infinity'), entered_for = coalesce(k.enter_at, d.entered_for)
    from dates as k
    where d.workspace_id = k.workspace_id and d.journey_id = k.journey_id and d.customer_id = k.customer_id
      and d.due_at <= p_now
    returning d.journey_id, d.customer_id, k.enter_at, d.depth
  )
  select count(*) into v_count
  from private.enter_runs(p_workspace_id, array(
    select row(
      d.journey_id, j.version, d.customer_id, d.enter_at, null,
      jsonb_build_object('date', private.rfc3339(d.enter_at)),
      jsonb_build_object('date', v.definition #>> '{trigger,date}', 'at', private.rfc3339(d.enter_at)), d.depth
    )::private.journey_entry
    from done as d
    join public.journeys as j on j.workspace_id = p_workspace_id and j.id = d.journey_id and j.state = 'running'
    join public.journey_versions as v
      on v.workspace_id = j.workspace_id and v.journey_id = j.id and v.version = j.version
    where d.enter_at is not null
    order by d.enter_at, d.customer_id
  ), p_now) as e;
  return v_count;
end
$$;
comment on function private.enter_dates(uuid, jsonb, timestamptz) is
  'Sets the timers of dates in a workspace and lets customers enter: see private.complete_dates.';

create or replace function private.complete_dates(p_dates jsonb, p_now timestamptz default clock_timestamp())
returns integer
language plpgsql
volatile
-- Definer: as for private.claim_runs.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
declare
  v_workspace_id uuid;
  v_count integer := 0;
begin
  for v_workspace_id in
    select distinct (d ->> 'workspace_id')::uuid from jsonb_array_elements(p_dates) as d order by 1
  loop
    begin
      v_count := v_count + private.enter_dates(v_workspace_id, p_dates, p_now);
    exception
      when serialization_failure or deadlock_detected then
        raise;
      when others then
        -- One workspace must not hold up the others: it may be on its way to another cell.
        raise warning 'Cannot process dates of workspace "%": %', v_workspace_id, sqlerrm;
        update private.journey_dates as d set due_at = p_now + interval '10 seconds'
        from jsonb_to_recordset(p_dates) as k (workspace_id uuid, journey_id uuid, customer_id uuid)
        where k.workspace_id = v_workspace_id and d.workspace_id = k.workspace_id
          and d.journey_id = k.journey_id and d.customer_id = k.customer_id;
    end;
  end loop;
  return v_count;
end
$$;
comment on function private.complete_dates(jsonb, timestamptz) is
  'Sets the timers of dates [{workspace_id, journey_id, customer_id, due_at, enter_at}], and lets customers enter whose date has come. Returns the number that tried to enter.';
grant execute on function private.complete_dates(jsonb, timestamptz) to signalpost_automation;

create or replace function private.follow_zone()
returns trigger
language plpgsql
volatile
-- Definer: a caller that changes a workspace may not write the work of its journeys.
security definer
set search_path = ''
as $$
begin
  perform private.compute_again(new.id, array(
    select s.id from public.segments as s
    where s.workspace_id = new.id and s.condition @? '$.**.op ? (@ == "anniversary_today")'
  ));
  insert into private.journey_jobs (workspace_id, journey_id, kind, version)
  select j.workspace_id, j.id, k.kind, j.version
  from public.journeys as j
  cross join (
    values
      (
        'look',
        '$ ? (exists (@.steps.*.wait.until) || exists (@.exit_when.**.op ? (@ == "anniversary_today")))'
      ),
      ('dates', '$.trigger.date')
  ) as k (kind, path)
  where j.workspace_id = new.id and j.state <> 'stopped' and exists (
    select from public.journey_versions as v
    where v.workspace_id = j.workspace_id and v.journey_id = j.id and jsonb_path_exists(v.definition, k.path::jsonpath)
  );
  if found then
    perform private.wake_worker('automation');
  end if;
  return null;
end
$$;
comment on function private.follow_zone() is
  'Makes workers compute local times, and segments about anniversaries, again when the time zone of a workspace changes.';

create or replace function private.follow_default()
returns trigger
language plpgsql
volatile
-- Definer: a caller that changes a topic may not write segments or the work of journeys.
security definer
set search_path = ''
as $$
begin
  perform private.compute_again(new.workspace_id, array(
    select p.segment_id from private.segment_parts as p
    where p.workspace_id = new.workspace_id and p.kind = 'topic' and p.ref = new.id::text
  ));
  insert into private.journey_jobs (workspace_id, journey_id, kind, version)
  select j.workspace_id, j.id, 'look', j.version
  from public.journeys as j
  where j.workspace_id = new.workspace_id and j.state <> 'stopped' and exists (
    select from private.journey_interests as i
    where i.workspace_id = j.workspace_id and i.journey_id = j.id and i.kind = 'consent'
  );
  if found then
    perform private.wake_worker('automation');
  end if;
  return null;
end
$$;
comment on function private.follow_default() is
  'Makes workers look again at segments and runs that depend on a topic when its default changes: it applies to every address that has not chosen.';
