-- Purpose: the result of the rehearsal of one customer, read before it is rolled back.

create or replace function private.judge_sends(p_run_ids uuid[], p_sends public.sends[])
returns table (step text, kind text)
language sql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  select
    s.step,
    case
      when c.email is null then 'skipped:no_address'
      when k.decision = 'skip' then 'skipped:' || k.reason
      else 'sent'
    end
  from unnest(p_sends) as s
  left join public.customers as c on c.workspace_id = s.workspace_id and c.id = s.customer_id
  left join public.templates as t on t.workspace_id = s.workspace_id and t.id = s.template_id
  cross join lateral unnest(private.check_sends(array[
    jsonb_populate_record(null::private.send_start, jsonb_build_object(
      'workspace_id', s.workspace_id, 'sender_id', s.sender_id, 'send_id', s.id,
      'queued_at', s.queued_at, 'email', btrim(c.email), 'template_version', t.version
    ))
  ], s.queued_at)) as k
  where s.run_id = any (p_run_ids)
$$;
comment on function private.judge_sends(uuid[], public.sends[]) is
  'Judges the sends of these runs by address and consent: sent, or skipped with the reason.';

create or replace function private.describe_rehearsed(p_run public.journey_runs)
returns jsonb
language sql
stable
security invoker
set search_path = ''
as $$
  select jsonb_build_object(
    'customer_id', p_run.customer_id, 'entered_at', private.rfc3339(p_run.entered_at),
    'state', p_run.state, 'reason', p_run.reason, 'step', p_run.step,
    'wake_at', private.rfc3339(p_run.wake_at), 'goal_at', private.rfc3339(p_run.goal_at),
    'path', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'visit', s.visit, 'step', s.step, 'kind', s.kind, 'at', private.rfc3339(s.at),
        'outcome', s.outcome - 'send_id'
      ) order by s.visit), '[]')
      from (
        select n.* from public.run_steps as n
        where n.workspace_id = p_run.workspace_id and n.run_id = p_run.id
        order by n.visit
        limit 100
      ) as s
    )
  )
$$;
comment on function private.describe_rehearsed(public.journey_runs) is
  'A run of a rehearsal as an example: its way, up to 100 steps.';

create or replace function private.finish_rehearsed(p_rehearsal jsonb, p_examples integer)
returns jsonb
language plpgsql
volatile
-- Definer: as for private.claim_runs.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
declare
  v_workspace_id uuid := (p_rehearsal ->> 'workspace_id')::uuid;
  v_ids uuid[] := array(select e::uuid from jsonb_array_elements_text(p_rehearsal -> 'customer_ids') as e);
  v_runs public.journey_runs[] := array(
    select r from public.journey_runs as r
    where r.workspace_id = v_workspace_id and r.customer_id = any (v_ids)
      and r.journey_id = (p_rehearsal ->> 'journey_id')::uuid and r.version = private.rehearsal_version()
    order by r.entered_at, r.id
  );
  v_sends public.sends[] := array(
    select s from public.sends as s
    where s.workspace_id = v_workspace_id and s.customer_id = any (v_ids)
      and s.queued_at >= (p_rehearsal ->> 'since')::timestamptz
      and s.journey_id = (p_rehearsal ->> 'journey_id')::uuid
  );
begin
  return jsonb_build_object(
    'counts', (
      select coalesce(jsonb_agg(jsonb_build_object('step', k.step, 'kind', k.kind, 'count', k.count)), '[]')
      from (
        select d.step, d.kind, sum(d.count) as count
        from (
          select n.step, n.kind, n.count
          from private.journey_stat_deltas as n
          where n.workspace_id = v_workspace_id and n.journey_id = (p_rehearsal ->> 'journey_id')::uuid
            and n.version = private.rehearsal_version()
          union all
          select r.step, 'waiting', 1 from unnest(v_runs) as r where r.state = 'active'
          union all
          select j.step, j.kind, 1
          from private.judge_sends(array(select r.id from unnest(v_runs) as r), v_sends) as j
        ) as d
        group by 1, 2
      ) as k
    ),
    'examples', (
      select coalesce(jsonb_agg(private.describe_rehearsed(r) order by r.entered_at, r.id), '[]')
      from (select e.* from unnest(v_runs) as e limit p_examples) as r
    )
  );
end
$$;
comment on function private.finish_rehearsed(jsonb, integer) is
  'The figures of the rehearsal {workspace_id, journey_id, customer_ids, since} of one customer, as {step, kind, count}, and up to p_examples of the runs.';
grant execute on function private.finish_rehearsed(jsonb, integer) to signalpost_automation;
