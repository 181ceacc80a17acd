-- Purpose: what a step of a campaign decides: the stop for complaints, the winner, begin and end.
-- Locks:   the caller holds the job and the campaign.

create or replace function private.stop_for_complaints(
  p_campaign public.campaigns,
  p_job private.campaign_jobs,
  p_now timestamptz
)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_rate numeric := coalesce((
    select s.campaign_complaint_rate from public.send_settings as s
    where s.workspace_id = p_campaign.workspace_id
  ), 0.5);
  v_sent bigint;
  v_complained bigint;
begin
  select t.sent - p_job.accepted_sent, t.complained - p_job.accepted_complained
  into v_sent, v_complained
  from private.campaign_complaints(p_campaign) as t;
  if v_sent < 500 or 100 * v_complained <= v_rate * v_sent then
    return false;
  end if;
  perform private.halt_by_service(p_campaign, 'paused', 'complaint_rate', format(
    '%s of %s recipients complained (%s %%), and the limit is %s %%',
    v_complained, v_sent, round(100.0 * v_complained / v_sent, 2), v_rate
  ), p_now);
  return true;
end
$$;
comment on function private.stop_for_complaints(public.campaigns, private.campaign_jobs, timestamptz) is
  'Pauses a campaign if too many of at least 500 sends led to complaints. Returns true if it did.';

create or replace function private.count_goals(
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
  -- Chosen by hash: a sample is good enough, and takes a bounded time.
  v_sample private.campaign_recipients[] := array(
    select s.recipient
    from (
      select
        r as recipient,
        row_number() over (partition by r.variant order by r.address_hash) as position
      from private.campaign_recipients as r
      where r.workspace_id = p_campaign.workspace_id and r.campaign_id = p_campaign.id
        and r.variant is not null and r.state = 'queued'
    ) as s
    where s.position <= 10000
  );
begin
  insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
  select p_campaign.workspace_id, p_campaign.id, r.variant, k.kind, count(*)
  from unnest(v_sample) as r
  left join private.evaluate_condition(
    p_campaign.workspace_id,
    p_campaign.goal || jsonb_build_object('since', private.rfc3339(p_job.base_at)),
    array(select q.customer_id from unnest(v_sample) as q), p_now
  ) as e on e.customer_id = r.customer_id
  cross join lateral (
    values ('goal_of'), (case when e.is_true then 'goal' end)
  ) as k (kind)
  where k.kind is not null
  group by r.variant, k.kind;
end
$$;
comment on function private.count_goals(public.campaigns, private.campaign_jobs, timestamptz) is
  'Counts the recipients of each variant who have had the goal event, among at most 10,000 per variant.';

create or replace function private.choose_winner(
  p_campaign public.campaigns,
  p_job private.campaign_jobs,
  p_now timestamptz
)
returns public.campaigns
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_campaign public.campaigns := p_campaign;
  v_by text := p_campaign.winner ->> 'by';
begin
  if v_by is null or v_campaign.winner_variant is not null or p_now < p_job.decide_at or exists (
    -- A part of the test still waits.
    select from private.campaign_recipients as r
    where r.workspace_id = p_campaign.workspace_id and r.campaign_id = p_campaign.id
      and r.state = 'pending' and r.due_at < p_job.rest_at
  ) then
    return v_campaign;
  end if;
  if v_by = 'goal' then
    perform private.count_goals(p_campaign, p_job, p_now);
  end if;
  update public.campaigns as c
  set
    winner_variant = (
      select (v.ordinality - 1)::smallint
      from jsonb_array_elements(c.variants) with ordinality as v
      left join lateral (
        select
          sum(k.count) filter (where k.kind = v_by) as reached,
          sum(k.count) filter (where k.kind = case v_by when 'goal' then 'goal_of' else 'sent' end) as asked
        from private.campaign_counts as k
        where k.workspace_id = c.workspace_id and k.campaign_id = c.id
          and k.variant = v.ordinality - 1
      ) as k on true
      order by
        coalesce(k.reached, 0)::numeric / greatest(k.asked, 1) desc,
        (v.value ->> 'weight')::numeric desc, v.ordinality
      limit 1
    ),
    updated_at = p_now
  where c.workspace_id = p_campaign.workspace_id and c.id = p_campaign.id
  returning c.* into v_campaign;
  -- The recipients who waited get it now.
  insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
  select k.workspace_id, k.campaign_id, n.variant, k.kind, n.sign * sum(k.count)
  from private.campaign_counts as k
  cross join (values (-1, -1), (v_campaign.winner_variant, 1)) as n (variant, sign)
  where k.workspace_id = p_campaign.workspace_id and k.campaign_id = p_campaign.id and k.variant = -1
  group by k.workspace_id, k.campaign_id, k.kind, n.variant, n.sign;
  return v_campaign;
end
$$;
comment on function private.choose_winner(public.campaigns, private.campaign_jobs, timestamptz) is
  'Chooses the winner once its time has come: the variant with the highest share of its sends, or of the sends whose goal was checked. Returns the campaign.';

create or replace function private.announce_campaign(p_campaign public.campaigns, p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform private.publish_messages(array[
    private.service_message(p_campaign.workspace_id, 'campaign.sent', jsonb_build_object(
      'campaign', jsonb_build_object('id', p_campaign.id, 'name', p_campaign.name),
      'recipients', p_campaign.recipients
    ))
  ], p_now);
  update private.campaign_jobs as j set is_announced = true
  where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id;
end
$$;
comment on function private.announce_campaign(public.campaigns, timestamptz) is
  'Publishes campaign.sent.';

create or replace function private.complete_campaign(p_campaign public.campaigns, p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  update public.campaigns as c
  set state = 'completed', ended_at = p_now, updated_at = p_now
  where c.workspace_id = p_campaign.workspace_id and c.id = p_campaign.id;
  perform private.publish_messages(array[
    private.service_message(p_campaign.workspace_id, 'campaign.completed', jsonb_build_object(
      'campaign', jsonb_build_object('id', p_campaign.id, 'name', p_campaign.name)
    ) || private.campaign_outcome(p_campaign))
  ], p_now);
  update private.campaign_jobs as j set phase = 'expire', due_at = p_now + interval '90 days'
  where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id;
end
$$;
comment on function private.complete_campaign(public.campaigns, timestamptz) is
  'Completes a campaign and publishes campaign.completed; its recipients are deleted 90 days later.';
