-- Purpose: the work on campaigns, one step at a time, from the schedule.
-- Locks:   the job of a campaign, then the campaign.

create or replace function private.halt_by_service(
  p_campaign public.campaigns,
  p_state text,
  p_reason text,
  p_explanation text,
  p_now timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform private.halt_campaign(p_campaign, p_state, p_reason, p_explanation, p_now);
  perform private.write_system_audit(
    p_campaign.workspace_id, 'campaign.' || case p_state when 'paused' then 'pause' else 'cancel' end,
    p_campaign.id, jsonb_build_object('reason', p_reason)
  );
end
$$;
comment on function private.halt_by_service(public.campaigns, text, text, text, timestamptz) is
  'Pauses or cancels a campaign for a reason of the service, with an entry of the audit log.';

create or replace function private.work_sending(
  p_campaign public.campaigns,
  p_job private.campaign_jobs,
  p_now timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_campaign public.campaigns := p_campaign;
  v_obstacle text := private.campaign_obstacle(p_campaign);
  v_fed integer;
  v_next timestamptz;
begin
  if not p_job.is_announced then
    perform private.announce_campaign(p_campaign, p_now);
  end if;
  if p_now < p_job.release_until then
    perform private.release_held_sends(p_campaign, p_now);
  end if;
  perform private.fold_counts_of(p_campaign.workspace_id, p_campaign.id);
  if v_obstacle is not null then
    perform private.halt_by_service(
      p_campaign, 'paused', v_obstacle, private.obstacle_text(v_obstacle), p_now
    );
    return;
  elsif private.stop_for_complaints(p_campaign, p_job, p_now) then
    return;
  end if;
  v_campaign := private.choose_winner(p_campaign, p_job, p_now);
  v_fed := private.feed_campaign(v_campaign, p_job, p_now);
  if private.count_handled(v_campaign) >= v_campaign.recipients then
    perform private.complete_campaign(v_campaign, p_now);
    return;
  end if;
  v_next := private.next_step_at(v_campaign, p_now);
  update private.campaign_jobs as j
  set due_at = case when v_fed = 2000 then p_now else v_next end
  where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id;
end
$$;
comment on function private.work_sending(public.campaigns, private.campaign_jobs, timestamptz) is
  'One step of a campaign that is sending: checks complaints, chooses the winner, makes sends, and completes it when every recipient has an outcome.';

create or replace function private.next_step_at(p_campaign public.campaigns, p_now timestamptz)
returns timestamptz
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_due_at timestamptz := (
    select r.due_at from private.campaign_recipients as r
    where r.workspace_id = p_campaign.workspace_id and r.campaign_id = p_campaign.id and r.state = 'pending'
    order by r.due_at
    limit 1
  );
  v_decide_at timestamptz := (
    select j.decide_at from private.campaign_jobs as j
    where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id
      and p_campaign.winner_variant is null
  );
begin
  -- Again while sends are on their way, to see their outcomes.
  if v_due_at is null or exists (
    select from private.send_queue as q
    where q.workspace_id = p_campaign.workspace_id and q.sender_id = p_campaign.sender_id
  ) then
    return p_now + interval '1 second';
  end if;
  return greatest(
    least(v_due_at - interval '10 seconds', coalesce(v_decide_at, 'infinity')), p_now + interval '1 second'
  );
end
$$;
comment on function private.next_step_at(public.campaigns, timestamptz) is
  'The time of the next step of a campaign: at once while sends wait, otherwise before the next recipient is due.';

create or replace function private.work_cancelling(
  p_campaign public.campaigns,
  p_job private.campaign_jobs,
  p_now timestamptz,
  p_limit integer
)
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
  if p_now < p_job.release_until then
    -- To be skipped at once.
    perform private.release_held_sends(p_campaign, p_now);
  end if;
  with left_over as materialized (
    select r.customer_id
    from private.campaign_recipients as r
    where r.workspace_id = p_campaign.workspace_id and r.campaign_id = p_campaign.id
      and r.state = 'pending'
    order by r.due_at, r.customer_id
    limit p_limit
    for update
  ),
  skipped as (
    update private.campaign_recipients as r set state = 'skipped', reason = 'cancelled'
    from left_over as l
    where r.workspace_id = p_campaign.workspace_id and r.campaign_id = p_campaign.id
      and r.customer_id = l.customer_id
    returning r.variant
  )
  insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
  select
    p_campaign.workspace_id, p_campaign.id,
    coalesce(
      s.variant, p_campaign.winner_variant, case when p_campaign.variants <> '[]' then -1 else 0 end
    ),
    'skipped:cancelled', count(*)
  from skipped as s
  group by 3;
  v_rows := (
    select count(*)
    from (
      select from private.campaign_recipients as r
      where r.workspace_id = p_campaign.workspace_id and r.campaign_id = p_campaign.id
        and r.state = 'pending'
      limit 1
    ) as r
  );
  if v_rows = 0 then
    -- Also when it was cancelled before the audience was whole.
    update public.campaigns as c set recipients = private.campaign_count(p_campaign, 'recipients')
    where c.workspace_id = p_campaign.workspace_id and c.id = p_campaign.id and c.started_at is not null;
  end if;
  update private.campaign_jobs as j
  set
    phase = case when v_rows = 0 then 'expire' else j.phase end,
    due_at = case when v_rows = 0 then p_now + interval '90 days' else p_now end
  where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id;
end
$$;
comment on function private.work_cancelling(public.campaigns, private.campaign_jobs, timestamptz, integer) is
  'Skips up to p_limit recipients of a cancelled campaign that still wait.';

create or replace function private.work_deleting(p_job private.campaign_jobs, p_now timestamptz, p_limit integer)
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
  delete from private.campaign_recipients as r
  where r.workspace_id = p_job.workspace_id and r.campaign_id = p_job.campaign_id and r.ctid = any (array(
    select s.ctid from private.campaign_recipients as s
    where s.workspace_id = p_job.workspace_id and s.campaign_id = p_job.campaign_id limit p_limit
  ));
  get diagnostics v_rows = row_count;
  if v_rows = p_limit then
    update private.campaign_jobs as j set due_at = p_now
    where j.workspace_id = p_job.workspace_id and j.campaign_id = p_job.campaign_id;
    return;
  end if;
  delete from private.campaign_jobs as j
  where j.workspace_id = p_job.workspace_id and j.campaign_id = p_job.campaign_id;
  if p_job.phase = 'cleanup' then
    delete from private.campaign_counts as c
    where c.workspace_id = p_job.workspace_id and c.campaign_id = p_job.campaign_id;
  end if;
end
$$;
comment on function private.work_deleting(private.campaign_jobs, timestamptz, integer) is
  'Deletes up to p_limit recipients of a campaign that ended long ago or was deleted; ends the job after the last recipient.';

create or replace function private.work_campaign(p_job private.campaign_jobs, p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_campaign public.campaigns;
begin
  if p_job.phase in ('expire', 'cleanup') then
    perform private.work_deleting(p_job, p_now, 20000);
    return;
  end if;
  select c.* into v_campaign
  from public.campaigns as c
  where c.workspace_id = p_job.workspace_id and c.id = p_job.campaign_id
  for no key update;
  if v_campaign.state = 'scheduled' then
    update public.campaigns as c set state = 'sending', started_at = p_now, updated_at = p_now
    where c.workspace_id = v_campaign.workspace_id and c.id = v_campaign.id
    returning c.* into v_campaign;
  end if;
  case p_job.phase
    when 'audience' then perform private.work_audience(v_campaign, p_job, p_now);
    when 'feed' then perform private.work_sending(v_campaign, p_job, p_now);
    when 'cancel' then perform private.work_cancelling(v_campaign, p_job, p_now, 20000);
  end case;
end
$$;
comment on function private.work_campaign(private.campaign_jobs, timestamptz) is
  'One step of the work on a campaign whose job the caller has locked.';

create or replace function private.work_campaigns(p_now timestamptz default clock_timestamp())
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
set jit = 'off'
as $$
declare
  v_job private.campaign_jobs;
begin
  select j.* into v_job
  from private.campaign_jobs as j
  where j.due_at <= p_now
  order by j.due_at
  limit 1
  for update skip locked;
  if not found then
    return 0;
  end if;
  begin
    perform private.work_campaign(v_job, p_now);
  exception when others then
    -- One campaign must not hold up the others.
    raise warning 'Cannot continue with campaign "%": %', v_job.campaign_id, sqlerrm;
    update private.campaign_jobs as j
    set last_error = sqlerrm, due_at = p_now + interval '5 seconds'
    where j.workspace_id = v_job.workspace_id and j.campaign_id = v_job.campaign_id;
  end;
  return 1;
end
$$;
comment on function private.work_campaigns(timestamptz) is
  'Does one step of the campaign that has been due the longest. Returns 0 if none is due.';

create or replace function private.campaign_command(p_seconds numeric)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  -- A function cannot commit: each step is a transaction of its own.
  select format(
    'do $work$
     declare
       v_until timestamptz := clock_timestamp() + make_interval(secs => %s);
     begin
       while private.work_campaigns() > 0 and clock_timestamp() < v_until loop
         commit;
       end loop;
     end
     $work$',
    p_seconds
  )
$$;
comment on function private.campaign_command(numeric) is
  'The command that works on campaigns until nothing is due, or for this many seconds. The local stack has its own loop.';
