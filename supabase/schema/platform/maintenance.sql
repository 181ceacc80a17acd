-- Purpose: periodic work of the database.
-- Locks:   those of each task; locks that others wait for are taken last.

create or replace function ops.maintain(p_now timestamptz default clock_timestamp())
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

create or replace function private.sweep(p_now timestamptz default clock_timestamp())
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
