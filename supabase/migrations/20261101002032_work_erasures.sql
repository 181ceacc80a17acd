-- Purpose: what is left of erased customers and workspaces goes in batches, by the sweep.
-- Locks:   the rows of one batch, and the row of its erasure, which other workers pass over.
-- Risk:    none.
-- Undo:    drop the functions.

create function private.erase_events(p_erasure private.erasures, p_limit integer)
returns integer
language sql
volatile
security invoker
set search_path = ''
as $$
  with doomed as materialized (
    select e.received_at, e.id
    from public.events as e
    where e.workspace_id = p_erasure.workspace_id and e.identity_id = any (p_erasure.identity_ids)
    limit p_limit
  ),
  gone as (
    delete from public.events as e
    using doomed as d
    where e.workspace_id = p_erasure.workspace_id and e.received_at = d.received_at and e.id = d.id
    returning 1
  )
  select count(*)::integer from gone
$$;
comment on function private.erase_events(private.erasures, integer) is
  'Deletes up to p_limit events of an erased customer; returns how many.';

create function private.erase_bodies(p_erasure private.erasures, p_limit integer)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_message_ids uuid[];
begin
  with doomed as materialized (
    select m.created_at, m.id
    from public.webhook_messages as m
    where m.workspace_id = p_erasure.workspace_id and m.customer_id = any (p_erasure.customer_ids)
      and m.body is not null
    limit p_limit
  ),
  erased as (
    update public.webhook_messages as m
    set body = null
    from doomed as d
    where m.workspace_id = p_erasure.workspace_id and m.created_at = d.created_at and m.id = d.id
    returning m.id
  )
  select array_agg(e.id) into v_message_ids from erased as e;
  -- What a dispatcher holds right now is on its way; the rest is not sent any more.
  delete from private.webhook_queue as q
  using public.destinations as d
  where d.workspace_id = p_erasure.workspace_id
    and q.workspace_id = d.workspace_id and q.destination_id = d.id
    and q.message_id = any (v_message_ids)
    and q.claim is null;
  return coalesce(cardinality(v_message_ids), 0);
end
$$;
comment on function private.erase_bodies(private.erasures, integer) is
  'Erases up to p_limit bodies of messages about an erased customer, and what was not yet sent of them; returns how many.';

create function private.erase_keys(
  p_erasure private.erasures,
  p_limit integer,
  out seen integer,
  out place text
)
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- In pages by key: an index by customer would cost every call that sends a key.
  with page as materialized (
    select k.key, k.customer_id
    from private.idempotency_keys as k
    where k.workspace_id = p_erasure.workspace_id and k.key > p_erasure.place
    order by k.key
    limit p_limit
  ),
  gone as (
    delete from private.idempotency_keys as k
    using page as p
    where k.workspace_id = p_erasure.workspace_id and k.key = p.key
      and p.customer_id = any (p_erasure.customer_ids)
  )
  select count(*), coalesce(max(p.key), p_erasure.place)
  into seen, place
  from page as p;
end
$$;
comment on function private.erase_keys(private.erasures, integer) is
  'Looks through up to p_limit idempotency keys behind the place for those of an erased customer; returns how many were seen, and where to go on.';

create function private.erase_snippets(p_erasure private.erasures, p_limit integer)
returns integer
language sql
volatile
security invoker
set search_path = ''
as $$
  with doomed as materialized (
    select m.created_at, m.id
    from public.webhook_messages as m
    where m.workspace_id = p_erasure.workspace_id and m.customer_id = any (p_erasure.customer_ids)
    limit p_limit
  ),
  -- A receiver may have answered with what it was sent.
  forgotten as (
    update public.deliveries as d
    set response_snippet = null
    from doomed as m
    where d.workspace_id = p_erasure.workspace_id and d.message_id = m.id
      and d.attempted_at >= m.created_at and d.response_snippet is not null
  ),
  unlinked as (
    update public.webhook_messages as m
    set body = null, customer_id = null
    from doomed as d
    where m.workspace_id = p_erasure.workspace_id and m.created_at = d.created_at and m.id = d.id
    returning 1
  )
  select count(*)::integer from unlinked
$$;
comment on function private.erase_snippets(private.erasures, integer) is
  'Erases the answers to up to p_limit messages about an erased customer, and that they were about them; returns how many.';

