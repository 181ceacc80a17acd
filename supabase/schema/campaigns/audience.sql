-- Purpose: fixes the audience of a campaign, a page of the segment at a time.
-- Locks:   the caller holds the job of the campaign.

create or replace function private.campaign_segments(p_campaign public.campaigns)
returns table (segment_id uuid, version integer, is_excluded boolean)
language sql
stable
security invoker
set search_path = ''
as $$
  select s.id, s.version, s.id <> p_campaign.segment_id or s.id = any (p_campaign.exclude_ids)
  from public.segments as s
  where s.workspace_id = p_campaign.workspace_id
    and s.id = any (p_campaign.exclude_ids || p_campaign.segment_id)
$$;
comment on function private.campaign_segments(public.campaigns) is
  'The segments that a campaign names, with the version whose members count.';

create or replace function private.is_computed(p_campaign public.campaigns)
returns boolean
language sql
stable
security invoker
set search_path = ''
as $$
  select not exists (
    select from public.segments as s
    where s.workspace_id = p_campaign.workspace_id and s.kind = 'live' and s.version = 0
      and s.id = any (p_campaign.exclude_ids || p_campaign.segment_id)
  )
$$;
comment on function private.is_computed(public.campaigns) is
  'False while the first members of a segment that a campaign names are being computed.';

create or replace function private.count_audience(p_campaign public.campaigns)
returns bigint
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select count(distinct lower(normalize(btrim(c.email, e' \t\n\r'))))
    from private.campaign_segments(p_campaign) as s
    join public.segment_members as m
      on m.workspace_id = p_campaign.workspace_id and m.segment_id = s.segment_id
      and m.version = s.version
    join public.customers as c on c.workspace_id = m.workspace_id and c.id = m.customer_id
    where s.segment_id = p_campaign.segment_id and btrim(c.email, e' \t\n\r') <> ''
      and not exists (
        select from private.campaign_segments(p_campaign) as e
        join public.segment_members as x
          on x.workspace_id = p_campaign.workspace_id and x.segment_id = e.segment_id
          and x.version = e.version and x.customer_id = m.customer_id
        where e.is_excluded
      )
  );
end
$$;
comment on function private.count_audience(public.campaigns) is
  'The number of addresses that a campaign would be sent to now. Reads the whole segment.';

create or replace function private.zone_times(p_campaign public.campaigns, p_job private.campaign_jobs, p_zones text[])
returns table (timezone text, due_at timestamptz, rest_due_at timestamptz)
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_zone text := (
    select private.known_zone(w.timezone, 'UTC')
    from public.workspaces as w where w.id = p_campaign.workspace_id
  );
  v_time time := (p_job.base_at at time zone v_zone)::time;
begin
  return query
  select
    z.name,
    case p_campaign.zone
      when 'customer' then private.next_local_time(v_time, z.zone, p_job.base_at) else p_job.base_at
    end,
    case
      when p_job.rest_at = 'infinity' or p_campaign.zone <> 'customer' then p_job.rest_at
      else private.next_local_time(v_time, z.zone, p_job.rest_at)
    end
  from (
    select distinct n.name, private.known_zone(nullif(n.name, ''), v_zone) as zone
    from unnest(p_zones) as n (name)
  ) as z;
end
$$;
comment on function private.zone_times(public.campaigns, private.campaign_jobs, text[]) is
  'When recipients in each zone (empty: unknown) are due: the recipients of the test, or all, and then those who get the winner.';

create or replace function private.find_recipients(p_campaign public.campaigns, p_customer_ids uuid[])
returns table (customer_id uuid, timezone text, address_hash bytea)
language plpgsql
stable
security invoker
set search_path = ''
-- By key, one at a time: customers and members may be millions.
set enable_hashjoin = 'off'
set enable_mergejoin = 'off'
set enable_seqscan = 'off'
as $$
declare
  v_excluded uuid[];
  v_versions integer[];
  v_inner_pad bytea;
  v_outer_pad bytea;
