-- Purpose: recipients become sends, about two minutes ahead of what their sender takes.
-- Locks:   the caller holds the job and the campaign; the rows of the recipients.

create or replace function private.campaign_room(p_campaign public.campaigns)
returns integer
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  -- Without a rate, it is not known how much the sender takes.
  v_ahead integer := least(120 * coalesce((
    select s.rate_per_second from public.senders as s
    where s.workspace_id = p_campaign.workspace_id and s.id = p_campaign.sender_id
  ), 100), 60000);
begin
  return v_ahead - (
    select count(*)
    from (
      select from private.send_queue as q
      where q.workspace_id = p_campaign.workspace_id and q.sender_id = p_campaign.sender_id
      limit v_ahead
    ) as q
  );
end
$$;
comment on function private.campaign_room(public.campaigns) is
  'The number of sends that may join the queue of the sender, so that those waiting there take two minutes.';

create or replace function private.pick_recipients(
  p_campaign public.campaigns,
  p_until timestamptz,
  p_limit integer
)
returns private.campaign_pick[]
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
set enable_hashjoin = 'off'
set enable_mergejoin = 'off'
as $$
begin
  return array(
    with due as materialized (
      select r.ctid as row_id, r.*
      from private.campaign_recipients as r
      where r.workspace_id = p_campaign.workspace_id and r.campaign_id = p_campaign.id
        and r.state = 'pending' and r.due_at <= p_until
      order by r.due_at, r.customer_id
      limit p_limit
      for update
    ),
    -- A customer that was merged is now the survivor.
    current as materialized (
      select d.*, x.id as current_id, x.id <> d.customer_id as is_merged
      from due as d
      left join lateral (
        select c.id
        from public.customers as c
        where c.workspace_id = d.workspace_id and c.id = coalesce((
          select m.customer_id from public.customer_merges as m
          where m.workspace_id = d.workspace_id and m.merged_customer_id = d.customer_id
          limit 1
        ), d.customer_id)
      ) as x on true
    )
    select row(
      c.row_id, c.customer_id, c.current_id, coalesce(c.variant, p_campaign.winner_variant), c.due_at,
      case
        when c.current_id is null then 'customer_deleted'
        when c.is_merged and exists (
          select from private.campaign_recipients as o
          where o.workspace_id = c.workspace_id and o.campaign_id = c.campaign_id
            and o.customer_id = c.current_id
        ) then 'merged'
        -- The same person is here twice: as another record that was merged into the same customer.
        when exists (
          select from public.customer_merges as m
          join private.campaign_recipients as o
            on o.workspace_id = c.workspace_id and o.campaign_id = c.campaign_id
            and o.customer_id = m.merged_customer_id
          where m.workspace_id = c.workspace_id and m.customer_id = c.current_id
            and o.customer_id <> c.customer_id
            and (o.state = 'queued' or (c.is_merged and o.state = 'pending' and o.customer_id < c.customer_id))
        ) then 'merged'
      end
    )::private.campaign_pick
    from current as c
    order by c.due_at, c.customer_id
  );
end
$$;
comment on function private.pick_recipients(public.campaigns, timestamptz, integer) is
  'Up to p_limit recipients that are due by a time, in order, with the customers that they are now, and why nothing is sent to some. Whether somebody else has the address by now is decided right before the message is handed over.';

create or replace function private.limit_time(p_campaign public.campaigns, p_due_at timestamptz)
returns timestamptz
language sql
stable
security invoker
set search_path = ''
as $$
  select case
    when p_campaign.not_after ~ '^[0-9]+[smhdw]$'
    then p_due_at + private.read_duration(p_campaign.not_after)
    else p_campaign.not_after::timestamptz
  end
$$;
comment on function private.limit_time(public.campaigns, timestamptz) is
  'The time after which nothing is sent to a recipient who is due at p_due_at; null for no limit.';

