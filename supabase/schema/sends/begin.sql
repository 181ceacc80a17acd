-- Purpose: the checks right before a message is handed to its provider.
-- Locks:   queue rows by sender and id, then messages, then uses of caps by workspace and address.

create or replace function private.is_key_expired(
  p_provider text,
  p_attempts jsonb,
  p_now timestamptz
)
returns boolean
language sql
immutable
security invoker
set search_path = ''
as $$
  -- A provider forgets keys after 24 hours: an attempt takes its time too.
  select private.takes_idempotency_key(p_provider) and exists (
    select
    from jsonb_array_elements(p_attempts) as a
    where a ->> 'outcome' = 'unknown'
      and (a ->> 'at')::timestamptz < p_now - interval '23 hours'
  )
$$;
comment on function private.is_key_expired(text, jsonb, timestamptz) is
  'True if a message may have reached its provider so long ago that the idempotency key no longer prevents a second one.';

create or replace function private.check_addresses(p_starts private.send_start[], p_now timestamptz)
returns table (workspace_id uuid, send_id uuid, hash bytea, is_suppressed boolean, is_subscribed boolean)
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  return query
  with started as materialized (
    select
      k.workspace_id, k.send_id, s.topic_id,
      private.address_hash(k.workspace_id, 'email', k.email) as hash
    from unnest(p_starts) as k
    join public.sends as s
      on s.workspace_id = k.workspace_id and s.queued_at = k.queued_at
      and s.id = k.send_id
  ),
  states as materialized (
    select n.workspace_id, n.topic_id, a.address_hash, a.subscribed
    from (
      select m.workspace_id, m.topic_id, array_agg(distinct m.hash) as hashes
      from started as m
      where m.topic_id is not null
      group by m.workspace_id, m.topic_id
    ) as n
    cross join lateral private.address_states(n.workspace_id, 'email', n.hashes, n.topic_id) as a
  )
  select
    m.workspace_id, m.send_id, m.hash,
    exists (
      select from public.suppressions as x
      where x.workspace_id = m.workspace_id and x.channel = 'email' and x.address_hash = m.hash
        and coalesce(x.until, 'infinity') > p_now
    ),
    coalesce(a.subscribed, false)
  from started as m
  left join states as a
    on a.workspace_id = m.workspace_id and a.topic_id = m.topic_id and a.address_hash = m.hash;
end
$$;
comment on function private.check_addresses(private.send_start[], timestamptz) is
  'The hash of each address now, and whether it is suppressed and subscribed to the topic of the message.';