create function private.erase_farewell(p_erasure private.erasures)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if exists (
    select
    from public.destinations as d
    left join private.webhook_queue as q
      on q.workspace_id = d.workspace_id and q.destination_id = d.id
      and q.message_id = p_erasure.farewell_id
    left join public.missed_messages as m
      on m.workspace_id = d.workspace_id and m.destination_id = d.id
      and m.message_created_at = private.uuid_v7_time(p_erasure.farewell_id)
      and m.message_id = p_erasure.farewell_id
    where d.workspace_id = p_erasure.workspace_id
      and (q.message_id is not null or m.message_id is not null)
  ) then
    return false;
  end if;
  update public.webhook_messages as m
  set body = null
  where m.workspace_id = p_erasure.workspace_id and m.id = p_erasure.farewell_id
    and m.created_at = private.uuid_v7_time(p_erasure.farewell_id);
  update public.deliveries as d
  set response_snippet = null
  where d.workspace_id = p_erasure.workspace_id and d.message_id = p_erasure.farewell_id;
  return true;
end
$$;
comment on function private.erase_farewell(private.erasures) is
  'Erases the message that told of the deletion once no destination waits for it or could recover it; whether that was so.';

create function private.work_erasure(
  p_erasure private.erasures,
  p_limit integer,
  p_now timestamptz
)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_count integer := 0;
  v_place text := p_erasure.place;
  v_next text;
begin
  case p_erasure.step
    when 'workspace' then
      v_count := private.erase_tenant_rows(p_erasure.workspace_id, p_limit);
    when 'events' then
      v_count := private.erase_events(p_erasure, p_limit);
      v_next := 'bodies';
    when 'bodies' then
      v_count := private.erase_bodies(p_erasure, p_limit);
      v_next := 'entries';
    when 'entries' then
      select e.seen, e.place into v_count, v_place
      from private.erase_rejected_entries(p_erasure, p_limit) as e;
      v_next := 'keys';
    when 'keys' then
      select k.seen, k.place into v_count, v_place
      from private.erase_keys(p_erasure, p_limit) as k;
      v_next := 'snippets';
    when 'snippets' then
      v_count := private.erase_snippets(p_erasure, p_limit);
      v_next := 'farewell';
    when 'farewell' then
      if p_erasure.farewell_id is null or private.erase_farewell(p_erasure) then
        delete from private.erasures as e
        where e.workspace_id = p_erasure.workspace_id and e.id = p_erasure.id;
      end if;
  end case;
  if v_count < p_limit and v_next = 'entries' then
    perform private.erase_receipts(p_erasure.workspace_id, p_erasure.customer_ids);
  end if;
  update private.erasures as e
  set
    step = case when v_count < p_limit then coalesce(v_next, e.step) else e.step end,
    place = case when v_count < p_limit then '' else v_place end,
    -- A farewell may wait for a month, and what it was about must not wait with it.
    traces = case when v_count < p_limit and v_next = 'farewell' then '{}' else e.traces end,
    -- What was being sent is logged within a minute; a farewell is looked after once a minute.
    due_at = case
      when v_count < p_limit and v_next = 'snippets' or e.step = 'farewell'
      then p_now + interval '1 minute'
      else p_now
    end
  where e.workspace_id = p_erasure.workspace_id and e.id = p_erasure.id;
  return greatest(1, v_count);
end
$$;
comment on function private.work_erasure(private.erasures, integer, timestamptz) is
  'Works one batch of an erasure, and puts it behind all others that are due; returns how many rows, 1 at least.';

create function private.work_erasures(
  p_limit integer default 5000,
  p_now timestamptz default clock_timestamp()
)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_erasure private.erasures;
begin
  select * into v_erasure
  from private.erasures as e
  where e.due_at <= p_now
  order by e.due_at
  limit 1
  for update skip locked;
  if not found then
    return 0;
  end if;
  begin
    return private.work_erasure(v_erasure, p_limit, p_now);
  exception when others then
    -- One that cannot go on must not hold up those behind it.
    raise warning 'Cannot go on with erasure "%": %', v_erasure.id, sqlerrm;
    update private.erasures as e set due_at = p_now + interval '1 minute'
    where e.workspace_id = v_erasure.workspace_id and e.id = v_erasure.id;
    return 1;
  end;
end
$$;
comment on function private.work_erasures(integer, timestamptz) is
  'Works one batch of the erasure that has been due the longest; returns 0 when none is due. Each sweep calls it.';
