-- Purpose: refuses every change of one workspace while it moves.
-- Locks:   creating or dropping a trigger waits for the writers of the table and holds up later
--          ones, hence the short lock_timeout. After 55P03, call it again.

create or replace function private.refuse_change()
returns trigger
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- A batch of background work must not fail because of one workspace, but a caller must get the
  -- error.
  if tg_op = any (string_to_array(tg_argv[0], ' '))
    and current_user not in ('signalpost_user', 'signalpost_key')
  then
    return null;
  end if;
  raise sqlstate 'SP503' using message = 'Workspace is being moved: nothing was stored';
end
$$;
comment on function private.refuse_change() is
  'Raises SP503 for a change of a workspace that is being moved, or skips it if its argument names the operation.';

create or replace function private.fence_name(p_workspace_id uuid)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select 'signalpost_move_' || replace(p_workspace_id::text, '-', '')
$$;
comment on function private.fence_name(uuid) is
  'The name of the triggers, the publication, the subscription and the slot of a move.';

create or replace function ops.fence_table(p_workspace_id uuid, p_table regclass)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set lock_timeout = '100ms'
as $$
declare
  v_name text := private.fence_name(p_workspace_id);
  v_rule record;
begin
  select m.* into strict v_rule from private.moved_tables() as m where m.name = p_table;
  if exists (
    select from pg_catalog.pg_trigger as t where t.tgrelid = p_table and t.tgname = v_name
  ) then
    return;
  end if;
  execute format(
    'create trigger %I before insert on %s for each row when (new.%I = %L)
     execute function private.refuse_change(%L)',
    v_name, p_table, v_rule.workspace_column, p_workspace_id, array_to_string(v_rule.skips, ' ')
  );
  -- Rows that are taken out may still change until they are.
  if not v_rule.is_taken_out then
    execute format(
      'create trigger %I before update or delete on %s for each row when (old.%I = %L)
       execute function private.refuse_change(%L)',
      v_name || '_', p_table, v_rule.workspace_column, p_workspace_id,
      array_to_string(v_rule.skips, ' ')
    );
  end if;
end
$$;
comment on function ops.fence_table(uuid, regclass) is
  'Refuses changes of a workspace in a table. Repeating it changes nothing.';

create or replace function ops.open_table(p_workspace_id uuid, p_table regclass)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set lock_timeout = '100ms'
as $$
declare
  v_name text := private.fence_name(p_workspace_id);
begin
  if not exists (
    select from pg_catalog.pg_trigger as t
    where t.tgrelid = p_table and t.tgname in (v_name, v_name || '_')
  ) then
    return;
  end if;
  execute format('drop trigger if exists %I on %s', v_name, p_table);
  execute format('drop trigger if exists %I on %s', v_name || '_', p_table);
end
$$;
comment on function ops.open_table(uuid, regclass) is
  'Allows changes of a workspace in a table again. Repeating it changes nothing.';

create or replace function ops.fenced_tables()
returns table (name text)
language sql
stable
security invoker
set search_path = ''
as $$
  -- The mark is written behind the fence.
  select m.name::text from private.moved_tables() as m
  where m.name <> 'private.move_marks'::regclass
  -- Tables that every entry writes to come last, so that callers wait for a shorter time.
  order by m.name = any (array[
    'private.idempotency_keys', 'private.lane_arrivals', 'private.usage_deltas',
    'private.webhook_queue', 'public.customers', 'public.events', 'public.webhook_messages'
  ]::regclass[])
$$;
comment on function ops.fenced_tables() is 'The tables to call ops.fence_table for.';