create or replace function private.check_sends(p_starts private.send_start[], p_now timestamptz)
returns private.send_check[]
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  return array(
    with tenants as materialized (
      select w.id, w.timezone, p.stopped_at, p.quiet_hours, p.caps
      from (select distinct k.workspace_id as id from unnest(p_starts) as k) as n
      join public.workspaces as w on w.id = n.id
      cross join lateral private.send_settings_of(w.id) as p
    )
    select row(
      k.workspace_id, k.send_id, d.decision, d.reason,
      case when d.decision = 'wait' then m.quiet_until end, h.hash,
      m.is_marketing and jsonb_array_length(g.caps) > 0, s.on_cap, s.not_after
    )::private.send_check
    from unnest(p_starts) as k
    left join lateral (
      select r.* from public.sends as r
      where r.workspace_id = k.workspace_id and r.queued_at = k.queued_at
        and r.id = k.send_id
      limit 1
    ) as s on true
    left join tenants as g on g.id = k.workspace_id
    left join public.senders as o on o.workspace_id = k.workspace_id and o.id = k.sender_id
    left join public.customers as c on c.workspace_id = k.workspace_id and c.id = s.customer_id
    left join public.templates as t on t.workspace_id = k.workspace_id and t.id = s.template_id
    left join public.template_versions as v
      on v.workspace_id = k.workspace_id and v.template_id = s.template_id
      and v.version = k.template_version
    left join public.topics as p on p.workspace_id = k.workspace_id and p.id = s.topic_id
    left join private.check_addresses(p_starts, p_now) as h
      on h.workspace_id = k.workspace_id and h.send_id = k.send_id
    cross join lateral (
      select
        q.is_marketing,
        case
          when q.is_marketing
          then private.quiet_until(g.quiet_hours, private.known_zone(c.timezone, g.timezone), p_now)
        end as quiet_until
      from (select s.topic_id is not null and s.purpose = 'message' as is_marketing) as q
    ) as m
    cross join lateral (
      select * from (
        values
          ('release', null, g.stopped_at is not null or not o.enabled),
          ('skip', 'erased', s.id is null),
          ('settled', null, s.state in ('sent', 'failed')),
          (
            'unknown', 'key_expired',
            o.on_unknown = 'stop' and private.is_key_expired(o.provider, s.attempts, p_now)
          ),
          ('skip', 'sender_deleted', o.id is null),
          ('skip', 'too_late', s.not_after < p_now),
          ('skip', 'customer_deleted', c.id is null and s.purpose = 'message'),
          ('skip', 'template_deleted', t.id is null and (s.template_id is not null or s.purpose = 'message')),
          -- It was rendered for another address: once more.
          ('release', null, btrim(c.email) is distinct from k.email and s.purpose = 'message'),
          ('skip', 'suppressed', h.is_suppressed),
          ('skip', 'topic_deleted', m.is_marketing and p.id is null),
          ('skip', 'no_unsubscribe_link', m.is_marketing and not coalesce(v.has_unsubscribe, false)),
          ('skip', 'unsubscribed', m.is_marketing and not h.is_subscribed),
          ('wait', 'quiet_hours', m.quiet_until is not null),
          ('go', null, true)
      ) as r (decision, reason, applies)
      where r.applies
      limit 1
    ) as d
  );
end
$$;
comment on function private.check_sends(private.send_start[], timestamptz) is
  'The decision about each message now, before caps and campaigns.';