begin
  select coalesce(array_agg(s.segment_id), '{}'), coalesce(array_agg(s.version), '{}')
  into v_excluded, v_versions
  from private.campaign_segments(p_campaign) as s
  where s.is_excluded;
  select k.inner_pad, k.outer_pad into strict v_inner_pad, v_outer_pad
  from private.workspace_keys as k
  where k.workspace_id = p_campaign.workspace_id and k.purpose = 'address';
  return query
  select
    c.id, c.timezone,
    -- The same as private.address_hash, because a call per customer would take most of the time.
    sha256(v_outer_pad || sha256(v_inner_pad || convert_to(
      'email:' || nullif(lower(normalize(btrim(c.email, e' \t\n\r'))), ''), 'UTF8'
    )))
  from unnest(p_customer_ids) as i (id)
  cross join lateral (
    select x.id, x.timezone, x.email from public.customers as x
    where x.workspace_id = p_campaign.workspace_id and x.id = i.id
    limit 1
  ) as c
  where v_excluded = '{}' or not exists (
    select from unnest(v_excluded, v_versions) as e (segment_id, version)
    join public.segment_members as x
      on x.workspace_id = p_campaign.workspace_id and x.segment_id = e.segment_id
      and x.version = e.version and x.customer_id = i.id
  );
end
$$;
comment on function private.find_recipients(public.campaigns, uuid[]) is
  'The customers of a page who are not excluded: their zone, and the hash of their address (null: none).';

create or replace function private.draw_recipients(p_campaign public.campaigns, p_customer_ids uuid[])
returns table (customer_id uuid, timezone text, address_hash bytea, share double precision, spread double precision)
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if p_campaign.variants = '[]' and p_campaign.spread_over is null then
    return query
    select f.*, 0::double precision, 0::double precision
    from private.find_recipients(p_campaign, p_customer_ids) as f;
    return;
  end if;
  return query
  with drawn as (
    select f.*, sha256(convert_to(p_campaign.id || ':' || f.customer_id, 'UTF8')) as digest
    from private.find_recipients(p_campaign, p_customer_ids) as f
  )
  select
    d.customer_id, d.timezone, d.address_hash,
    -- By rank, so that a small audience has exact shares too.
    (row_number() over (partition by d.address_hash is null order by d.digest) - 0.5)::double precision
      / count(*) over (partition by d.address_hash is null),
    ('x' || encode(substring(d.digest from 1 for 4), 'hex'))::bit(32)::bigint / 4294967296.0::double precision
  from drawn as d;
end
$$;
comment on function private.draw_recipients(public.campaigns, uuid[]) is
  'The recipients of a page, and two numbers from 0 to below 1 for each: one evenly spaced for shares and one for a time. Both are 0 in a campaign that needs neither.';

create or replace function private.freeze_page(
  p_campaign public.campaigns,
  p_job private.campaign_jobs,
  p_limit integer
)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_ids uuid[] := private.audience_page(p_campaign, p_job.cursor, p_limit);
  v_bounds double precision[] := private.variant_bounds(p_campaign);
  v_has_variants boolean := p_campaign.variants <> '[]';
  v_test_share double precision := coalesce((p_campaign.winner ->> 'share')::double precision / 100, 1);
  v_spread interval := coalesce(private.read_duration(p_campaign.spread_over), '0');
begin
  with drawn as materialized (
    select d.*, case p_campaign.zone when 'customer' then coalesce(d.timezone, '') else '' end as zone
    from private.draw_recipients(p_campaign, v_ids) as d
  ),
  times as materialized (
    select t.*
    from private.zone_times(p_campaign, p_job, array(select distinct d.zone from drawn as d)) as t
  ),
  added as (
    insert into private.campaign_recipients (
      workspace_id, campaign_id, customer_id, address_hash, variant, due_at
    )
    select
      p_campaign.workspace_id, p_campaign.id, d.customer_id, d.address_hash,
      case
        when v_has_variants and d.share < v_test_share
        then width_bucket(d.share / v_test_share, v_bounds)
      end,
      case when d.share < v_test_share then t.due_at else t.rest_due_at end + v_spread * d.spread
    from drawn as d
    join times as t on t.timezone = d.zone
    where d.address_hash is not null
    order by d.customer_id
    on conflict do nothing
    returning variant
  )
  insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
  select p_campaign.workspace_id, p_campaign.id, k.variant, k.kind, k.count
  from (
    select coalesce(a.variant, case when v_has_variants then -1 else 0 end), 'recipients', count(*)
    from added as a
    group by 1
    union all
    select 0, 'no_address', count(*) from drawn as d where d.address_hash is null
    union all
    select 0, 'same_address', (
      select count(*) from drawn as d where d.address_hash is not null
    ) - (select count(*) from added as a)
  ) as k (variant, kind, count)
  where k.count > 0;
  update private.campaign_jobs as j set cursor = coalesce(v_ids[cardinality(v_ids)], j.cursor)
  where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id;
  return cardinality(v_ids) < p_limit;
