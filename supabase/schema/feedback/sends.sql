-- Purpose: what providers report about sends, in any order and possibly before our own record
--          of a send.
-- Locks:   those of private.ingest, then the sends in the order of their ids.

create or replace function private.find_sends(p_workspace_id uuid, p_entries jsonb)
returns table (
  entry integer,
  send_id uuid,
  external_id text,
  anon_id text,
  properties jsonb
)
language sql
stable
-- Definer: the roles that ingest may ask about messages that were reported to them, and read no table.
security definer
set search_path = ''
set jit = 'off'
as $$
  select
    e.ordinality::integer, s.id, case i.kind when 'external' then i.value end,
    case i.kind when 'anon' then i.value end, private.send_properties(s)
  from rows from (
    jsonb_to_recordset(p_entries) as (send_id uuid, provider_id text, email text, is_only boolean)
  ) with ordinality as e
  cross join lateral (
    select private.address_hash(p_workspace_id, 'email', e.email) as hash offset 0
  ) as h
  cross join lateral (
    select f.*
    from (
      select 1 as rank, b.* from private.find_send(p_workspace_id, e.send_id) as b
      union all
      (
        select 2, b.*
        from public.sends as b
        where b.workspace_id = p_workspace_id and b.provider_id = e.provider_id
        order by b.queued_at desc
        limit 5
      )
      union all
      (
        select 3, b.*
        from public.sends as b
        where b.workspace_id = p_workspace_id and b.address_hash = h.hash
          and b.queued_at > now() - interval '30 days'
          and b.state in ('sending', 'sent', 'unknown') and b.purpose = 'message'
          -- An id that leads to nothing belongs to a message that is not ours.
          and e.send_id is null and (e.provider_id is null or b.provider_id is null)
        order by b.queued_at desc
        limit 1
      )
    ) as f
    -- If there are several recipients: only the one that the send was for.
    where f.id is not null and (e.is_only or f.address_hash = h.hash)
    order by f.rank, f.queued_at desc
    limit 1
  ) as m
  cross join lateral private.find_send(p_workspace_id, m.id) as s
  cross join lateral private.newest_identity(p_workspace_id, s.customer_id) as i
  where i.id is not null
$$;
comment on function private.find_sends(uuid, jsonb) is
  'The sends that reports are about: a JSON array of { send_id, provider_id, email, is_only }. By our id, else the provider''s, else the newest send to the address. entry counts from 1; no row for a report that fits no send of a customer.';
revoke execute on function private.find_sends(uuid, jsonb) from public;
grant execute on function private.find_sends(uuid, jsonb) to signalpost_ingest;

create or replace function private.feedback_rank(p_feedback text)
returns integer
language sql
immutable
security invoker
set search_path = ''
as $$
  select coalesce(
    array_position(array['soft_bounced', 'delivered', 'bounced', 'complained'], p_feedback), 0
  )
$$;
comment on function private.feedback_rank(text) is
  'The order in which the feedback of a send moves forward; 0 for none.';

create or replace function private.record_sent(p_entries jsonb, p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_news jsonb;
begin
  select jsonb_agg(jsonb_build_object(
    'workspace_id', s.workspace_id, 'send_id', s.id, 'at', least(e.at, p_now),
    'name', 'email_sent'
  ) order by s.id)
  into v_news
  from (
    select o.workspace_id, o.send_id, min(o.at) as at
    from jsonb_to_recordset(p_entries) as o (
      workspace_id uuid, send_id uuid, outcome text, at timestamptz
    )
    where o.outcome <> 'failed'
    group by o.workspace_id, o.send_id
  ) as e
  cross join lateral private.find_send(e.workspace_id, e.send_id) as s
  where s.state in ('queued', 'sending', 'unknown');
  -- Under the key of the sender's own record, so that the event is stored once.
  if v_news is not null then
    perform private.record_engagements(v_news);
  end if;
end
$$;
comment on function private.record_sent(jsonb, timestamptz) is
  'Stores email_sent for the sends whose outcome was open until one of these reports.';

create or replace function private.settle_sends(
  p_entries jsonb,
  p_now timestamptz default clock_timestamp()
)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_settled integer;
  v_recounted jsonb;
begin
  perform private.record_sent(p_entries, p_now);
  with reports as (
    select distinct on (o.workspace_id, o.send_id)
      o.workspace_id, o.send_id, o.reason, least(o.at, p_now) as at,
      case o.outcome when 'sent' then null when 'failed' then 'bounced' else o.outcome end as feedback,
      bool_or(o.outcome <> 'failed') over (partition by o.workspace_id, o.send_id) as is_sent
    from jsonb_to_recordset(p_entries) as o (
      workspace_id uuid, send_id uuid, outcome text, reason text, at timestamptz
    )
    order by o.workspace_id, o.send_id, private.feedback_rank(o.outcome) desc, o.at
  ),
  locked as (
    select
      r.*, s.queued_at, s.state in ('queued', 'sending', 'unknown') as is_open,
      s.state = 'unknown' as was_unknown, s.state = 'failed' as was_failed,
      private.feedback_rank(r.feedback) > private.feedback_rank(s.feedback) as is_newer
    from reports as r
    join public.sends as s
      on s.workspace_id = r.workspace_id and s.queued_at = private.uuid_v7_time(r.send_id)
      and s.id = r.send_id
    order by s.workspace_id, s.id
    for no key update of s
  ),
  settled as (
    update public.sends as s
    set
      state = case when not l.is_open then s.state when l.is_sent then 'sent' else 'failed' end,
      reason = case
        when not l.is_open then s.reason
        when not l.is_sent then coalesce(l.reason, 'rejected')
      end,
      sent_at = case when l.is_open and l.is_sent then coalesce(s.sent_at, l.at) else s.sent_at end,
      finished_at = coalesce(s.finished_at, p_now),
      feedback = case when l.is_newer then l.feedback else s.feedback end,
      feedback_reason = case when l.is_newer then l.reason else s.feedback_reason end,
      feedback_at = case when l.is_newer then l.at else s.feedback_at end
    from locked as l
    where s.workspace_id = l.workspace_id and s.queued_at = l.queued_at and s.id = l.send_id
      and (l.is_open or l.is_newer)
    returning
      s.workspace_id, s.id, l.was_unknown,
      -- An address that was refused at once has counted as bounced.
      case when l.is_newer and not l.was_failed then l.feedback end as feedback
  )
  select
    count(*)::integer,
    jsonb_agg(jsonb_build_object(
      'workspace_id', t.workspace_id, 'send_id', t.id, 'was_unknown', t.was_unknown,
      'feedback', t.feedback
    )) filter (where t.was_unknown or t.feedback in ('bounced', 'complained'))
  into v_settled, v_recounted
  from settled as t;
  if v_recounted is not null then
    perform private.recount_sends(v_recounted);
  end if;
  return v_settled;
end
$$;
comment on function private.settle_sends(jsonb, timestamptz) is
  'Records reports about sends: a JSON array of { workspace_id, send_id, outcome, reason, at }, with outcome sent, soft_bounced, delivered, bounced, complained or failed. A send whose outcome is open becomes failed after the report failed, and sent after any other. Feedback only moves forward. The figures of the sender follow. Returns the number of sends that changed. Retry on 40001.';
