-- Purpose: finds anything by its id, the id of a request, or a part of its name; customers by the
--          beginning of a name or an address. Each kind is read by an index, and only for callers who
--          may read it. The plan limits how many names of a kind a workspace has.

create or replace function private.customer_hits(p_workspace_id uuid, p_ids uuid[])
returns setof private.search_hit
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  select
    'customer', c.id, null::uuid, coalesce(n.name, c.email, c.id::text),
    case when n.name <> c.email then c.email end
  from unnest(p_ids) with ordinality as i (id, position)
  join public.customers as c on c.workspace_id = p_workspace_id and c.id = i.id
  left join private.customer_names(p_workspace_id, p_ids) as n on n.customer_id = c.id
  order by i.position
$$;
comment on function private.customer_hits(uuid, uuid[]) is 'Customers as hits of a search, in this order.';

create or replace function private.find_history(p_workspace_id uuid, p_id uuid)
returns setof private.search_hit
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  if private.is_readable(p_workspace_id, array['events:read', 'customers:read']) then
    return query
    select 'event', e.id, null::uuid, coalesce(e.name, e.kind), private.rfc3339(e.received_at)
    from public.events as e
    where e.workspace_id = p_workspace_id and e.received_at = private.uuid_v7_time(p_id) and e.id = p_id;
  end if;
  if private.is_readable(p_workspace_id, array['deliveries:read', 'deliveries:write']) then
    return query
    select 'message', m.id, null::uuid, m.event_type, private.rfc3339(m.created_at)
    from public.webhook_messages as m
    where m.workspace_id = p_workspace_id and m.created_at = private.uuid_v7_time(p_id) and m.id = p_id;
  end if;
  if private.is_readable(p_workspace_id, array['deliveries:read', 'deliveries:write']) then
    return query
    select 'delivery', d.id, null::uuid, d.event_type, private.rfc3339(d.attempted_at)
    from public.deliveries as d
    where d.workspace_id = p_workspace_id and d.attempted_at = private.uuid_v7_time(p_id) and d.id = p_id;
  end if;
  if private.is_readable(p_workspace_id, array['sends:read', 'sends:write']) then
    return query
    select 'send', s.id, null::uuid, s.email, s.state
    from public.sends as s
    where s.workspace_id = p_workspace_id and s.queued_at = private.uuid_v7_time(p_id) and s.id = p_id;
  end if;
  if private.is_readable(p_workspace_id, array['journeys:read', 'journeys:write']) then
    return query
    select 'run', r.id, r.journey_id, j.name, r.state
    from public.journey_runs as r
    left join public.journeys as j on j.workspace_id = r.workspace_id and j.id = r.journey_id
    where r.workspace_id = p_workspace_id and r.id = p_id;
  end if;
  if private.is_readable(p_workspace_id, array['sources:read', 'sources:write']) then
    return query
    select 'receipt', r.id, r.source_id, r.outcome, private.rfc3339(r.received_at)
    from public.inbound_receipts as r
    where r.workspace_id = p_workspace_id
      and r.received_at = private.uuid_v7_time(p_id) and r.id = p_id;
  end if;
  if private.is_readable(p_workspace_id, array['events:read', 'track:write']) then
    return query
    select 'rejected_entry', r.id, null::uuid, r.error, private.rfc3339(r.rejected_at)
    from public.rejected_entries as r
    where r.workspace_id = p_workspace_id
      and r.rejected_at = private.uuid_v7_time(p_id) and r.id = p_id;
  end if;
end
$$;
comment on function private.find_history(uuid, uuid) is
  'The record of a workspace that has this id: an event, a message, a delivery, a send, a run, a receipt or a refused entry.';

create or replace function private.find_request(p_workspace_id uuid, p_id uuid)
returns setof private.search_hit
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  if private.is_readable(p_workspace_id, array['sources:read', 'sources:write']) then
    return query
    select 'receipt', r.id, r.source_id, r.outcome, private.rfc3339(r.received_at)
    from public.inbound_receipts as r
    where r.workspace_id = p_workspace_id and r.request_id = p_id
    limit 5;
  end if;
  if private.is_readable(p_workspace_id, array['events:read', 'track:write']) then
    return query
    select 'rejected_entry', r.id, null::uuid, r.error, private.rfc3339(r.rejected_at)
    from public.rejected_entries as r
    where r.workspace_id = p_workspace_id and r.request_id = p_id
    limit 5;
  end if;
  if p_workspace_id = private.acting_workspace_id('admin') then
    return query
    select 'audit_entry', a.id, null::uuid, a.action, private.rfc3339(a.created_at)
    from public.audit_log as a
    where a.workspace_id = p_workspace_id and a.request_id = p_id
    limit 5;
  end if;
