-- Purpose: erased customers and workspaces go in batches, step by step.
-- Locks:   an advisory one, so that one worker is at it at a time, and the rows of a batch.

create or replace function private.work_erasure(
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

create or replace function private.take_turn(p_workspace_id uuid, p_limit integer, p_now timestamptz)
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

create or replace function private.work_erasures(
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
