-- Purpose: what is left of erased customers and workspaces goes in batches, by the sweep.
-- Locks:   an advisory one, so that one worker is at it at a time, and the rows of a batch.
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
  delete from private.fan_outs as f
  where f.workspace_id = p_erasure.workspace_id and f.message_id = any (v_message_ids);
  return coalesce(cardinality(v_message_ids), 0);
end
$$;
comment on function private.erase_bodies(private.erasures, integer) is
  'Erases up to p_limit bodies of messages about an erased customer, and what was not yet sent of them; returns how many.';

create function private.erase_keys(p_workspace_id uuid, p_limit integer, p_now timestamptz)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  -- One scan at a time for all who are here: those who come later share the next.
  v_place text := (
    select max(e.place)
    from private.erasures as e
    where e.workspace_id = p_workspace_id and e.step = 'keys'
  );
  v_seen integer;
  v_next text;
begin
  -- In pages by key: an index by customer would cost every call that sends a key.
  with page as materialized (
    select k.key, k.customer_id
    from private.idempotency_keys as k
    where k.workspace_id = p_workspace_id and k.key > v_place
    order by k.key
    limit p_limit
  ),
  gone as (
    delete from private.idempotency_keys as k
    using page as p
    where k.workspace_id = p_workspace_id and k.key = p.key
      and p.customer_id in (
        select unnest(e.customer_ids)
        from private.erasures as e
        where e.workspace_id = p_workspace_id and e.step = 'keys' and e.place = v_place
      )
  )
  select count(*), max(p.key) into v_seen, v_next from page as p;
  update private.erasures as e
  set
    step = case when v_seen < p_limit then 'farewell' else e.step end,
    place = case when v_seen < p_limit then '' else v_next end,
    due_at = p_now
  where e.workspace_id = p_workspace_id and e.step = 'keys' and e.place = v_place;
  return v_seen;
end
$$;
comment on function private.erase_keys(uuid, integer, timestamptz) is
  'Looks through the next p_limit idempotency keys for those of every erased customer of the workspace who has come to this step, and moves them on; returns how many keys.';

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
      -- For the planner, which prunes partitions by it: a host's clock may be behind the database's.
      and d.attempted_at >= private.attempts_start(m.created_at) and d.response_snippet is not null
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

create function private.is_awaited(p_workspace_id uuid, p_message_id uuid)
returns boolean
language sql
stable
security invoker
set search_path = ''
as $$
  select exists (
    select
    from public.destinations as d
    left join private.webhook_queue as q
      on q.workspace_id = d.workspace_id and q.destination_id = d.id
      and q.message_id = p_message_id
    left join public.missed_messages as m
      on m.workspace_id = d.workspace_id and m.destination_id = d.id
      and m.message_created_at = private.uuid_v7_time(p_message_id)
      and m.message_id = p_message_id
    where d.workspace_id = p_workspace_id
      and (q.message_id is not null or m.message_id is not null)
  ) or exists (
    select from private.fan_outs as f
    where f.workspace_id = p_workspace_id and f.message_id = p_message_id
  )
$$;
comment on function private.is_awaited(uuid, uuid) is
  'Whether a destination waits for the message or could recover it.';

create function private.farewell_due_at(p_created_at timestamptz, p_now timestamptz)
returns timestamptz
language sql
immutable
security invoker
set search_path = ''
as $$
  -- Those of a disabled destination may wait for a month.
  select p_now + least(interval '1 hour', greatest(interval '1 minute', (p_now - p_created_at) / 4))
$$;
comment on function private.farewell_due_at(timestamptz, timestamptz) is
  'When to look again whether the news of an erasure was delivered: in a minute, and in an hour when it has waited for long.';

create function private.postpone_farewells(p_limit integer, p_now timestamptz)
returns integer
language sql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  with due as materialized (
    select e.workspace_id, e.id
    from private.erasures as e
    where e.due_at <= p_now and e.step = 'farewell'
    order by e.due_at
    limit p_limit
  ),
  postponed as (
    update private.erasures as e
    set due_at = private.farewell_due_at(e.created_at, p_now)
    from due as d
    where e.workspace_id = d.workspace_id and e.id = d.id
      and private.is_awaited(e.workspace_id, e.farewell_id)
    returning 1
  )
  select count(*)::integer from postponed
$$;
comment on function private.postpone_farewells(integer, timestamptz) is
  'Looks at up to p_limit erasures whose news is on its way, all at once, so that those which wait take no turn from others; returns how many wait on.';

