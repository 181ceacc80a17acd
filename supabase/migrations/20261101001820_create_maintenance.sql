-- Purpose: the chores of the database: partitions, leftovers, and lanes that passed rows over.
-- Locks:   as each chore says; those that others wait for are taken last.
-- Risk:    none.
-- Undo:    drop the functions.

create function private.purge_queue(
  p_limit integer default 10000,
  p_now timestamptz default clock_timestamp()
)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_keep interval := (
    select p.keep from private.partition_policies as p where p.table_name = 'webhook_messages'
  );
  v_purged integer;
begin
  with dead as (
    select q.workspace_id, q.destination_id, q.message_id
    from private.lanes as l
    join private.webhook_queue as q on q.destination_id = l.destination_id
    left join public.destinations as d
      on d.workspace_id = l.workspace_id and d.id = l.destination_id
    -- Those of enabled lanes are found out when they are claimed.
    where not l.is_enabled and q.claim is null
      and (d.id is null or q.message_created_at < p_now - v_keep)
    limit p_limit
    for update of q skip locked
  )
  delete from private.webhook_queue as q
  using dead as d
  where q.workspace_id = d.workspace_id and q.destination_id = d.destination_id
    and q.message_id = d.message_id;
  get diagnostics v_purged = row_count;

  delete from private.lanes as l
  where not l.is_enabled and l.in_flight = 0
    and not exists (select from public.destinations as d where d.workspace_id = l.workspace_id and d.id = l.destination_id)
    and not exists (select from private.webhook_queue as q where q.destination_id = l.destination_id);
  return v_purged;
end
$$;
comment on function private.purge_queue(integer, timestamptz) is
  'Deletes up to p_limit rows that will never be sent: of deleted destinations, and of disabled ones whose message is no longer kept; returns how many.';

create function private.repair_lanes()
returns integer
language sql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  -- Only what is to be repaired is locked: a claim passes over a lane that somebody holds.
  with passed_over as (
    select l.workspace_id, l.destination_id, w.due_at, w.manual_due_at
    from private.lanes as l
    cross join lateral (
      select
        (
          select min(q.due_at) from private.webhook_queue as q
          where q.destination_id = l.destination_id and not q.is_manual and q.claim is null
        ) as due_at,
        (
          select min(q.due_at) from private.webhook_queue as q
          where q.destination_id = l.destination_id and q.is_manual and q.claim is null
        ) as manual_due_at
    ) as w
    where coalesce(l.due_at, 'infinity') > w.due_at
      or coalesce(l.manual_due_at, 'infinity') > w.manual_due_at
    order by l.destination_id
    for update of l skip locked
  ),
  repaired as (
    update private.lanes as l
    set
      due_at = least(l.due_at, p.due_at),
      manual_due_at = least(l.manual_due_at, p.manual_due_at)
    from passed_over as p
    where l.workspace_id = p.workspace_id and l.destination_id = p.destination_id
    returning 1
  )
  select count(*)::integer from repaired
$$;
comment on function private.repair_lanes() is
  'Marks lanes as due whose rows were passed over, as when a transaction that held them was rolled back; returns how many.';

create function ops.maintain(p_now timestamptz default clock_timestamp())
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set jit = 'off'
as $$
begin
  -- Two at once would wait for each other on the partitions.
  if not pg_try_advisory_xact_lock(hashtextextended('signalpost.partitions', 0)) then
    return;
  end if;
  -- All locks are held until the end, so what others wait for comes last. What is left over after
  -- these rounds is there for the next maintenance.
  for v_round in 1 .. 20 loop
    exit when private.purge_queue(10000, p_now) = 0;
  end loop;
  for v_round in 1 .. 20 loop
    exit when private.forget_delivery_totals(10000, p_now) + private.forget_usage(10000, p_now) = 0;
  end loop;
  for v_round in 1 .. 20 loop
    exit when private.forget_expired_rows(10000, p_now) = 0;
  end loop;
  perform private.forget_secrets(p_now);
  perform private.close_default_privileges();
  -- Only a dispatcher knows which encryption key is current, and so what it has to encrypt anew.
  perform private.send_wake(true);
  perform private.ensure_partitions(p_now);
  perform private.drop_expired_partitions(p_now);
  perform private.repair_lanes();
end
$$;
comment on function ops.maintain(timestamptz) is
  'All chores of the database. Called every hour by pg_cron, and by the local stack; safe at any time.';

create function private.wake_if_due(
  p_now timestamptz default clock_timestamp(),
  p_is_ending boolean default false
)
returns boolean
language plpgsql
volatile
-- Definer: a dispatcher whose time is up calls the next one.
security definer
set search_path = ''
set jit = 'off'
as $$
begin
  if p_is_ending then
    update private.dispatch_state as s set watched_until = '-infinity';
  end if;
  if private.next_ready_at(p_now) <= p_now then
    perform private.send_wake(
      -- The dispatcher at work is behind with what nobody has taken for so long: one more helps.
      p_is_ending or exists (
        select from private.lanes as l
        where l.is_waiting and l.ready_at < p_now - interval '2 seconds'
      )
    );
    return true;
  end if;
  return false;
end
$$;
comment on function private.wake_if_due(timestamptz, boolean) is
  'Wakes a dispatcher when there is work for one now; returns whether there is. p_is_ending: the caller is a dispatcher that looks no more.';
grant execute on function private.wake_if_due(timestamptz, boolean) to signalpost_dispatch;

create function private.sweep(p_now timestamptz default clock_timestamp())
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set jit = 'off'
as $$
declare
  -- Time enough for the batch under way then: the local stack gives a statement 10 s.
  v_until timestamptz := clock_timestamp() + interval '4 seconds';
begin
  -- A few batches each: the next sweep is due in 10 s.
  for v_round in 1 .. 5 loop
    exit when private.fold_usage(20000) < 20000;
  end loop;
  for v_round in 1 .. 10 loop
    exit when private.forget_idempotency_keys(10000) < 10000;
  end loop;
  for v_round in 1 .. 10 loop
    exit when private.forget_idempotent_requests(10000, p_now) < 10000;
  end loop;
  for v_round in 1 .. 10 loop
    exit when private.forget_inbound_tokens(10000) < 10000;
  end loop;
  perform private.postpone_farewells(1000, p_now);
  loop
    exit when private.work_erasures(5000, p_now, v_until) = 0 or clock_timestamp() >= v_until;
  end loop;
end
$$;
comment on function private.sweep(timestamptz) is
  'Folds usage, forgets idempotency keys, the answers to them and used tokens, works on erasures. Called every 10 s by pg_cron, and by the local stack.';
