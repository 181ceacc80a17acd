-- Purpose: runs the tasks of private.periodic_tasks.
-- Locks:   those of each task. All are held until the end of the run, so tasks whose locks others
--          wait for have the last positions.

create or replace function private.run_task(
  p_task private.periodic_tasks,
  p_now timestamptz,
  p_until timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set jit = 'off'
as $$
declare
  v_count integer;
begin
  if p_task.batch_size is null then
    execute 'select ' || p_task.call using null::integer, p_now, p_until;
    return;
  end if;
  -- A few batches: what is left is there for the next run.
  for v_round in 1 .. p_task.max_batches loop
    execute 'select ' || p_task.call into v_count using p_task.batch_size, p_now, p_until;
    exit when v_count < p_task.batch_size;
  end loop;
exception when sqlstate 'SP503' then
  -- It met a workspace that is being moved to another cell; the other tasks must still run.
  raise warning 'Cannot finish task "%": %', p_task.name, sqlerrm;
end
$$;
comment on function private.run_task(private.periodic_tasks, timestamptz, timestamptz) is
  'Runs a periodic task. Leaves work that a move of a workspace prevents to the next run.';

create or replace function private.run_tasks(
  p_every interval,
  p_now timestamptz default clock_timestamp()
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set jit = 'off'
as $$
declare
  -- Time enough for the batch that runs then: the local stack gives a statement 10 s.
  v_until timestamptz := clock_timestamp() + interval '4 seconds';
  v_task private.periodic_tasks;
begin
  for v_task in
    select t.* from private.periodic_tasks as t where t.every = p_every order by t.position
  loop
    perform private.run_task(v_task, p_now, v_until);
  end loop;
end
$$;
comment on function private.run_tasks(interval, timestamptz) is
  'Runs the periodic tasks of an interval, in the order of their positions.';

create or replace function private.run_frequent_tasks(p_now timestamptz default clock_timestamp())
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set jit = 'off'
as $$
begin
  perform private.run_tasks('10 seconds', p_now);
end
$$;
comment on function private.run_frequent_tasks(timestamptz) is
  'Runs the tasks that are due every 10 seconds: adds up usage, deletes expired keys and tokens, works on erasures. pg_cron and the local stack call it.';

create or replace function ops.run_hourly_tasks(p_now timestamptz default clock_timestamp())
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set jit = 'off'
as $$
begin
  -- Two at once would wait for each other on the partitions.
  if pg_try_advisory_xact_lock(hashtextextended('signalpost.partitions', 0)) then
    perform private.run_tasks('1 hour', p_now);
  end if;
end
$$;
comment on function ops.run_hourly_tasks(timestamptz) is
  'Runs the tasks that are due every hour: partitions, expired rows, lanes. pg_cron and the local stack call it. It is safe to call at any time.';
