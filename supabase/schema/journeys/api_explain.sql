-- Purpose: why a customer is, was, or is not in a journey.

create or replace function private.explain_trigger(
  p_version public.journey_versions,
  p_customer_id uuid
)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_trigger jsonb := p_version.definition -> 'trigger';
  v_run public.journey_runs;
begin
  if v_trigger ? 'event' then
    v_run.id := p_customer_id;
    v_run.customer_id := p_customer_id;
    v_run.entered_at := p_version.published_at;
    v_run.entered_id := '00000000-0000-0000-0000-000000000000';
    return jsonb_build_object('event', v_trigger -> 'event', 'at', (
      select private.rfc3339(e.received_at)
      from private.find_run_events(p_version.workspace_id, v_trigger, array[v_run]) as e
    ));
  elsif v_trigger ? 'segment' then
    return (
      select jsonb_build_object('segment', s.name, 'on', v_trigger -> 'on', 'is_member', exists (
        select from public.segment_members as m
        where m.workspace_id = s.workspace_id and m.segment_id = s.id and m.version = s.version
          and m.customer_id = p_customer_id
      ))
      from public.segments as s
      where s.workspace_id = p_version.workspace_id and s.id = (v_trigger ->> 'segment')::uuid
    );
  elsif v_trigger ? 'date' then
    return jsonb_build_object('date', v_trigger -> 'date', 'at', (
      select private.rfc3339(nullif(d.due_at, 'infinity'))
      from private.journey_dates as d
      where d.workspace_id = p_version.workspace_id and d.journey_id = p_version.journey_id
        and d.customer_id = p_customer_id
    ));
  end if;
  return '{"api": true}';
end
$$;
comment on function private.explain_trigger(public.journey_versions, uuid) is
  'The parts of the trigger of a version that a customer has: {event, at: of the first since the publication}, {segment: name, on, is_member}, {date, at: of the timer} or {api}; null without the segment.';

create or replace function private.explain_runs(p_workspace_id uuid, p_journey_id uuid, p_customer_id uuid)
returns jsonb
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', r.id, 'version', r.version, 'state', r.state, 'reason', r.reason, 'step', r.step,
    'entered_at', private.rfc3339(r.entered_at), 'exited_at', private.rfc3339(r.exited_at),
    'wake_at', private.rfc3339(r.wake_at), 'skipped', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'step', s.step, 'reason', s.outcome -> 'skipped', 'at', private.rfc3339(s.done_at)
      ) order by s.visit), '[]')
      from (
        select n.* from public.run_steps as n
        where n.workspace_id = p_workspace_id and n.run_id = r.id
        order by n.visit desc
        limit 200
      ) as s
      where s.kind = 'send' and s.outcome ? 'skipped'
    )
  ) order by r.id desc), '[]')
  from (
    select n.* from public.journey_runs as n
    where n.workspace_id = p_workspace_id and n.customer_id = p_customer_id and n.journey_id = p_journey_id
    order by n.id desc
    limit 5
  ) as r
$$;
comment on function private.explain_runs(uuid, uuid, uuid) is
  'The newest five runs of a customer in a journey, each with the sends that were skipped.';

create or replace function private.explain_journey(
  p_workspace_id uuid,
  p_journey_id uuid,
  p_customer_id uuid,
  p_now timestamptz default clock_timestamp()
)
returns jsonb
language plpgsql
stable
-- Definer: a key with sends:read may not read journeys, their timers and their conditions.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
declare
  v_journey public.journeys;
  v_version public.journey_versions;
  v_when jsonb;
begin
  if not private.is_readable(p_workspace_id, array['journeys:read', 'journeys:write', 'sends:read']) then
    return null;
  end if;
  select j.* into v_journey
  from public.journeys as j where j.workspace_id = p_workspace_id and j.id = p_journey_id;
  if not found then
    return null;
  end if;
  select v.* into v_version
  from public.journey_versions as v
  where v.workspace_id = p_workspace_id and v.journey_id = p_journey_id and v.version = v_journey.version;
  v_when := v_version.definition #> '{entry,when}';
  return jsonb_build_object(
    'state', v_journey.state,
    'trigger', case
      when v_version.version is not null then private.explain_trigger(v_version, p_customer_id)
    end,
    'is_met', case
      when v_when is not null then (
        select e.is_true
        from private.evaluate_items(p_workspace_id, v_when, array[p_customer_id], array['{}'::jsonb], p_now) as e
      )
    end,
    'topics', (
      select coalesce(jsonb_agg(distinct s.value #> '{send,topic}'), '[]')
      from jsonb_each(v_version.definition -> 'steps') as s
      where s.value #>> '{send,topic}' is not null
    ),
    'runs', private.explain_runs(p_workspace_id, p_journey_id, p_customer_id)
  );
end
$$;
comment on function private.explain_journey(uuid, uuid, uuid, timestamptz) is
  'Facts that decide about a customer in a journey: its state, what they have of the trigger, whether they match entry.when (null without one), the topics of its sends, and their runs. Returns null if the journey does not exist.';
grant execute on function private.explain_journey(uuid, uuid, uuid, timestamptz) to signalpost_user, signalpost_key;