end
$$;
comment on function private.find_request(uuid, uuid) is
  'The records of a request by its id: requests to sources, refused entries, and changes in the audit log.';

create or replace function private.find_named(p_workspace_id uuid, p_id uuid, p_part text)
returns setof private.search_hit
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_kind record;
begin
  for v_kind in
    select * from (
      values
        ('destination', 'destinations', 't.url', true, '{destinations:read,destinations:write}'),
        ('source', 'inbound_sources', 't.scheme', false, '{sources:read,sources:write}'),
        ('segment', 'segments', 't.key', true, '{segments:read,segments:write}'),
        ('journey', 'journeys', 't.key', true, '{journeys:read,journeys:write}'),
        ('campaign', 'campaigns', 't.state', false, '{campaigns:read,campaigns:write}'),
        ('template', 'templates', 't.key', true, '{templates:read,templates:write}'),
        ('topic', 'topics', 't.key', true, '{topics:read,topics:write}'),
        ('sender', 'senders', 't.from_address', true, '{senders:read,senders:write}'),
        ('alert_rule', 'alert_rules', 't.kind', false, '{alerts:read,alerts:write}')
    -- The subtitle is searched where it names the thing, too.
    ) as k (type, table_name, subtitle, is_name, scopes)
  loop
    continue when not private.is_readable(p_workspace_id, v_kind.scopes::text[]);
    return query execute format(
      'select %L, t.id, null::uuid, t.name, %s from public.%I as t
       where t.workspace_id = $1 and %s
       order by starts_with(lower(t.name), $3) desc, lower(t.name) using ~<~, t.id limit 5',
      v_kind.type, v_kind.subtitle, v_kind.table_name, case
        when p_id is not null then 't.id = $2'
        when v_kind.is_name then format(
          '(strpos(lower(t.name), $3) > 0 or strpos(lower(%s), $3) > 0)', v_kind.subtitle
        )
        else 'strpos(lower(t.name), $3) > 0'
      end
    ) using p_workspace_id, p_id, lower(p_part);
  end loop;
end
$$;
comment on function private.find_named(uuid, uuid, text) is
  'Things that have a name, by their id, or up to five of each kind by a part of the name, key, endpoint or address, those whose name begins with it first.';

create or replace function private.search(p_workspace_id uuid, p_q text)
returns setof private.search_hit
language plpgsql
stable
-- Definer: under a policy, lower() cannot use an index. Each kind checks the caller's right to read.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
declare
  v_id uuid := case
    when p_q ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_q::uuid
  end;
begin
  return query
  select h.* from private.customer_hits(p_workspace_id, array(
    select private.search_customers(p_workspace_id, p_q, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 8)
  )) as h;
  return query select h.* from private.find_named(p_workspace_id, v_id, p_q) as h;
  if v_id is null then
    if private.is_readable(p_workspace_id, array['events:read']) then
      return query
      select 'event_name', null::uuid, null::uuid, n.name,
        n.events || case n.events when 1 then ' event' else ' events' end
      from public.event_names as n
      where n.workspace_id = p_workspace_id
        and strpos(lower(n.name), lower(p_q)) > 0
      order by starts_with(lower(n.name), lower(p_q)) desc, lower(n.name) using ~<~
      limit 5;
    end if;
    return;
  end if;
  return query select h.* from private.find_history(p_workspace_id, v_id) as h;
  return query select h.* from private.find_request(p_workspace_id, v_id) as h;
  return query
  select 'alert', a.id, null::uuid, private.describe_alert(a), private.rfc3339(a.opened_at)
  from public.alerts as a
  where a.workspace_id = p_workspace_id and a.id = v_id
    and private.is_readable(p_workspace_id, array['alerts:read', 'alerts:write']);
  return query
  select h.* from private.customer_hits(p_workspace_id, array(
    select m.customer_id from public.customer_merges as m
    where m.workspace_id = p_workspace_id and m.merged_customer_id = v_id
      and private.is_readable(p_workspace_id, array['customers:read', 'customers:write'])
    limit 1
  )) as h;
end
$$;
comment on function private.search(uuid, text) is
  'Everything of the workspace that the caller may read and that has this id or request id, whose name has this part, or whose name, address or id of a customer begins with it.';
grant execute on function private.search(uuid, text) to signalpost_user, signalpost_key;