create or replace function private.queue_recipients(
  p_campaign public.campaigns,
  p_picks private.campaign_pick[],
  p_from timestamptz,
  p_now timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
set enable_hashjoin = 'off'
set enable_mergejoin = 'off'
as $$
declare
  v_gap interval := coalesce(interval '1 minute' / p_campaign.per_minute, '0');
  v_sends jsonb;
  v_send_ids uuid[];
begin
  select jsonb_agg(jsonb_build_object(
    'workspace_id', p_campaign.workspace_id,
    'key', format('campaign:%s:%s', p_campaign.id, p.customer_id),
    'template_id', case
      when p_campaign.variants = '[]' then p_campaign.template_id::text
      else p_campaign.variants -> p.variant::integer ->> 'template'
    end,
    'sender_id', p_campaign.sender_id, 'topic_id', p_campaign.topic_id, 'customer_id', p.current_id,
    'campaign_id', p_campaign.id, 'variant', coalesce(p.variant, 0), 'data', '{}'::jsonb,
    'due_at', greatest(p.due_at, p_from + v_gap * (p.position - 1)),
    'not_after', private.limit_time(p_campaign, p.due_at)
  ) order by p.position)
  into v_sends
  from (
    select u.*, row_number() over (order by u.ordinality) as position
    from unnest(p_picks) with ordinality as u
    where u.reason is null
  ) as p;
  if v_sends is not null then
    v_send_ids := array(
      select s.send_id from private.create_sends(v_sends, p_now) as s order by s.position
    );
  end if;
  update private.campaign_recipients as r
  set
    state = case when p.send_id is null then 'skipped' else 'queued' end, send_id = p.send_id,
    reason = p.reason
  from (
    select
      u.row_id, u.reason,
      case
        when u.reason is null
        then v_send_ids[(count(*) filter (where u.reason is null) over (order by u.ordinality))::integer]
      end as send_id
    from unnest(p_picks) with ordinality as u
  ) as p
  -- Locked when they were picked, so they are still there.
  where r.ctid = p.row_id;
  insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
  select
    p_campaign.workspace_id, p_campaign.id, coalesce(p.variant, 0), 'skipped:' || p.reason, count(*)
  from unnest(p_picks) as p
  where p.reason is not null
  group by 3, 4;
end
$$;
comment on function private.queue_recipients(
  public.campaigns, private.campaign_pick[], timestamptz, timestamptz
) is
  'Creates sends for recipients, from p_from on and no faster than per_minute. Records and counts the recipients who get none.';

create or replace function private.feed_campaign(
  p_campaign public.campaigns,
  p_job private.campaign_jobs,
  p_now timestamptz
)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_limit integer := least(private.campaign_room(p_campaign), 2000);
  -- A send that is due soon joins the queue with its time.
  v_until timestamptz := p_now + interval '10 seconds';
  v_from timestamptz := greatest(p_job.next_send_at, p_now);
  v_picks private.campaign_pick[];
  v_sends integer;
begin
  if p_campaign.winner is not null and p_campaign.winner_variant is null then
    -- The others wait for the winner.
    v_until := least(v_until, p_job.rest_at - interval '1 microsecond');
  end if;
  if p_campaign.per_minute is not null then
    v_limit := least(v_limit, 1 + floor(
      extract(epoch from p_now + interval '10 seconds' - v_from) * p_campaign.per_minute / 60
    )::integer);
  end if;
  if v_limit <= 0 then
    return 0;
  end if;
  v_picks := private.pick_recipients(p_campaign, v_until, v_limit);
  if cardinality(v_picks) = 0 then
    return 0;
  end if;
  perform private.queue_recipients(p_campaign, v_picks, v_from, p_now);
  v_sends := (select count(*) from unnest(v_picks) as p where p.reason is null);
  update private.campaign_jobs as j
  set
    next_send_at = case
      when p_campaign.per_minute is null then j.next_send_at
      else v_from + interval '1 minute' / p_campaign.per_minute * v_sends
    end,
    decide_at = case
      when p_campaign.winner_variant is null
      then greatest(j.decide_at, p_now + private.read_duration(p_campaign.winner ->> 'after'))
      else j.decide_at
    end
  where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id;
  return cardinality(v_picks);
end
$$;
comment on function private.feed_campaign(public.campaigns, private.campaign_jobs, timestamptz) is
  'Creates sends for the recipients that are due, as many as the sender, per_minute and one transaction allow. Returns the number of recipients handled.';