end
$$;
comment on function private.freeze_page(public.campaigns, private.campaign_jobs, integer) is
  'Stores the recipients among the next p_limit members of a segment, and counts them. Returns true after the last page.';

create or replace function private.audience_page(p_campaign public.campaigns, p_after uuid, p_limit integer)
returns uuid[]
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
set enable_sort = 'off'
as $$
begin
  return array(
    select m.customer_id
    from public.segment_members as m
    where m.workspace_id = p_campaign.workspace_id and m.segment_id = p_campaign.segment_id
      and m.version = (
        select s.version from public.segments as s
        where s.workspace_id = p_campaign.workspace_id and s.id = p_campaign.segment_id
      )
      and m.customer_id > p_after
    order by m.customer_id
    limit p_limit
  );
end
$$;
comment on function private.audience_page(public.campaigns, uuid, integer) is
  'Members of the segment of a campaign after a customer, in the order of their ids.';

create or replace function private.variant_bounds(p_campaign public.campaigns)
returns double precision[]
language sql
immutable
security invoker
set search_path = ''
as $$
  select coalesce(array_agg(w.upper / w.total order by w.position) filter (where w.position < w.count), '{}')
  from (
    select
      v.ordinality as position, count(*) over () as count,
      sum((v.value ->> 'weight')::double precision) over (order by v.ordinality) as upper,
      sum((v.value ->> 'weight')::double precision) over () as total
    from jsonb_array_elements(p_campaign.variants) with ordinality as v
  ) as w
$$;
comment on function private.variant_bounds(public.campaigns) is
  'The bounds between the parts of the variants, each from 0 to 1.';

create or replace function private.work_audience(
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
  v_job private.campaign_jobs := p_job;
  v_obstacle text := private.campaign_obstacle(p_campaign);
  v_limit bigint := private.confirm_above(p_campaign.workspace_id);
  v_recipients bigint;
begin
  if v_obstacle is not null then
    perform private.halt_by_service(
      p_campaign, case v_obstacle when 'segment_deleted' then 'cancelled' else 'paused' end,
      v_obstacle, private.obstacle_text(v_obstacle), p_now
    );
    return;
  elsif not private.is_computed(p_campaign) then
    update private.campaign_jobs as j set due_at = p_now + interval '1 second'
    where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id;
    return;
  end if;
  if v_job.base_at is null then
    v_job := private.begin_audience(p_campaign);
  end if;
  if not private.freeze_page(p_campaign, v_job, 10000) then
    update private.campaign_jobs as j set due_at = p_now
    where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id;
    return;
  end if;
  perform private.fold_counts_of(p_campaign.workspace_id, p_campaign.id);
  v_recipients := private.campaign_count(p_campaign, 'recipients');
  update public.campaigns as c set recipients = v_recipients, updated_at = p_now
  where c.workspace_id = p_campaign.workspace_id and c.id = p_campaign.id;
  update private.campaign_jobs as j set phase = 'feed', due_at = p_now
  where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id;
  -- The audience has grown since somebody confirmed its number.
  if v_recipients > v_limit and v_recipients > 1.1 * coalesce(p_campaign.confirmed, 0) then
    perform private.halt_by_service(p_campaign, 'paused', 'confirmation', format(
      '%s recipients are over %s: the call that resumes must have the number', v_recipients, v_limit
    ), p_now);
  end if;
end
$$;
comment on function private.work_audience(public.campaigns, private.campaign_jobs, timestamptz) is
  'Fixes a page of the audience of a campaign. After the last page, recipients become sends, or the campaign is paused until somebody confirms their number.';

create or replace function private.begin_audience(p_campaign public.campaigns)
returns private.campaign_jobs
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_job private.campaign_jobs;
  v_base timestamptz := p_campaign.send_at;
  v_after interval := private.read_duration(p_campaign.winner ->> 'after');
  -- How long the test takes, from the first recipient to the last.
  v_span interval := coalesce(private.read_duration(p_campaign.spread_over), '0')
    + case p_campaign.zone when 'customer' then interval '1 day' else '0' end;
begin
  update private.campaign_jobs as j
  set
    base_at = v_base, rest_at = coalesce(v_base + v_span + v_after, 'infinity'),
    decide_at = v_base + v_span + v_after
  where j.workspace_id = p_campaign.workspace_id and j.campaign_id = p_campaign.id
  returning j.* into v_job;
  return v_job;
end
$$;
comment on function private.begin_audience(public.campaigns) is
  'Sets the times from which the times of the recipients are computed.';
