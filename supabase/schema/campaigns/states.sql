-- Purpose: the states of campaigns: draft, scheduled, sending, paused, completed, cancelled.
-- Locks:   the job of a campaign, then the campaign: waits for a running step, so that no
--          recipient becomes a send after a pause.

create or replace function private.campaign_obstacle(p_campaign public.campaigns)
returns text
language sql
stable
security invoker
set search_path = ''
as $$
  select case
    -- Once the audience is fixed, the segment is not needed.
    when p_campaign.recipients is null and not exists (
      select from public.segments as s
      where s.workspace_id = p_campaign.workspace_id and s.id = p_campaign.segment_id
    ) then 'segment_deleted'
    when exists (
      select from private.campaign_templates(p_campaign) as t
      where not exists (
        select from public.templates as x
        where x.workspace_id = p_campaign.workspace_id and x.id = t.template_id
      )
    ) then 'template_deleted'
    when not exists (
      select from public.senders as s
      where s.workspace_id = p_campaign.workspace_id and s.id = p_campaign.sender_id
    ) then 'sender_deleted'
    when p_campaign.topic_id is not null and not exists (
      select from public.topics as t
      where t.workspace_id = p_campaign.workspace_id and t.id = p_campaign.topic_id
    ) then 'topic_deleted'
  end
$$;
comment on function private.campaign_obstacle(public.campaigns) is
  'The reason why a campaign cannot be sent: segment_deleted, template_deleted, sender_deleted or topic_deleted; null when it can.';

create or replace function private.obstacle_text(p_obstacle text)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select format('its %s was deleted', split_part(p_obstacle, '_', 1))
$$;
comment on function private.obstacle_text(text) is 'The end of a sentence about an obstacle.';

create or replace function private.refuse_obstacle(p_campaign public.campaigns, p_action text)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_obstacle text := private.campaign_obstacle(p_campaign);
begin
  if v_obstacle is not null then
    raise sqlstate 'SP409' using
      message = format('Cannot %s campaign: %s', p_action, private.obstacle_text(v_obstacle));
  end if;
end
$$;
comment on function private.refuse_obstacle(public.campaigns, text) is
  'Raises SP409 when something that the campaign names was deleted.';

create or replace function private.confirm_above(p_workspace_id uuid)
returns bigint
language sql
stable
security invoker
set search_path = ''
as $$
  select coalesce((
    select s.campaign_confirm_above from public.send_settings as s where s.workspace_id = p_workspace_id
  ), 10000)
$$;
comment on function private.confirm_above(uuid) is
  'The number of recipients above which a caller has to confirm it.';

create or replace function private.require_confirmed(p_campaign public.campaigns, p_number bigint)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_limit bigint := private.confirm_above(p_campaign.workspace_id);
  v_count bigint := coalesce(p_campaign.recipients, (
    -- Counting the audience reads it all: the number of members is often enough.
    select s.members from public.segments as s
    where s.workspace_id = p_campaign.workspace_id and s.id = p_campaign.segment_id
  ));
begin
  if v_count <= v_limit then
    return;
  elsif p_campaign.recipients is null then
    v_count := private.count_audience(p_campaign);
  end if;
  if v_count > v_limit and p_number is distinct from v_count then
    raise sqlstate 'SP409' using
      message = format(
        'Cannot send campaign: it has %s recipients. Over %s, the field "recipients" must have the number',
        v_count, v_limit
      ), column = 'recipients';
  end if;
end
$$;
comment on function private.require_confirmed(public.campaigns, bigint) is
  'Raises SP409 when a campaign has more recipients than campaign_confirm_above, and p_number is not their number.';

create or replace function private.start_campaign(
  p_workspace_id uuid,
  p_campaign_id uuid,
  p_options jsonb,
  p_now timestamptz default clock_timestamp()
)
returns boolean
language plpgsql
volatile
-- Definer: as for private.create_campaign.
security definer
set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.lock_campaign(p_workspace_id, p_campaign_id);
  v_is_now boolean := coalesce((p_options ->> 'now')::boolean, false);
  v_number bigint := (p_options ->> 'recipients')::bigint;
  v_at timestamptz;
