-- Purpose: the checks of sends of campaigns, which the queue makes right before it hands them over.
-- Locks:   rows of recipients, without waiting for any; rows of the queue.

create or replace function private.campaign_gates(p_workspace_id uuid, p_campaign_ids uuid[])
returns table (campaign_id uuid, gate text)
language sql
stable
security invoker
set search_path = ''
as $$
  select
    i.id,
    case c.state when 'sending' then 'open' when 'completed' then 'open' when 'paused' then 'held' else 'cancelled' end
  from unnest(p_campaign_ids) as i (id)
  left join public.campaigns as c on c.workspace_id = p_workspace_id and c.id = i.id
$$;
comment on function private.campaign_gates(uuid, uuid[]) is
  'Says for each campaign if its queued sends may be handed over: open, held, or cancelled, which includes campaigns that do not exist.';

create or replace function private.lock_recipients(
  p_workspace_id uuid,
  p_campaign_id uuid,
  p_customer_id uuid,
  p_address_hash bytea
)
returns private.campaign_recipients[]
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_ids uuid[] := array(
    select p_customer_id
    union
    select m.merged_customer_id from public.customer_merges as m
    where m.workspace_id = p_workspace_id and m.customer_id = p_customer_id
    union
    select r.customer_id from private.campaign_recipients as r
    where r.workspace_id = p_workspace_id and r.campaign_id = p_campaign_id
      and r.address_hash = p_address_hash
  );
  v_all integer := (
    select count(*) from private.campaign_recipients as r
    where r.workspace_id = p_workspace_id and r.campaign_id = p_campaign_id
      and r.customer_id = any (v_ids)
  );
  v_locked private.campaign_recipients[] := array(
    select r from private.campaign_recipients as r
    where r.workspace_id = p_workspace_id and r.campaign_id = p_campaign_id
      and r.customer_id = any (v_ids)
    order by r.customer_id
    for update skip locked
  );
begin
  return case when cardinality(v_locked) = v_all then v_locked end;
end
$$;
comment on function private.lock_recipients(uuid, uuid, uuid, bytea) is
  'Locks the recipients of a campaign that are this customer, were merged into it, or have this address. Returns null while another transaction holds one of them.';

create or replace function private.keeps_address(p_recipient private.campaign_recipients)
returns boolean
language sql
stable
security invoker
set search_path = ''
as $$
  select case
    when p_recipient.state = 'skipped' or s.state in ('skipped', 'cancelled') then false
    when s.state in ('sending', 'sent', 'failed', 'unknown') then true
    else p_recipient.address_hash is not distinct from (
      select private.address_hash(c.workspace_id, 'email', c.email)
      from public.customers as c
      where c.workspace_id = p_recipient.workspace_id and c.id = coalesce((
        select m.customer_id from public.customer_merges as m
        where m.workspace_id = p_recipient.workspace_id
          and m.merged_customer_id = p_recipient.customer_id
        limit 1
      ), p_recipient.customer_id)
    )
  end
  from (select) as one
  left join public.sends as s
    on s.workspace_id = p_recipient.workspace_id
    and s.queued_at = private.uuid_v7_time(p_recipient.send_id) and s.id = p_recipient.send_id
$$;
comment on function private.keeps_address(private.campaign_recipients) is
  'True if the mail to a recipient went to the address that is noted for it, or will: the customer still has it, and nothing has stopped the mail.';

create or replace function private.claim_recipient(
  p_workspace_id uuid,
  p_campaign_id uuid,
  p_send_id uuid,
  p_customer_id uuid,
  p_address_hash bytea
)
returns text
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_rows private.campaign_recipients[] := private.lock_recipients(
    p_workspace_id, p_campaign_id, p_customer_id, p_address_hash
  );
  v_own private.campaign_recipients;
  v_merged_ids uuid[] := array(
    select m.merged_customer_id from public.customer_merges as m
    where m.workspace_id = p_workspace_id and m.customer_id = p_customer_id
  );
