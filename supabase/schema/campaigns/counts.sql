-- Purpose: the outcomes of the sends of campaigns, counted as their rows change.
-- Locks:   none: rows are only added, and added up by the step of a campaign.

create or replace function private.count_campaign_sends()
returns trigger
language plpgsql
volatile
-- Definer: the roles that change sends may not write the counts.
security definer
set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    -- Sends with an outcome keep it; the others will have none.
    insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
    select r.workspace_id, r.campaign_id, coalesce(r.variant, 0), 'skipped:customer_deleted', count(*)
    from removed as r
    where r.campaign_id is not null and r.purpose = 'message' and r.state in ('queued', 'sending')
    group by 1, 2, 3;
  elsif tg_op = 'INSERT' then
    insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
    select a.workspace_id, a.campaign_id, coalesce(a.variant, 0), k.kind, count(*)
    from added as a
    cross join lateral private.send_kinds(a.state, a.reason, a.feedback) as k (kind)
    where a.campaign_id is not null and a.purpose = 'message'
    group by 1, 2, 3, 4;
  elsif exists (select from added as a where a.campaign_id is not null) then
    insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
    select s.workspace_id, s.campaign_id, s.variant, s.kind, sum(s.sign)
    from (
      select a.workspace_id, a.campaign_id, coalesce(a.variant, 0) as variant, k.kind, 1 as sign
      from added as a
      cross join lateral (
        select s.kind from private.send_kinds(a.state, a.reason, a.feedback) as s (kind)
        union all
        select e.kind
        from (
          values ('opened', a.opened_at), ('clicked', a.clicked_at), ('unsubscribed', a.unsubscribed_at)
        ) as e (kind, at)
        where e.at is not null
      ) as k
      where a.campaign_id is not null and a.purpose = 'message'
      union all
      select r.workspace_id, r.campaign_id, coalesce(r.variant, 0), k.kind, -1
      from removed as r
      cross join lateral (
        select s.kind from private.send_kinds(r.state, r.reason, r.feedback) as s (kind)
        union all
        select e.kind
        from (
          values ('opened', r.opened_at), ('clicked', r.clicked_at), ('unsubscribed', r.unsubscribed_at)
        ) as e (kind, at)
        where e.at is not null
      ) as k
      where r.campaign_id is not null and r.purpose = 'message'
    ) as s
    group by 1, 2, 3, 4
    having sum(s.sign) <> 0;
  end if;
  return null;
end
$$;
comment on function private.count_campaign_sends() is
  'Appends the changes that a statement makes to the counts of campaigns.';

create or replace function private.send_kinds(p_state text, p_reason text, p_feedback text)
returns setof text
language sql
immutable
security invoker
set search_path = ''
as $$
  select k.kind
  from (
    values
      (case
        when p_state in ('sent', 'failed', 'unknown') then p_state
        when p_state = 'skipped' then 'skipped:' || coalesce(p_reason, 'unknown')
      end),
      (case
        when p_feedback in ('delivered', 'bounced', 'complained') then p_feedback
      end),
      -- A complaint shows that it arrived.
      (case when p_feedback = 'complained' then 'delivered' end)
  ) as k (kind)
  where k.kind is not null
$$;
comment on function private.send_kinds(text, text, text) is
  'The counts that include a send with this state, reason and feedback.';

create or replace function private.fold_counts_of(p_workspace_id uuid, p_campaign_id uuid)
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  with gone as (
    delete from private.campaign_counts as c
    where c.workspace_id = p_workspace_id and c.campaign_id = p_campaign_id
      and (c.variant, c.kind) in (
        select k.variant, k.kind
        from private.campaign_counts as k
        where k.workspace_id = p_workspace_id and k.campaign_id = p_campaign_id
        group by k.variant, k.kind
        having count(*) > 1
      )
    returning c.variant, c.kind, c.count
  )
  insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
  select p_workspace_id, p_campaign_id, g.variant, g.kind, sum(g.count)
  from gone as g
  group by g.variant, g.kind
$$;
comment on function private.fold_counts_of(uuid, uuid) is 'Adds up the counts of a campaign, so that each count is one row.';

create or replace function private.fold_campaign_counts()
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  select private.fold_counts_of(k.workspace_id, k.campaign_id)
  from (
    select c.workspace_id, c.campaign_id
    from private.campaign_counts as c
    group by c.workspace_id, c.campaign_id, c.variant, c.kind
    having count(*) > 1
  ) as k
  group by k.workspace_id, k.campaign_id
$$;
comment on function private.fold_campaign_counts() is
  'Adds up the counts of all campaigns, because opens and complaints arrive after the last step.';

create or replace function private.campaign_count(p_campaign public.campaigns, p_kind text)
returns bigint
language sql
stable
security invoker
set search_path = ''
as $$
  select coalesce(sum(c.count), 0)
  from private.campaign_counts as c
  where c.workspace_id = p_campaign.workspace_id and c.campaign_id = p_campaign.id and c.kind = p_kind
$$;
comment on function private.campaign_count(public.campaigns, text) is 'One count of a campaign, over all variants.';

create or replace function private.campaign_outcome(p_campaign public.campaigns)
returns jsonb
language sql
stable
security invoker
set search_path = ''
as $$
  select jsonb_build_object(
    'recipients', coalesce(p_campaign.recipients, 0),
    'sent', coalesce(sum(k.count) filter (where k.kind = 'sent'), 0),
    'skipped', coalesce(
      jsonb_object_agg(substr(k.kind, 9), k.count) filter (where k.kind like 'skipped:%' and k.count > 0), '{}'
    ),
    'failed', coalesce(sum(k.count) filter (where k.kind in ('failed', 'unknown')), 0),
    'unknown', coalesce(sum(k.count) filter (where k.kind = 'unknown'), 0)
  )
  from (
    select c.kind, sum(c.count) as count
    from private.campaign_counts as c
    where c.workspace_id = p_campaign.workspace_id and c.campaign_id = p_campaign.id
    group by c.kind
  ) as k
$$;
comment on function private.campaign_outcome(public.campaigns) is
  'The outcome of a campaign: recipients, sent, skipped by reason, failed, and how many of failed are unknown.';

create or replace function private.count_handled(p_campaign public.campaigns)
returns bigint
language sql
stable
security invoker
set search_path = ''
as $$
  select coalesce(sum(c.count), 0)
  from private.campaign_counts as c
  where c.workspace_id = p_campaign.workspace_id and c.campaign_id = p_campaign.id
    and (c.kind in ('sent', 'failed', 'unknown') or c.kind like 'skipped:%')
$$;
comment on function private.count_handled(public.campaigns) is 'The number of recipients of a campaign that have an outcome.';

create or replace function private.campaign_complaints(p_campaign public.campaigns, out sent bigint, out complained bigint)
language sql
stable
security invoker
set search_path = ''
as $$
  select private.campaign_count(p_campaign, 'sent'), private.campaign_count(p_campaign, 'complained')
$$;
comment on function private.campaign_complaints(public.campaigns) is
  'The number of sends of a campaign that were sent, and of recipients who complained.';