begin
  if v_campaign.id is null then
    return false;
  elsif v_campaign.state not in ('draft', 'scheduled') then
    perform private.refuse_campaign_state(v_campaign, case when v_is_now then 'send' else 'schedule' end);
  end if;
  v_at := case
    when v_is_now then p_now
    else coalesce(private.read_send_at(p_workspace_id, p_options ->> 'send_at'), v_campaign.send_at)
  end;
  if v_at is null then
    raise sqlstate 'SP400' using message = 'is required: the campaign has none', column = 'send_at';
  elsif not v_is_now and v_at <= p_now then
    raise sqlstate 'SP400' using message = 'must be in the future', column = 'send_at';
  end if;
  perform private.refuse_obstacle(v_campaign, 'send');
  perform private.check_campaign(v_campaign);
  perform private.require_confirmed(v_campaign, v_number);
  update public.campaigns as c
  set
    state = case when v_is_now then 'sending' else 'scheduled' end, send_at = v_at,
    started_at = case when v_is_now then p_now end, confirmed = v_number, reason = null,
    explanation = null, updated_at = p_now
  where c.workspace_id = p_workspace_id and c.id = p_campaign_id;
  insert into private.campaign_jobs as j (workspace_id, campaign_id, phase, due_at)
  values (p_workspace_id, p_campaign_id, 'audience', v_at)
  on conflict (workspace_id, campaign_id) do update set due_at = excluded.due_at;
  return true;
end
$$;
comment on function private.start_campaign(uuid, uuid, jsonb, timestamptz) is
  'Schedules a campaign with { send_at?, recipients? }, or sends it with { now: true, recipients? }. Returns false if it does not exist. Raises SP409 in another state, if something that it names was deleted, and over campaign_confirm_above without the number of recipients.';
grant execute on function private.start_campaign(uuid, uuid, jsonb, timestamptz)
  to signalpost_user, signalpost_key;

