-- Purpose: journeys that a date of the profile triggers: a worker computes when, in local time.
-- Locks:   the timers, then as private.enter_runs.

create or replace function private.due_dates(p_limit integer, p_now timestamptz default clock_timestamp())
returns table (
  workspace_id uuid, journey_id uuid, customer_id uuid, rule jsonb, value jsonb, zone text,
  workspace_zone text, entered_for timestamptz
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
    c.timezone, w.timezone, d.entered_for
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
    -- Only who was due before: another worker computes the same.
    with dates as materialized (
      select k.*
      from jsonb_to_recordset(p_dates) as k (
        workspace_id uuid, journey_id uuid, customer_id uuid, due_at timestamptz, enter_at timestamptz
      )
      where k.workspace_id = v_workspace_id
    ),
    done as (
      update private.journey_dates as d
      set due_at = coalesce(k.due_at, 'infinity'), entered_for = coalesce(k.enter_at, d.entered_for)
      from dates as k
      where d.workspace_id = k.workspace_id and d.journey_id = k.journey_id and d.customer_id = k.customer_id
        and d.due_at <= p_now
      returning d.journey_id, d.customer_id, k.enter_at
    )
    select v_count + count(*) into v_count
    from private.enter_runs(v_workspace_id, array(
      select row(
        d.journey_id, j.version, d.customer_id, d.enter_at, null,
        jsonb_build_object('date', private.rfc3339(d.enter_at)),
        jsonb_build_object('date', v.definition #>> '{trigger,date}', 'at', private.rfc3339(d.enter_at)), 0
      )::private.journey_entry
      from done as d
      join public.journeys as j on j.workspace_id = v_workspace_id and j.id = d.journey_id and j.state = 'running'
      join public.journey_versions as v
        on v.workspace_id = j.workspace_id and v.journey_id = j.id and v.version = j.version
      where d.enter_at is not null
      order by d.enter_at, d.customer_id
    ), p_now) as e;
  end loop;
  return v_count;
end
$$;
comment on function private.complete_dates(jsonb, timestamptz) is
  'Sets the timers of dates [{workspace_id, journey_id, customer_id, due_at, enter_at}] and has customers enter whose date has come. Returns how many tried to enter.';
grant execute on function private.complete_dates(jsonb, timestamptz) to signalpost_automation;
