-- Purpose: who would get a campaign if it began now, and why others would not.

create or replace function private.review_sample(p_campaign public.campaigns, p_limit integer, p_now timestamptz)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
set enable_hashjoin = 'off'
set enable_mergejoin = 'off'
as $$
declare
  v_page uuid[] := private.audience_page(
    p_campaign, '00000000-0000-0000-0000-000000000000', p_limit
  );
begin
  return (
    with drawn as materialized (
      select
        d.customer_id, d.address_hash,
        row_number() over (partition by d.address_hash order by d.customer_id) as position
      from private.draw_recipients(p_campaign, v_page) as d
    ),
    people as materialized (
      select d.customer_id, s.id is not null as is_suppressed
      from drawn as d
      left join public.suppressions as s
        on s.workspace_id = p_campaign.workspace_id and s.channel = 'email'
        and s.address_hash = d.address_hash and (s.until is null or s.until > p_now)
      where d.address_hash is not null and d.position = 1
    ),
    subscribed as materialized (
      select s.id
      from private.subscribed_customers(
        p_campaign.workspace_id, p_campaign.topic_id,
        array(select p.customer_id from people as p where not p.is_suppressed)
      ) as s (id)
      where p_campaign.topic_id is not null
    )
    select jsonb_build_object(
      'looked_at', cardinality(v_page),
      'excluded', cardinality(v_page) - (select count(*) from drawn),
      'no_address', (select count(*) from drawn as d where d.address_hash is null),
      'same_address', (
        select count(*) from drawn as d where d.address_hash is not null and d.position > 1
      ),
      'recipients', (select count(*) from people),
      'suppressed', (select count(*) from people as p where p.is_suppressed),
      'unsubscribed', case
        when p_campaign.topic_id is null then 0
        else (select count(*) from people as p where not p.is_suppressed) - (select count(*) from subscribed)
      end
    )
  );
end
$$;
comment on function private.review_sample(public.campaigns, integer, timestamptz) is
  'Counts among the first p_limit members of the segment of a campaign: { looked_at, excluded, no_address, same_address, recipients, suppressed, unsubscribed }.';

create or replace function private.review_campaign(
  p_workspace_id uuid,
  p_campaign_id uuid,
  p_limit integer default 20000,
  p_now timestamptz default clock_timestamp()
)
returns jsonb
language plpgsql
stable
-- Definer: callers may not read the customers and consents that this needs.
security definer
set search_path = ''
set jit = 'off'
as $$
declare
  v_campaign public.campaigns;
  v_sample jsonb;
  v_members bigint;
  v_scale double precision;
begin
  select c.* into v_campaign
  from public.campaigns as c
  where c.workspace_id = p_workspace_id and c.id = p_campaign_id
    and private.is_readable(p_workspace_id, array['campaigns:read', 'campaigns:write']);
  if not found then
    return null;
  end if;
  select s.members into v_members
  from public.segments as s
  where s.workspace_id = p_workspace_id and s.id = v_campaign.segment_id;
  v_sample := private.review_sample(v_campaign, p_limit, p_now);
  if (v_sample ->> 'looked_at')::integer < p_limit then
    return (v_sample - 'looked_at') || jsonb_build_object(
      'members', v_sample -> 'looked_at', 'is_exact', true,
      'is_computing', not private.is_computed(v_campaign),
      'confirm_above', private.confirm_above(p_workspace_id)
    );
  end if;
  v_scale := v_members::double precision / p_limit;
  return (
    select jsonb_object_agg(f.key, round(f.value::text::double precision * v_scale))
    from jsonb_each(v_sample - 'looked_at') as f
  ) || jsonb_build_object(
    -- Sending needs this number.
    'recipients', private.count_audience(v_campaign), 'members', v_members, 'is_exact', false,
    'is_computing', not private.is_computed(v_campaign),
    'confirm_above', private.confirm_above(p_workspace_id)
  );
end
$$;
comment on function private.review_campaign(uuid, uuid, integer, timestamptz) is
  'Says who would get a campaign now: { members, excluded, no_address, same_address, recipients, suppressed, unsubscribed, is_exact, is_computing, confirm_above }. recipients is always exact; the others are estimated from p_limit members of a larger segment. Null if it does not exist.';
grant execute on function private.review_campaign(uuid, uuid, integer, timestamptz)
  to signalpost_user, signalpost_key;