create or replace function private.halt_campaign(
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
  update public.campaigns as c
  set
    state = p_state, reason = p_reason, explanation = p_explanation, updated_at = p_now,
    ended_at = case when p_state = 'cancelled' then p_now end
  where c.workspace_id = p_campaign.workspace_id and c.id = p_campaign.id;
  update private.campaign_jobs as j
  set
    due_at = case when p_state = 'cancelled' then p_now else 'infinity' end,
    release_until = case when p_state = 'cancelled' then p_now + interval '10 seconds' else j.release_until end,
    phase = case when p_state = 'cancelled' then 'cancel' else j.phase end
  where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id;
end
$$;
comment on function private.halt_campaign(public.campaigns, text, text, text, timestamptz) is
  'Pauses or cancels a campaign that the caller has locked: no recipient becomes a send.';

create or replace function private.pause_campaign(
  p_workspace_id uuid,
  p_campaign_id uuid,
  p_now timestamptz default clock_timestamp()
)
returns boolean
language plpgsql
volatile
-- Definer: as for private.create_campaign.
security definer
set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.lock_campaign(p_workspace_id, p_campaign_id);
begin
  if v_campaign.id is null then
    return false;
  elsif v_campaign.state <> 'sending' then
    perform private.refuse_campaign_state(v_campaign, 'pause');
  end if;
  perform private.halt_campaign(v_campaign, 'paused', 'requested', null, p_now);
  return true;
end
$$;
comment on function private.pause_campaign(uuid, uuid, timestamptz) is
  'Pauses a campaign that is sending. Returns false if it does not exist. Raises SP409 in another state.';
grant execute on function private.pause_campaign(uuid, uuid, timestamptz) to signalpost_user, signalpost_key;

create or replace function private.resume_campaign(
  p_workspace_id uuid,
  p_campaign_id uuid,
  p_options jsonb default '{}',
  p_now timestamptz default clock_timestamp()
)
returns boolean
language plpgsql
volatile
-- Definer: as for private.create_campaign.
security definer
set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.lock_campaign(p_workspace_id, p_campaign_id);
begin
  if v_campaign.id is null then
    return false;
  elsif v_campaign.state <> 'paused' then
    perform private.refuse_campaign_state(v_campaign, 'resume');
  end if;
  perform private.refuse_obstacle(v_campaign, 'resume');
  if v_campaign.reason = 'confirmation' then
    perform private.require_confirmed(v_campaign, (p_options ->> 'recipients')::bigint);
  end if;
  update public.campaigns as c
  set state = 'sending', reason = null, explanation = null, updated_at = p_now
  where c.workspace_id = p_workspace_id and c.id = p_campaign_id;
  -- A caller who resumes has seen the complaints: the check continues with later ones.
  update private.campaign_jobs as j
  set
    due_at = p_now, release_until = p_now + interval '10 seconds',
    accepted_sent = t.sent, accepted_complained = t.complained
  from private.campaign_complaints(v_campaign) as t
  where j.workspace_id = p_workspace_id and j.campaign_id = p_campaign_id;
  return true;
end
$$;
comment on function private.resume_campaign(uuid, uuid, jsonb, timestamptz) is
  'Resumes a paused campaign. Returns false if it does not exist. Raises SP409 in another state, if something that it names was deleted, and without { recipients } if their number had to be confirmed.';
grant execute on function private.resume_campaign(uuid, uuid, jsonb, timestamptz)
  to signalpost_user, signalpost_key;

create or replace function private.cancel_campaign(
  p_workspace_id uuid,
  p_campaign_id uuid,
  p_now timestamptz default clock_timestamp()
)
returns boolean
language plpgsql
volatile
-- Definer: as for private.create_campaign.
security definer
set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.lock_campaign(p_workspace_id, p_campaign_id);
begin
  if v_campaign.id is null then
    return false;
  elsif v_campaign.state not in ('scheduled', 'sending', 'paused') then
    perform private.refuse_campaign_state(v_campaign, 'cancel');
  end if;
  perform private.halt_campaign(v_campaign, 'cancelled', 'requested', null, p_now);
  return true;
end
$$;
comment on function private.cancel_campaign(uuid, uuid, timestamptz) is
  'Cancels a campaign that is scheduled, sending or paused. Returns false if it does not exist. Raises SP409 in another state.';
grant execute on function private.cancel_campaign(uuid, uuid, timestamptz) to signalpost_user, signalpost_key;

create or replace function private.test_campaign(
  p_workspace_id uuid,
  p_campaign_id uuid,
  p_test jsonb,
  p_now timestamptz default clock_timestamp()
)
returns uuid[]
language plpgsql
volatile
-- Definer: as for private.create_campaign.
security definer
set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.lock_campaign(p_workspace_id, p_campaign_id);
  v_customer_id uuid := (p_test ->> 'customer_id')::uuid;
  v_template_id uuid;
begin
  if v_campaign.id is null then
    return null;
  end if;
  perform private.refuse_obstacle(v_campaign, 'test');
  if v_customer_id is null then
    select m.customer_id into v_customer_id
    from public.segments as s
    join public.segment_members as m
      on m.workspace_id = s.workspace_id and m.segment_id = s.id and m.version = s.version
    where s.workspace_id = p_workspace_id and s.id = v_campaign.segment_id
    order by m.customer_id desc
    limit 1;
  elsif not exists (
    select from public.customers as c where c.workspace_id = p_workspace_id and c.id = v_customer_id
  ) then
    raise sqlstate 'SP400' using message = 'must be the id of a customer', column = 'customer_id';
  end if;
  select t.template_id into v_template_id
  from private.campaign_templates(v_campaign) as t
  offset coalesce((p_test ->> 'variant')::integer, 0)
  limit 1;
  if v_template_id is null then
    raise sqlstate 'SP400' using message = 'must be a position in variants', column = 'variant';
  end if;
  return array(
    select s.send_id
    from private.create_sends((
      select jsonb_agg(jsonb_build_object(
        'workspace_id', p_workspace_id, 'template_id', v_template_id,
        'sender_id', v_campaign.sender_id, 'topic_id', v_campaign.topic_id,
        'customer_id', v_customer_id, 'campaign_id', p_campaign_id, 'data', '{}'::jsonb,
        'email', a.value, 'purpose', 'test'
      ) order by a.ordinality)
      from jsonb_array_elements_text(p_test -> 'addresses') with ordinality as a
    ), p_now) as s
    order by s.position
  );
end
$$;
comment on function private.test_campaign(uuid, uuid, jsonb, timestamptz) is
  'Sends a campaign to addresses that the caller gives: { addresses, customer_id?, variant? }. Does not count these sends. Returns their ids, or null if the campaign does not exist.';
grant execute on function private.test_campaign(uuid, uuid, jsonb, timestamptz)
  to signalpost_user, signalpost_key;
