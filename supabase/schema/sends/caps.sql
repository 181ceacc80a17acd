-- Purpose: caps: how many marketing messages an address gets in a time.
-- Locks:   rows of private.cap_uses, in the order of workspace and address.

create or replace function private.lock_cap_uses(p_checks private.send_check[], p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  insert into private.cap_uses (
    workspace_id, channel, address_hash, send_ids, used_ats, last_used_at
  )
  select distinct c.workspace_id, 'email', c.address_hash, '{}'::uuid[], '{}'::timestamptz[], p_now
  from unnest(p_checks) as c
  where c.decision = 'go' and c.is_capped
  order by c.workspace_id, c.address_hash
  on conflict (workspace_id, channel, address_hash) do nothing;
  perform
  from (
    select distinct c.workspace_id, c.address_hash
    from unnest(p_checks) as c
    where c.decision = 'go' and c.is_capped
    order by c.workspace_id, c.address_hash
  ) as c
  cross join lateral (
    select from private.cap_uses as u
    where u.workspace_id = c.workspace_id and u.channel = 'email' and u.address_hash = c.address_hash
    for update
  ) as u;
end
$$;
comment on function private.lock_cap_uses(private.send_check[], timestamptz) is
  'Locks the uses of caps of the addresses that messages are about to go to.';

create or replace function private.reserve_caps(p_checks private.send_check[], p_now timestamptz)
returns private.send_check[]
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_checks private.send_check[];
begin
  if not exists (select from unnest(p_checks) as c where c.decision = 'go' and c.is_capped) then
    return p_checks;
  end if;
  perform private.lock_cap_uses(p_checks, p_now);
  with wanted as materialized (
    select
      c.*,
      row_number() over (partition by c.workspace_id, c.address_hash order by c.send_id) as nth
    from unnest(p_checks) as c
    where c.decision = 'go' and c.is_capped
  ),
  limits as materialized (
    select n.workspace_id, (e ->> 'max')::integer as most, private.read_duration(e ->> 'per') as per
    from (select distinct w.workspace_id from wanted as w) as n
    cross join lateral private.send_settings_of(n.workspace_id) as g
    cross join lateral jsonb_array_elements(g.caps) as e
  ),
  blocked as materialized (
    -- For each cap that is full: when the first of its places is free again.
    select w.workspace_id, w.send_id, max(n.first_at + p.per) as until
    from wanted as w
    join limits as p on p.workspace_id = w.workspace_id
    join private.cap_uses as u
      on u.workspace_id = w.workspace_id and u.channel = 'email' and u.address_hash = w.address_hash
    cross join lateral (
      select count(*) as used, coalesce(min(a.used_at), p_now) as first_at
      from unnest(u.send_ids, u.used_ats) as a (send_id, used_at)
      where a.used_at > p_now - p.per and a.send_id <> w.send_id
    ) as n
    where n.used + w.nth > p.most
    group by w.workspace_id, w.send_id
  )
  select array_agg(row(
    c.workspace_id, c.send_id,
    case
      when b.send_id is null then c.decision
      when c.on_cap = 'wait' and b.until <= coalesce(c.not_after, 'infinity') then 'wait'
      else 'skip'
    end,
    case when b.send_id is null then c.reason else 'capped' end,
    coalesce(b.until, c.until), c.address_hash, c.is_capped, c.on_cap, c.not_after
  )::private.send_check) into v_checks
  from unnest(p_checks) as c
  left join blocked as b on b.workspace_id = c.workspace_id and b.send_id = c.send_id;

  update private.cap_uses as u
  set
    send_ids = k.send_ids || n.send_ids,
    used_ats = k.used_ats || array_fill(p_now, array[cardinality(n.send_ids)]),
    last_used_at = p_now
  from (
    select c.workspace_id, c.address_hash, array_agg(c.send_id) as send_ids
    from unnest(v_checks) as c
    where c.decision = 'go' and c.is_capped
    group by c.workspace_id, c.address_hash
  ) as n
  cross join lateral private.kept_uses(n.workspace_id, n.address_hash, n.send_ids, p_now) as k
  where u.workspace_id = n.workspace_id and u.channel = 'email' and u.address_hash = n.address_hash;
  return v_checks;
end
$$;
comment on function private.reserve_caps(private.send_check[], timestamptz) is
  'Adjusts the decisions: a message beyond a cap is skipped or waits. The others reserve their places, so that no two get the last one.';

create or replace function private.kept_uses(
  p_workspace_id uuid,
  p_address_hash bytea,
  p_without uuid[],
  p_now timestamptz,
  out send_ids uuid[],
  out used_ats timestamptz[]
)
language sql
stable
security invoker
set search_path = ''
as $$
  select
    coalesce(array_agg(a.send_id order by a.used_at), '{}'),
    coalesce(array_agg(a.used_at order by a.used_at), '{}')
  from private.cap_uses as u
  cross join unnest(u.send_ids, u.used_ats) as a (send_id, used_at)
  where u.workspace_id = p_workspace_id and u.channel = 'email' and u.address_hash = p_address_hash
    and a.send_id <> all (p_without) and a.used_at > p_now - interval '90 days'
$$;
comment on function private.kept_uses(uuid, bytea, uuid[], timestamptz) is
  'The uses of an address in the last 90 days, without those of some messages.';

create or replace function private.give_back_caps(p_results private.send_result[], p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_given jsonb;
begin
  if not exists (
    select from unnest(p_results) as r where r.action in ('failed', 'retry', 'release', 'skipped')
  ) then
    return;
  end if;
  select jsonb_agg(jsonb_build_object(
    'workspace_id', g.workspace_id, 'address_hash', g.address_hash, 'send_ids', g.send_ids
  ) order by g.workspace_id, g.address_hash) into v_given
  from (
    select u.workspace_id, u.address_hash, array_agg(r.send_id) as send_ids
    from unnest(p_results) as r
    join public.sends as s
      on s.workspace_id = r.workspace_id and s.queued_at = r.queued_at
      and s.id = r.send_id
    join private.cap_uses as u
      on u.workspace_id = s.workspace_id and u.channel = 'email' and u.address_hash = s.address_hash
    where r.action in ('failed', 'retry', 'release', 'skipped') and r.send_id = any (u.send_ids)
    group by u.workspace_id, u.address_hash
  ) as g;
  if v_given is null then
    return;
  end if;
  perform
  from jsonb_to_recordset(v_given) as g (workspace_id uuid, address_hash bytea)
  cross join lateral (
    select from private.cap_uses as u
    where u.workspace_id = g.workspace_id and u.channel = 'email' and u.address_hash = g.address_hash
    for update
  ) as u;
  update private.cap_uses as u
  set send_ids = k.send_ids, used_ats = k.used_ats
  from jsonb_to_recordset(v_given) as g (workspace_id uuid, address_hash bytea, send_ids uuid[])
  cross join lateral private.kept_uses(g.workspace_id, g.address_hash, g.send_ids, p_now) as k
  where u.workspace_id = g.workspace_id and u.channel = 'email' and u.address_hash = g.address_hash;
end
$$;
comment on function private.give_back_caps(private.send_result[], timestamptz) is
  'Frees the places in the caps of messages that were not sent.';

create or replace function private.delete_old_cap_uses(
  p_limit integer default 10000,
  p_now timestamptz default clock_timestamp()
)
returns integer
language sql
volatile
security invoker
set search_path = ''
as $$
  with old as (
    select u.workspace_id, u.channel, u.address_hash
    from private.cap_uses as u
    where u.last_used_at < p_now - interval '90 days'
    order by u.last_used_at
    limit p_limit
    for update skip locked
  ),
  gone as (
    delete from private.cap_uses as u
    using old as o
    where u.workspace_id = o.workspace_id and u.channel = o.channel
      and u.address_hash = o.address_hash
    returning 1
  )
  select count(*)::integer from gone
$$;
comment on function private.delete_old_cap_uses(integer, timestamptz) is
  'Deletes the cap uses of up to p_limit addresses that no cap counts any more and returns the number deleted. Runs every hour.';
