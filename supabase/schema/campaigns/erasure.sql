-- Purpose: recipients who were erased, and why a customer got a campaign or not.
-- Locks:   the job of each campaign with such a recipient: waits for a running step.

create or replace function private.erase_recipients(
  p_erasure private.erasures,
  p_limit integer,
  p_now timestamptz
)
returns private.erasure_progress
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  perform from private.campaign_jobs as j
  where j.workspace_id = p_erasure.workspace_id
    and exists (
      select from private.campaign_recipients as r
      where r.workspace_id = j.workspace_id and r.campaign_id = j.campaign_id
        and r.customer_id = any (p_erasure.customer_ids)
    )
  order by j.campaign_id
  for update;
  with gone as (
    delete from private.campaign_recipients as r
    using private.campaign_jobs as j
    where j.workspace_id = p_erasure.workspace_id and r.workspace_id = j.workspace_id
      and r.campaign_id = j.campaign_id and r.customer_id = any (p_erasure.customer_ids)
    returning r.campaign_id, r.variant, r.state
  )
  -- The others are counted with their sends.
  insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
  select
    p_erasure.workspace_id, g.campaign_id,
    coalesce(g.variant, c.winner_variant, case when c.variants <> '[]' then -1 else 0 end),
    'skipped:customer_deleted', count(*)
  from gone as g
  join public.campaigns as c on c.workspace_id = p_erasure.workspace_id and c.id = g.campaign_id
  where g.state = 'pending'
  group by 1, 2, 3, 4;
  -- A customer is in few campaigns: one batch is enough.
  return private.batch_progress(0, p_limit);
end
$$;
comment on function private.erase_recipients(private.erasures, integer, timestamptz) is
  'Deletes an erased customer from the audiences of campaigns, and counts those who got no send yet as skipped.';

create or replace function private.was_member(
  p_workspace_id uuid,
  p_segment_id uuid,
  p_customer_id uuid,
  p_at timestamptz
)
returns boolean
language sql
stable
security invoker
set search_path = ''
as $$
  select case
    when s.kind = 'live' and s.version_at > p_at then null
    else coalesce(
      (
        select k.change = 'left'
        from public.segment_changes as k
        where k.workspace_id = p_workspace_id and k.customer_id = p_customer_id
          and k.segment_id = p_segment_id and k.at > p_at
        order by k.at, k.id
        limit 1
      ),
      exists (
        select
        from public.segment_members as m
        where m.workspace_id = p_workspace_id and m.segment_id = p_segment_id and m.version = s.version
          and m.customer_id = p_customer_id
      )
    )
  end
  from public.segments as s
  where s.workspace_id = p_workspace_id and s.id = p_segment_id
$$;
comment on function private.was_member(uuid, uuid, uuid, timestamptz) is
  'True if a customer was in a segment at a time; null if its members were computed again since. Knows the changes that are still kept.';

create or replace function private.explain_recipient(
  p_workspace_id uuid,
  p_campaign_id uuid,
  p_customer_id uuid
)
returns jsonb
language sql
stable
-- Definer: callers may not read the recipients.
security definer
set search_path = ''
as $$
  select jsonb_build_object(
    'recipient', r.customer_id is not null, 'state', r.state, 'reason', r.reason,
    'due_at', private.rfc3339(r.due_at), 'send_id', r.send_id, 'topic_id', c.topic_id,
    'sender_id', c.sender_id, 'campaign_state', c.state, 'has_begun', c.recipients is not null,
    'segment', case
      when r.customer_id is null and not private.was_member(
        c.workspace_id, c.segment_id, p_customer_id, coalesce(c.started_at, clock_timestamp())
      )
      then (select s.name from public.segments as s where s.workspace_id = c.workspace_id and s.id = c.segment_id)
    end,
    'excluded_by', (
      select s.name from public.segments as s
      where r.customer_id is null and s.workspace_id = c.workspace_id and s.id = any (c.exclude_ids)
        and private.was_member(c.workspace_id, s.id, p_customer_id, coalesce(c.started_at, clock_timestamp()))
      order by s.id
      limit 1
    ),
    'computed_again', (
      select s.name
      from unnest(c.segment_id || c.exclude_ids) with ordinality as i (segment_id, number)
      cross join lateral (
        select x.name from public.segments as x
        where x.workspace_id = c.workspace_id and x.id = i.segment_id
        limit 1
      ) as s
      where r.customer_id is null and private.was_member(
        c.workspace_id, i.segment_id, p_customer_id, coalesce(c.started_at, clock_timestamp())
      ) is null
      order by i.number
      limit 1
    ),
    'shares_address', r.customer_id is null and exists (
      select from private.campaign_recipients as o
      where o.workspace_id = c.workspace_id and o.campaign_id = c.id and o.address_hash = (
        select private.address_hash(x.workspace_id, 'email', x.email) from public.customers as x
        where x.workspace_id = c.workspace_id and x.id = p_customer_id
      )
    )
  )
  from public.campaigns as c
  left join lateral (
    select n.* from private.campaign_recipients as n
    where n.workspace_id = c.workspace_id and n.campaign_id = c.id and n.customer_id in (
      select p_customer_id
      union all
      select m.merged_customer_id from public.customer_merges as m
      where m.workspace_id = c.workspace_id and m.customer_id = p_customer_id
    )
    -- If several records were merged: the record that got the campaign.
    order by n.state = 'queued' desc, n.customer_id = p_customer_id desc
    limit 1
  ) as r on true
  where c.workspace_id = p_workspace_id and c.id = p_campaign_id
    and private.is_readable(p_workspace_id, array['campaigns:read', 'campaigns:write', 'sends:read'])
$$;
comment on function private.explain_recipient(uuid, uuid, uuid) is
  'The state of a customer in a campaign: { recipient, state, reason, due_at, send_id, topic_id, sender_id, campaign_state, has_begun }, and the name of the segment that the customer was not in, or of the one that excluded the customer: { segment, excluded_by }, and whether a recipient has the same address: { shares_address }; null if the campaign does not exist.';
grant execute on function private.explain_recipient(uuid, uuid, uuid) to signalpost_user, signalpost_key;