create or replace function private.check_campaigns(p_checks private.send_check[], p_now timestamptz)
returns private.send_check[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_campaigns jsonb := (
    select jsonb_agg(jsonb_build_object(
      'workspace_id', k.workspace_id, 'send_id', k.send_id, 'campaign_id', s.campaign_id
    ))
    from unnest(p_checks) as k
    join public.sends as s
      on s.workspace_id = k.workspace_id and s.queued_at = private.uuid_v7_time(k.send_id)
      and s.id = k.send_id
    where k.decision = 'go' and s.campaign_id is not null and s.purpose = 'message'
  );
begin
  if v_campaigns is null then
    return p_checks;
  end if;
  return array(
    with asked as materialized (
      select * from jsonb_to_recordset(v_campaigns) as a (
        workspace_id uuid, send_id uuid, campaign_id uuid
      )
    ),
    gates as materialized (
      select w.workspace_id, g.campaign_id, g.gate
      from (
        select a.workspace_id, array_agg(distinct a.campaign_id) as campaign_ids
        from asked as a
        group by a.workspace_id
      ) as w
      cross join lateral private.campaign_gates(w.workspace_id, w.campaign_ids) as g
    )
    select row(
      k.workspace_id, k.send_id,
      case g.gate when 'held' then 'wait' when 'cancelled' then 'skip' else k.decision end,
      case g.gate when 'held' then 'paused' when 'cancelled' then 'cancelled' else k.reason end,
      case g.gate when 'held' then p_now + interval '1 minute' else k.until end,
      k.address_hash, k.is_capped, k.on_cap, k.not_after
    )::private.send_check
    from unnest(p_checks) as k
    left join asked as a on a.workspace_id = k.workspace_id and a.send_id = k.send_id
    left join gates as g on g.workspace_id = a.workspace_id and g.campaign_id = a.campaign_id
  );
end
$$;
comment on function private.check_campaigns(private.send_check[], timestamptz) is
  'Adjusts the decisions: messages of a paused campaign wait, and those of a cancelled one are skipped.';

create or replace function private.start_sends(p_starts private.send_start[], p_checks private.send_check[], p_now timestamptz)
returns uuid[]
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_started uuid[];
begin
  with started as (
    update private.send_queue as q
    set started_at = p_now
    from unnest(p_starts) as k
    join unnest(p_checks) as c on c.workspace_id = k.workspace_id and c.send_id = k.send_id
    where c.decision = 'go'
      and q.workspace_id = k.workspace_id and q.sender_id = k.sender_id and q.send_id = k.send_id
    returning q.send_id
  )
  select coalesce(array_agg(s.send_id), '{}') into v_started from started as s;
  update public.sends as s
  set
    state = 'sending', reason = null, email = k.email, address_hash = c.address_hash,
    template_version = k.template_version, message_id = k.message_id, facts = k.facts,
    links = coalesce(k.links, '{}')
  from unnest(p_starts) as k
  join unnest(p_checks) as c on c.workspace_id = k.workspace_id and c.send_id = k.send_id
  where c.decision = 'go'
    and s.workspace_id = k.workspace_id and s.queued_at = k.queued_at
    and s.id = k.send_id;
  return v_started;
end
$$;
comment on function private.start_sends(private.send_start[], private.send_check[], timestamptz) is
  'Notes that messages are about to be handed over, with what they were rendered from. Returns the ids that it noted, none while their workspace is being moved. Other messages must not be handed over.';

create or replace function private.begin_sends(
  p_starts text,
  p_now timestamptz default clock_timestamp()
)
returns table (workspace_id uuid, send_id uuid, decision text, reason text, until timestamptz)
language plpgsql
volatile
-- Definer: the role of send-dispatch may execute this and reads or writes no table.
security definer
set search_path = ''
set enable_seqscan = 'off'
set plan_cache_mode = 'force_generic_plan'
set jit = 'off'
as $$
declare
  v_all private.send_start[];
  v_starts private.send_start[];
  v_checks private.send_check[];
  v_started uuid[];
begin
  select array_agg(r order by r.sender_id, r.send_id) into v_all
  from jsonb_array_elements(p_starts::jsonb) as e
  cross join lateral jsonb_populate_record(
    null::private.send_start,
    e || jsonb_build_object('queued_at', private.uuid_v7_time((e ->> 'send_id')::uuid))
  ) as r;
  -- A claim that has expired says nothing any more.
  select coalesce(array_agg(r), '{}') into v_starts
  from unnest(v_all) as r
  cross join lateral (
    select from private.send_queue as q
    where q.workspace_id = r.workspace_id and q.sender_id = r.sender_id and q.send_id = r.send_id
      and q.claim = r.claim
    for update
  ) as q;
  v_checks := private.check_campaigns(private.check_sends(v_starts, p_now), p_now);
  v_checks := private.reserve_caps(private.claim_recipients(v_checks, p_now), p_now);
  v_started := private.start_sends(v_starts, v_checks, p_now);
  return query
  select
    r.workspace_id, r.send_id,
    case
      when c.decision = 'go' and r.send_id <> all (v_started) then 'lost'
      else coalesce(c.decision, 'lost')
    end,
    c.reason, c.until
  from unnest(v_all) as r
  left join unnest(v_checks) as c on c.workspace_id = r.workspace_id and c.send_id = r.send_id;
end
$$;
comment on function private.begin_sends(text, timestamptz) is
  'Checks rendered messages right before they are handed over (a JSON array of private.send_start). go: hand it over now, its place in the caps is reserved. skip: never. unknown: it may have been sent, and a repeat may be a second message. wait: not before until. release: claim it once more. settled: it was sent before. lost: the claim has expired, or the workspace is being moved. Repeating it changes nothing.';
grant execute on function private.begin_sends(text, timestamptz) to signalpost_send;
