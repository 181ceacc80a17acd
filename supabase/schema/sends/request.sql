-- Purpose: what callers of the api need to create a message and to see one.

create or replace function private.resolve_send(p_workspace_id uuid, p_names jsonb)
returns table (
  template_id uuid,
  has_unsubscribe boolean,
  sender_id uuid,
  topic_id uuid,
  customer_id uuid
)
language plpgsql
stable
-- Definer: a key with sends:write names what it may not read.
security definer
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  perform private.require_writer(p_workspace_id, 'member', 'sends:write');
  return query
  select t.id, v.has_unsubscribe, o.id, p.id, c.id
  from jsonb_to_record(p_names) as n (
    template_id uuid, template_key text, sender_id uuid, sender_key text, topic_id uuid,
    topic_key text, customer_id uuid, external_id text
  )
  left join public.templates as t
    on t.workspace_id = p_workspace_id and (t.id = n.template_id or t.key = n.template_key)
  left join public.template_versions as v
    on v.workspace_id = t.workspace_id and v.template_id = t.id and v.version = t.version
  left join public.senders as o
    on o.workspace_id = p_workspace_id and (o.id = n.sender_id or o.key = n.sender_key)
  left join public.topics as p
    on p.workspace_id = p_workspace_id and (p.id = n.topic_id or p.key = n.topic_key)
  left join public.identities as i
    on i.workspace_id = p_workspace_id and i.kind = 'external' and i.value = n.external_id
  left join public.customers as c
    on c.workspace_id = p_workspace_id and c.id = coalesce(n.customer_id, i.customer_id);
end
$$;
comment on function private.resolve_send(uuid, jsonb) is
  'Ids of what a new message names by id or key: {template_id | template_key, sender_id | sender_key, topic_id | topic_key, customer_id | external_id}; null for each that does not exist.';
grant execute on function private.resolve_send(uuid, jsonb) to signalpost_user, signalpost_key;

create or replace function private.may_read_sends(p_workspace_id uuid)
returns boolean
language sql
stable
security invoker
set search_path = ''
as $$
  select
    p_workspace_id in (select private.member_workspace_ids())
    or coalesce(
      p_workspace_id = private.key_workspace_id(array['sends:read', 'sends:write']), false
    )
$$;
comment on function private.may_read_sends(uuid) is
  'For functions with definer rights: true for members, and for keys that may read sends.';

create or replace function private.send_contents(p_workspace_id uuid, p_send_id uuid)
returns table (
  subject text,
  html text,
  text text,
  strict boolean,
  data jsonb,
  facts jsonb
)
language sql
stable
-- Definer: a key with sends:read may see what was sent, and not the template.
security definer
set search_path = ''
as $$
  select
    v.subject, v.html, v.text, coalesce(t.strict, false), s.data, s.facts
  from public.sends as s
  left join public.template_versions as v
    on v.workspace_id = s.workspace_id and v.template_id = s.template_id
    and v.version = s.template_version
  -- Gone if it was deleted; its versions stay.
  left join public.templates as t on t.workspace_id = v.workspace_id and t.id = v.template_id
  where s.workspace_id = p_workspace_id and s.queued_at = private.uuid_v7_time(p_send_id)
    and s.id = p_send_id and s.facts is not null and (s.template_id is null or v.version is not null)
    and private.may_read_sends(p_workspace_id)
$$;
comment on function private.send_contents(uuid, uuid) is
  'The version and the facts that a message was rendered from; no row before that. The version outlives its template. Its subject is null for a notice of the service, which has none.';
grant execute on function private.send_contents(uuid, uuid) to signalpost_user, signalpost_key;

create or replace function private.next_attempt_at(
  p_workspace_id uuid,
  p_sender_id uuid,
  p_send_id uuid
)
returns timestamptz
language sql
stable
-- Definer: callers may read neither the queue nor the lanes.
security definer
set search_path = ''
set enable_seqscan = 'off'
as $$
  select greatest(q.due_at, l.open_until, l.paused_until)
  from private.send_queue as q
  join private.send_lanes as l on l.workspace_id = q.workspace_id and l.sender_id = q.sender_id
  where q.workspace_id = p_workspace_id and q.sender_id = p_sender_id and q.send_id = p_send_id
    and q.claim is null and l.is_enabled and not l.is_deleted
    and private.may_read_sends(p_workspace_id)
$$;
comment on function private.next_attempt_at(uuid, uuid, uuid) is
  'When a message that waits is handed to its provider, at the earliest; null for one that does not wait, or whose sender is disabled.';
grant execute on function private.next_attempt_at(uuid, uuid, uuid)
  to signalpost_user, signalpost_key;

create or replace function private.explain_sends(
  p_workspace_id uuid,
  p_customer_id uuid,
  p_topic_ids uuid[],
  p_now timestamptz default clock_timestamp()
)
returns jsonb
language sql
stable
-- Definer: callers may not read the key of the hash, consents and uses of caps.
security definer
set search_path = ''
as $$
  select jsonb_build_object(
    'email', a.email,
    'suppression', (
      select jsonb_build_object('reason', s.reason, 'until', private.rfc3339(s.until))
      from public.suppressions as s
      where s.workspace_id = p_workspace_id and s.channel = 'email' and s.address_hash = a.hash
        and (s.until is null or s.until > p_now)
      limit 1
    ),
    'topics', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', t.id, 'name', t.name,
        'subscribed', private.is_subscribed(p_workspace_id, 'email', a.email, t.id)
      ) order by t.name)
      from public.topics as t
      where t.workspace_id = p_workspace_id and t.id = any (p_topic_ids)
    ), '[]'),
    'caps', (
      select coalesce(jsonb_agg(e || jsonb_build_object('used', (
        select count(*)
        from private.cap_uses as u
        cross join unnest(u.used_ats) as n (used_at)
        where u.workspace_id = p_workspace_id and u.channel = 'email' and u.address_hash = a.hash
          and n.used_at > p_now - private.read_duration(e ->> 'per')
      ))), '[]')
      from jsonb_array_elements(g.caps) as e
    ),
    'quiet_until', private.rfc3339(
      private.quiet_until(g.quiet_hours, private.known_zone(c.timezone, w.timezone), p_now)
    ),
    'stopped_at', private.rfc3339(g.stopped_at)
  )
  from public.workspaces as w
  cross join lateral private.send_settings_of(w.id) as g
  join public.customers as c on c.workspace_id = w.id and c.id = p_customer_id
  cross join lateral (
    select c.email, private.address_hash(w.id, 'email', c.email) as hash
  ) as a
  where w.id = p_workspace_id and private.may_read_sends(p_workspace_id)
$$;
comment on function private.explain_sends(uuid, uuid, uuid[], timestamptz) is
  'Facts that decide now about messages to a customer: address, suppression, consent to these topics, caps with their uses, quiet hours and a stop. Returns null if the customer does not exist.';
grant execute on function private.explain_sends(uuid, uuid, uuid[], timestamptz)
  to signalpost_user, signalpost_key;