begin
  select r.* into v_own from unnest(v_rows) as r where r.send_id = p_send_id;
  if v_rows is null then
    return 'busy';
  elsif v_own.customer_id is null then
    return null;
  elsif exists (
    select from unnest(v_rows) as r
    join public.sends as s
      on s.workspace_id = p_workspace_id and s.queued_at = private.uuid_v7_time(r.send_id)
      and s.id = r.send_id
    where r.customer_id = any (v_merged_ids || p_customer_id) and r.send_id <> p_send_id
      and (
        s.state in ('sending', 'sent', 'failed', 'unknown')
        -- Both wait: the survivor first, then the oldest.
        or (s.state = 'queued' and r.customer_id <> v_own.customer_id and (
          r.customer_id = p_customer_id
          or (v_own.customer_id <> p_customer_id and r.customer_id < v_own.customer_id)
        ))
      )
  ) then
    return 'merged';
  elsif exists (
    select from unnest(v_rows) as r
    where r.address_hash = p_address_hash and r.customer_id <> all (v_merged_ids || p_customer_id)
      and private.keeps_address(r)
  ) then
    return 'same_address';
  elsif exists (
    select from unnest(v_rows) as r
    where r.address_hash = p_address_hash and r.customer_id = any (v_merged_ids || p_customer_id)
  ) then
    return null;
  end if;
  -- The recipient that had the address before has another one, or gets nothing.
  update private.campaign_recipients as r set address_hash = sha256(uuid_send(r.customer_id))
  where r.workspace_id = p_workspace_id and r.campaign_id = p_campaign_id
    and r.address_hash = p_address_hash;
  update private.campaign_recipients as r set address_hash = p_address_hash
  where r.workspace_id = p_workspace_id and r.campaign_id = p_campaign_id
    and r.customer_id = v_own.customer_id;
  return null;
exception when unique_violation then
  -- Somebody else has taken the address just now: the next check sees who.
  return 'busy';
end
$$;
comment on function private.claim_recipient(uuid, uuid, uuid, uuid, bytea) is
  'Reserves a customer and an address for a send of a campaign whose recipient was merged or has a new address. Returns null if the message may be sent, merged or same_address if the other recipient gets it, and busy if the caller should ask again soon.';

create or replace function private.claim_recipients(p_checks private.send_check[], p_now timestamptz)
returns private.send_check[]
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_claims jsonb := (
    select jsonb_object_agg(k.send_id, private.claim_recipient(
      s.workspace_id, s.campaign_id, s.id, s.customer_id, k.address_hash
    ))
    from unnest(p_checks) as k
    join public.sends as s
      on s.workspace_id = k.workspace_id and s.queued_at = private.uuid_v7_time(k.send_id)
      and s.id = k.send_id
    where k.decision = 'go' and s.campaign_id is not null and s.purpose = 'message'
      -- The others have not changed since the audience was fixed, and are unique in it.
      and not exists (
        select from private.campaign_recipients as r
        where r.workspace_id = s.workspace_id and r.campaign_id = s.campaign_id
          and r.customer_id = s.customer_id and r.send_id = s.id and r.address_hash = k.address_hash
      )
  );
begin
  if v_claims is null then
    return p_checks;
  end if;
  return array(
    select row(
      k.workspace_id, k.send_id,
      case when c.reason is null then k.decision when c.reason = 'busy' then 'wait' else 'skip' end,
      case when c.reason is null or c.reason = 'busy' then k.reason else c.reason end,
      case when c.reason = 'busy' then p_now + interval '1 second' else k.until end,
      k.address_hash, k.is_capped, k.on_cap, k.not_after
    )::private.send_check
    from unnest(p_checks) as k
    cross join lateral (select v_claims ->> k.send_id::text as reason) as c
  );
end
$$;
comment on function private.claim_recipients(private.send_check[], timestamptz) is
  'Adjusts the decisions, so that a campaign reaches each customer and each address once, even if customers merged or changed their address since they were queued.';

create or replace function private.release_held_sends(p_campaign public.campaigns, p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
set enable_hashjoin = 'off'
set enable_mergejoin = 'off'
as $$
begin
  with held as materialized (
    select s.sender_id, s.id
    from public.sends as s
    where s.workspace_id = p_campaign.workspace_id and s.state = 'queued'
      -- Ids have milliseconds.
      and s.queued_at >= p_campaign.started_at - interval '1 second'
      and s.campaign_id = p_campaign.id and s.reason = 'paused'
  ),
  due as (
    update private.send_queue as q set due_at = p_now
    from held as h
    where q.workspace_id = p_campaign.workspace_id and q.sender_id = h.sender_id
      and q.send_id = h.id and q.claim is null and q.due_at > p_now
    returning q.sender_id
  )
  insert into private.send_arrivals (workspace_id, sender_ids, due_at)
  select p_campaign.workspace_id, array_agg(distinct d.sender_id), p_now
  from due as d
  having count(*) > 0;
  if found then
    perform private.wake_worker('send-dispatch');
  end if;
end
$$;
comment on function private.release_held_sends(public.campaigns, timestamptz) is
  'Makes the queued sends of a campaign due that a pause held back.';
