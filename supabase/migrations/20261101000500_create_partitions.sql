-- Purpose: partitions by time, made ahead and dropped when their time is over.
-- Locks:   attaching takes share update exclusive on the parent; dropping waits 2 s at most.
-- Risk:    each parent keeps a default partition, so that no insert fails for want of one;
--          rows that landed there are moved into the partition made for them.
-- Undo:    drop private.partition_policies and the functions.

create table private.partition_policies (
  table_name text primary key,
  step text not null check (step in ('day', 'month')),
  ahead integer not null check (ahead between 1 and 60),
  keep interval
);
comment on table private.partition_policies is
  'Per partitioned table of public: width of a partition, how many are made ahead, how long they are kept (null: for ever).';
alter table private.partition_policies enable row level security;

create function private.create_partition(p_table text, p_from timestamptz, p_to timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_name text := format('%s_%s', p_table, to_char(p_from at time zone 'UTC', 'YYYYMMDD'));
  v_default text := p_table || '_default';
  v_column text;
  v_hint record;
begin
  if to_regclass(format('private.%I', v_name)) is not null then
    return;
  end if;
  select a.attname into strict v_column
  from pg_catalog.pg_partitioned_table as t
  join pg_catalog.pg_attribute as a on a.attrelid = t.partrelid and a.attnum = t.partattrs[0]
  where t.partrelid = format('public.%I', p_table)::regclass;

  execute format('create table private.%I (like public.%I including all)', v_name, p_table);
  execute format('alter table private.%I enable row level security', v_name);
  -- What the planner is told of a column is the one thing that is not copied.
  for v_hint in
    select a.attname as name, array_to_string(a.attoptions, ', ') as options
    from pg_catalog.pg_attribute as a
    where a.attrelid = format('public.%I', p_table)::regclass and a.attoptions is not null
  loop
    execute format(
      'alter table private.%I alter column %I set (%s)', v_name, v_hint.name, v_hint.options
    );
  end loop;
  -- No row may slip into the default partition between the move and the attachment.
  execute format('lock table private.%I in share row exclusive mode', v_default);
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
  'Makes the partition of public.<p_table> for [p_from, p_to) unless it exists, taking over rows of the default partition.';

create function private.ensure_partitions(p_at timestamptz default now())
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set timezone = 'UTC'
as $$
declare
  v_policy private.partition_policies;
  v_step interval;
  v_from timestamptz;
begin
  -- Two maintainers at once would make the same partition twice.
  perform pg_advisory_xact_lock(hashtextextended('signalpost.partitions', 0));
  for v_policy in select * from private.partition_policies order by table_name loop
    v_step := ('1 ' || v_policy.step)::interval;
    v_from := date_trunc(v_policy.step, p_at);
    for v_index in 0 .. v_policy.ahead loop
      perform private.create_partition(
        v_policy.table_name, v_from + v_index * v_step, v_from + (v_index + 1) * v_step
      );
    end loop;
  end loop;
end
$$;
comment on function private.ensure_partitions(timestamptz) is
  'Makes the partitions around p_at and ahead of it for every table of private.partition_policies.';

create function private.drop_expired_partitions(p_at timestamptz default now())
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
set timezone = 'UTC'
set lock_timeout = '2s'
as $$
declare
  v_name text;
  v_dropped integer := 0;
begin
  for v_name in
    select c.relname
    from private.partition_policies as p
    join pg_catalog.pg_inherits as i on i.inhparent = format('public.%I', p.table_name)::regclass
    join pg_catalog.pg_class as c on c.oid = i.inhrelid
    where p.keep is not null
      and c.relname ~ ('^' || p.table_name || '_[0-9]{8}$')
      and right(c.relname, 8)::date + ('1 ' || p.step)::interval <= p_at - p.keep
    order by c.relname
  loop
    begin
      execute format('drop table private.%I', v_name);
      v_dropped := v_dropped + 1;
    exception when lock_not_available then
      raise warning 'Cannot drop partition "%": it is in use, the next maintenance tries again', v_name;
    end;
  end loop;
  return v_dropped;
end
$$;
comment on function private.drop_expired_partitions(timestamptz) is
  'Drops the partitions whose whole time lies further back than their policy keeps; returns how many.';