create function private.erase_farewell(p_erasure private.erasures)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if private.is_awaited(p_erasure.workspace_id, p_erasure.farewell_id) then
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
      v_count := private.erase_bodies(p_erasure, p_limit)
        + private.erase_receipts(p_erasure.workspace_id, p_erasure.customer_ids, p_limit);
      v_next := 'snippets';
    when 'snippets' then
      -- Once more: a receipt is recorded after its entries.
      v_count := private.erase_snippets(p_erasure, p_limit)
        + private.erase_receipts(p_erasure.workspace_id, p_erasure.customer_ids, p_limit);
      v_next := 'entries';
    when 'entries' then
      select e.seen, e.place into v_count, v_place
      from private.erase_rejected_entries(p_erasure, p_limit) as e;
      v_next := 'keys';
    when 'keys' then
      -- Moves this one on itself, along with those it looks for.
      return greatest(1, private.erase_keys(p_erasure.workspace_id, p_limit, p_now));
    when 'farewell' then
      if p_erasure.farewell_id is null or private.erase_farewell(p_erasure) then
        delete from private.erasures as e
        where e.workspace_id = p_erasure.workspace_id and e.id = p_erasure.id;
      end if;
  end case;
  update private.erasures as e
  set
    step = case when v_count < p_limit then coalesce(v_next, e.step) else e.step end,
    place = case when v_count < p_limit then '' else v_place end,
    -- A farewell may wait for a month, and what it was about must not wait with it.
    traces = case when v_count < p_limit and v_next = 'keys' then '{}' else e.traces end,
    due_at = case
      when e.step = 'farewell' then private.farewell_due_at(e.created_at, p_now)
      -- What was being sent is logged within a minute, and what was being received.
      when v_count < p_limit and v_next = 'snippets' then p_now + interval '1 minute'
      else p_now
    end
  where e.workspace_id = p_erasure.workspace_id and e.id = p_erasure.id;
  return greatest(1, v_count);
end
$$;
comment on function private.work_erasure(private.erasures, integer, timestamptz) is
  'Works one batch of an erasure, and puts it behind all others of its workspace that are due; returns how many rows, 1 at least.';

create function private.take_turn(p_workspace_id uuid, p_limit integer, p_now timestamptz)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_erasure private.erasures;
  v_id uuid := (
    select e.id
    from private.erasures as e
    where e.workspace_id = p_workspace_id and e.due_at <= p_now
    order by e.due_at, e.id
    limit 1
  );
  v_count integer := 0;
begin
  while v_count < p_limit loop
    select * into v_erasure
    from private.erasures as e
    where e.workspace_id = p_workspace_id and e.id = v_id and e.due_at <= p_now;
    exit when not found;
    begin
      v_count := v_count + private.work_erasure(v_erasure, p_limit - v_count, p_now);
    exception when others then
      -- One that cannot go on must not hold up those behind it.
      raise warning 'Cannot go on with erasure "%": %', v_id, sqlerrm;
      update private.erasures as e set due_at = p_now + interval '1 minute'
      where e.workspace_id = p_workspace_id and e.id = v_id;
      v_count := v_count + 1;
    end;
  end loop;
  return v_count;
end
$$;
comment on function private.take_turn(uuid, integer, timestamptz) is
  'Works on the erasure of a workspace that has been due the longest, step after step, until it has to wait or p_limit rows are done; returns how many.';

create function private.work_erasures(
  p_limit integer default 5000,
  p_now timestamptz default clock_timestamp(),
  p_until timestamptz default 'infinity'
)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_workspace_id uuid;
  v_count integer := 0;
begin
  -- Two at once would look for the same keys.
  if not pg_try_advisory_xact_lock(hashtextextended('signalpost.erasures', 0)) then
    return 0;
  end if;
  -- At random: where there are more than the time is enough for, nobody is always the last.
  for v_workspace_id in
    select e.workspace_id
    from private.erasures as e
    where e.due_at <= p_now
    group by e.workspace_id
    order by random()
  loop
    exit when v_count > 0 and clock_timestamp() >= p_until;
    v_count := v_count + private.take_turn(v_workspace_id, p_limit, p_now);
  end loop;
  return v_count;
end
$$;
comment on function private.work_erasures(integer, timestamptz, timestamptz) is
  'Gives every workspace with an erasure that is due a turn of p_limit rows, as far as the time until p_until goes; returns how many rows, 0 when nothing is due. Each sweep calls it.';
