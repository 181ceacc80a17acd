-- Purpose: partitions by time, created ahead and dropped when their time is over.
-- Locks:   creating a partition locks the default one, dropping one locks its parent. Each waits for
--          50 ms at most, because all others wait behind it, and leaves the rest to the next
--          hour. Drops end 50 ms after the first lock, which is held until the run commits.
-- Risk:    each parent keeps a default partition, so no insert fails for lack of a partition; rows
--          that landed there are moved into the partition created for them.

create or replace function private.partition_column(p_table text)
returns text
language sql
stable
security invoker
set search_path = ''
as $$
  select a.attname
  from pg_catalog.pg_partitioned_table as t
  join pg_catalog.pg_attribute as a on a.attrelid = t.partrelid and a.attnum = t.partattrs[0]
  where t.partrelid = format('public.%I', p_table)::regclass
$$;
comment on function private.partition_column(text) is
  'The column that public.<p_table> is partitioned by.';

create or replace function private.create_partition(p_table text, p_from timestamptz, p_to timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_name text := format('%s_%s', p_table, to_char(p_from at time zone 'UTC', 'YYYYMMDD'));
  v_default text := p_table || '_default';
  v_column text := private.partition_column(p_table);
  v_hint record;
begin
  if to_regclass(format('private.%I', v_name)) is not null then
    return;
  end if;
  -- Attaching takes this lock anyway. Taken now, no row can arrive between move and attachment.
  execute format('lock table private.%I in access exclusive mode', v_default);
  execute format('create table private.%I (like public.%I including all)', v_name, p_table);
  execute format('alter table private.%I enable row level security', v_name);
  -- Planner options of a column are the only thing that is not copied.
  for v_hint in
    select a.attname as name, array_to_string(a.attoptions, ', ') as options
    from pg_catalog.pg_attribute as a
    where a.attrelid = format('public.%I', p_table)::regclass and a.attoptions is not null
  loop
    execute format(
      'alter table private.%I alter column %I set (%s)', v_name, v_hint.name, v_hint.options
    );
  end loop;
  execute format(
    'with moved as (delete from private.%I where %I >= %L and %I < %L returning *)
     insert into private.%I select * from moved',
    v_default, v_column, p_from, v_column, p_to, v_name
  );
  execute format(
    'alter table public.%I attach partition private.%I for values from (%L) to (%L)',
    p_table, v_name, p_from, p_to
  );
end
$$;
comment on function private.create_partition(text, timestamptz, timestamptz) is
  'Creates the partition of public.<p_table> for [p_from, p_to) unless it exists, and moves rows of the default partition into it.';

create or replace function private.has_locked_tables()
returns boolean
language sql
stable
security invoker
set search_path = ''
as $$
  select exists (
    select from pg_catalog.pg_locks as l
    where l.pid = pg_backend_pid() and l.locktype = 'relation' and l.mode = 'AccessExclusiveLock'
      and l.granted
  )
$$;
comment on function private.has_locked_tables() is
  'True if the transaction holds a table that all others wait for, as after partition work.';

create or replace function private.ensure_partitions(p_at timestamptz default now())
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set timezone = 'UTC'
set lock_timeout = '50ms'
as $$
declare
  v_policy private.partition_policies;
  v_step interval;
  v_from timestamptz;
begin
  -- Two runs at once would create the same partition twice.
  if not pg_try_advisory_xact_lock(hashtextextended('signalpost.partitions', 0)) then
    return;
  end if;
  for v_policy in select * from private.partition_policies order by table_name loop
    v_step := ('1 ' || v_policy.step)::interval;
    v_from := date_trunc(v_policy.step, p_at);
    for v_index in 0 .. v_policy.ahead loop
      begin
        perform private.create_partition(
          v_policy.table_name, v_from + v_index * v_step, v_from + (v_index + 1) * v_step
        );
      exception when lock_not_available or deadlock_detected then
        raise warning 'Cannot create a partition of "%": it is in use, the next hourly run tries again',
          v_policy.table_name;
      end;
    end loop;
  end loop;
end
$$;
comment on function private.ensure_partitions(timestamptz) is
  'Creates the partitions around p_at and ahead of it for every table of private.partition_policies.';

create or replace function private.drop_expired_partitions(p_at timestamptz default now())
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
set timezone = 'UTC'
set lock_timeout = '50ms'
as $$
declare
  v_patience interval := current_setting('lock_timeout')::interval;
  v_ends_at timestamptz;
  v_expired record;
  v_dropped integer := 0;
begin
  for v_expired in
    select p.table_name, c.relname as name, p.table_name = 'webhook_messages' as is_queued, e.ends_at
    from private.partition_policies as p
    join pg_catalog.pg_inherits as i on i.inhparent = format('public.%I', p.table_name)::regclass
    join pg_catalog.pg_class as c on c.oid = i.inhrelid
    cross join lateral (
      select case when c.relname ~ ('^' || p.table_name || '_[0-9]{8}$') then
        to_date(right(c.relname, 8), 'YYYYMMDD') + ('1 ' || p.step)::interval
      end as ends_at
    ) as e
    where e.ends_at <= p_at - p.keep
    order by c.relname
  loop
    -- A message stays as long as it is still to be sent, even if it has expired.
    continue when v_expired.is_queued and private.is_any_queued_before(v_expired.ends_at);
    exit when clock_timestamp() >= v_ends_at;
    perform set_config('lock_timeout', (
      ceil(extract(epoch from coalesce(v_ends_at - clock_timestamp(), v_patience)) * 1000) || 'ms'
    ), true);
    begin
      execute format('lock table only public.%I in access exclusive mode', v_expired.table_name);
      v_ends_at := coalesce(v_ends_at, clock_timestamp() + v_patience);
      -- One may have been replayed before this lock was taken.
      continue when v_expired.is_queued and private.is_any_queued_before(v_expired.ends_at);
      execute format('drop table if exists private.%I', v_expired.name);
      v_dropped := v_dropped + 1;
    exception when lock_not_available or deadlock_detected then
      raise warning 'Cannot drop partition "%": it is in use, the next hourly run tries again',
        v_expired.name;
    end;
  end loop;
  return v_dropped;
end
$$;
comment on function private.drop_expired_partitions(timestamptz) is
  'Drops partitions whose whole time is older than their policy keeps, but keeps messages that are still to be sent. Returns the number dropped.';

create or replace function private.delete_expired_rows(
  p_limit integer default 10000,
  p_at timestamptz default now()
)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_policy private.partition_policies;
  v_count integer;
  v_forgotten integer := 0;
begin
  for v_policy in select p.* from private.partition_policies as p where p.keep is not null loop
    continue when v_policy.table_name = 'webhook_messages'
      and private.is_any_queued_before(p_at - v_policy.keep);
    execute format(
      'delete from private.%1$I where ctid = any (array(
         select ctid from private.%1$I where %2$I < $1 limit $2
       ))',
      v_policy.table_name || '_default', private.partition_column(v_policy.table_name)
    ) using p_at - v_policy.keep, p_limit;
    get diagnostics v_count = row_count;
    v_forgotten := v_forgotten + v_count;
  end loop;
  return v_forgotten;
end
$$;
comment on function private.delete_expired_rows(integer, timestamptz) is
  'Deletes up to p_limit rows of each default partition that are older than their policy keeps, and returns the number deleted. Such rows come from a time when no partitions were created.';
