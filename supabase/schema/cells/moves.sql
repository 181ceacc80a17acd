-- Purpose: the steps of a move that need one database; deno task cells:move calls them in order.
-- Locks:   those of the rows they change.

create or replace function ops.start_move_out(p_workspace_id uuid, p_cell text)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_tables text;
begin
  perform from public.workspaces as w where w.id = p_workspace_id for no key update;
  if not found or private.is_erased(p_workspace_id) then
    raise sqlstate 'SP404' using
      message = format('Cannot move workspace "%s": it does not exist in this cell', p_workspace_id);
  end if;
  insert into private.workspace_moves (workspace_id, direction, cell, state)
  values (p_workspace_id, 'out', p_cell, 'copying');
  select string_agg(format('table %s where (workspace_id = %L)', m.name, p_workspace_id), ', ')
  into v_tables
  from private.moved_tables() as m
  where not m.is_copied;
  execute format(
    'create publication %I for %s with (publish_via_partition_root = true)',
    private.fence_name(p_workspace_id), v_tables
  );
end
$$;
comment on function ops.start_move_out(uuid, text) is
  'Starts a move to another cell: publishes the rows of the workspace.';

create or replace function ops.start_move_in(p_workspace_id uuid, p_cell text, p_plan_id text)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_left text := (
    select string_agg(m.name::text, ', ') from private.moved_tables() as m
    where private.has_rows(m.name, m.workspace_column, p_workspace_id)
  );
begin
  if not exists (select from public.plans as p where p.id = p_plan_id) then
    raise sqlstate 'SP409' using message = format(
      'Cannot move workspace "%s": this cell has no plan "%s"', p_workspace_id, p_plan_id
    );
  elsif v_left is not null then
    raise sqlstate 'SP409' using message = format(
      'Cannot move workspace "%s": this cell already has rows of it in %s', p_workspace_id, v_left
    );
  end if;
  insert into private.workspace_moves (workspace_id, direction, cell, state)
  values (p_workspace_id, 'in', p_cell, 'arriving');
end
$$;
comment on function ops.start_move_in(uuid, text, text) is
  'Starts a move from another cell. Nobody finds the workspace here until it is adopted.';

create or replace function ops.hold_deliveries(p_workspace_id uuid)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- As if one dispatcher held them: no other dispatcher claims from a lane with requests in flight.
  update private.lanes as l
  set
    in_flight = l.in_flight + case when l.owner = p_workspace_id then 0 else 1 end,
    owner = p_workspace_id,
    refilled_at = clock_timestamp() + interval '1 minute'
  where l.workspace_id = p_workspace_id;
  update private.send_lanes as l
  set
    in_flight = l.in_flight + case when l.owner = p_workspace_id then 0 else 1 end,
    owner = p_workspace_id,
    refilled_at = clock_timestamp() + interval '1 minute'
  where l.workspace_id = p_workspace_id;
  return (
    select count(*) from private.lanes as l
    join private.webhook_queue as q
      on q.destination_id = l.destination_id and q.workspace_id = l.workspace_id
    where l.workspace_id = p_workspace_id and q.lease_until is not null
  ) + (
    select count(*) from private.send_queue as q
    where q.workspace_id = p_workspace_id and q.lease_until is not null
  );
end
$$;
comment on function ops.hold_deliveries(uuid) is
  'Keeps dispatchers from claiming deliveries and messages of a workspace for a minute, and returns the number in flight.';

create or replace function private.free_lanes(p_workspace_id uuid)
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  update private.send_lanes as l
  set
    owner = null,
    refilled_at = least(l.refilled_at, clock_timestamp()),
    in_flight = w.in_flight,
    due_at = w.due_at
  from (
    select
      k.sender_id, count(q.send_id) filter (where q.claim is not null)::integer as in_flight,
      min(q.due_at) filter (where q.claim is null) as due_at
    from private.send_lanes as k
    left join private.send_queue as q
      on q.workspace_id = k.workspace_id and q.sender_id = k.sender_id
    where k.workspace_id = p_workspace_id
    group by k.sender_id
  ) as w
  where l.workspace_id = p_workspace_id and l.sender_id = w.sender_id;
  update private.lanes as l
  set
    owner = null,
    refilled_at = least(l.refilled_at, clock_timestamp()),
    in_flight = w.in_flight,
    due_at = w.due_at,
    manual_due_at = w.manual_due_at
  from (
    select
      k.destination_id,
      count(q.message_id) filter (where q.claim is not null)::integer as in_flight,
      min(q.due_at) filter (where q.claim is null and not q.is_manual) as due_at,
      min(q.due_at) filter (where q.claim is null and q.is_manual) as manual_due_at
    from private.lanes as k
    left join private.webhook_queue as q
      on q.workspace_id = k.workspace_id and q.destination_id = k.destination_id
    where k.workspace_id = p_workspace_id
    group by k.destination_id
  ) as w
  where l.workspace_id = p_workspace_id and l.destination_id = w.destination_id
$$;
comment on function private.free_lanes(uuid) is
  'Sets the lanes of a workspace to what is in its queue, and lets dispatchers claim from them.';

create or replace function ops.take_out_workspace(p_workspace_id uuid)
returns uuid
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_rows jsonb := '{}';
  v_table record;
  v_mark uuid;
begin
  perform set_config('session_replication_role', 'replica', true);
  for v_table in
    select m.* from private.moved_tables() as m where m.is_copied order by m.is_taken_out, m.name::text
  loop
    if v_table.is_taken_out then
      -- Waits for those who change a row right now.
      execute format('select from %s where %I = $1 for update', v_table.name, v_table.workspace_column)
      using p_workspace_id;
    end if;
    v_rows := v_rows || jsonb_build_object(
      v_table.name::text,
      private.export_rows(v_table.name, v_table.workspace_column, p_workspace_id)
    );
    if v_table.is_taken_out then
      execute format('delete from %s where %I = $1', v_table.name, v_table.workspace_column)
      using p_workspace_id;
    end if;
  end loop;
  insert into private.move_marks (workspace_id) values (p_workspace_id) returning id into v_mark;
  update private.workspace_moves as m
  set state = 'switching', taken_rows = v_rows
  where m.workspace_id = p_workspace_id and m.direction = 'out' and m.state = 'copying';
  if not found then
    raise sqlstate 'SP409' using
      message = format('Cannot switch workspace "%s": it is not being copied', p_workspace_id);
  end if;
  perform set_config('session_replication_role', 'origin', true);
  return v_mark;
end
$$;
comment on function ops.take_out_workspace(uuid) is
  'Stops the background work of a fenced workspace: keeps its rows of the tables that move as a whole, and returns the mark that ends its replication.';

create or replace function private.advance_sequences(p_workspace_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_column record;
  v_last bigint;
begin
  for v_column in
    select m.name, a.attname, pg_get_serial_sequence(m.name::text, a.attname)::regclass as sequence
    from private.moved_tables() as m
    join pg_catalog.pg_attribute as a on a.attrelid = m.name and a.attidentity <> ''
    where not m.is_copied
  loop
    execute format('select max(%I) from %s where workspace_id = $1', v_column.attname, v_column.name)
    into v_last using p_workspace_id;
    if v_last >= coalesce(pg_sequence_last_value(v_column.sequence), 0) then
      -- Far ahead, so that a value that is being taken right now does not occur twice.
      perform setval(v_column.sequence, v_last + 1000000);
    end if;
  end loop;
end
$$;
comment on function private.advance_sequences(uuid) is
  'Advances sequences past the values that a workspace brought along.';

create or replace function ops.adopt_workspace(p_workspace_id uuid, p_rows jsonb, p_accounts jsonb)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_table record;
begin
  update private.workspace_moves as m
  set state = 'adopted', switched_at = clock_timestamp()
  where m.workspace_id = p_workspace_id and m.direction = 'in' and m.state = 'arriving';
  if not found then
    raise sqlstate 'SP409' using
      message = format('Cannot adopt workspace "%s": it is not arriving', p_workspace_id);
  end if;
  perform set_config('session_replication_role', 'replica', true);
  insert into auth.users (id, email, email_confirmed_at, created_at)
  select a.id, a.email, a.email_confirmed_at, a.created_at
  from jsonb_to_recordset(p_accounts)
    as a (id uuid, email text, email_confirmed_at timestamptz, created_at timestamptz)
  on conflict (id) do nothing;
  for v_table in select t.key::regclass as name, t.value from jsonb_each(p_rows) as t loop
    perform private.import_rows(v_table.name, v_table.value);
  end loop;
  -- Deliveries in flight are sent again, as after a crash.
  update private.webhook_queue as q
  set claim = null, claimed_at = null, lease_until = null
  where q.workspace_id = p_workspace_id and q.claim is not null;
  -- A message in flight may have reached its provider: private.expire_send_claims decides about it,
  -- as after a crash.
  update private.send_queue as q
  set lease_until = clock_timestamp()
  where q.workspace_id = p_workspace_id and q.claim is not null;
  perform private.free_runs(p_workspace_id);
  perform private.free_lanes(p_workspace_id);
  perform private.advance_sequences(p_workspace_id);
  delete from private.moved_addresses as m where m.workspace_id = p_workspace_id;
  delete from private.directory as d where d.workspace_id = p_workspace_id;
  delete from private.move_marks as m where m.workspace_id = p_workspace_id;
  perform set_config('session_replication_role', 'origin', true);
  perform private.wake_dispatcher();
  perform private.wake_worker('send-dispatch');
  perform private.wake_worker('automation');
end
$$;
comment on function ops.adopt_workspace(uuid, jsonb, jsonb) is
  'Switches a workspace on in this cell, with the rows that ops.take_out_workspace kept and the accounts of its members. From here on a move cannot be undone, only repeated in the other direction.';

create or replace function ops.finish_move_out(p_workspace_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_cell text;
begin
  perform set_config('session_replication_role', 'replica', true);
  update private.workspace_moves as m
  set state = 'moved', taken_rows = null, switched_at = clock_timestamp()
  where m.workspace_id = p_workspace_id and m.direction = 'out' and m.state = 'switching'
  returning m.cell into v_cell;
  if not found then
    raise sqlstate 'SP409' using
      message = format('Cannot finish moving workspace "%s": it is not being switched', p_workspace_id);
  end if;
  insert into private.moved_addresses (address, workspace_id, cell)
  select k.hash, p_workspace_id, v_cell from private.api_keys as k
  where k.workspace_id = p_workspace_id and k.revoked_at is null
  union all
  select uuid_send(s.id), p_workspace_id, v_cell from public.inbound_sources as s
  where s.workspace_id = p_workspace_id
  on conflict (address) do update set cell = excluded.cell;
  delete from private.api_keys as k where k.workspace_id = p_workspace_id;
  delete from public.inbound_sources as s where s.workspace_id = p_workspace_id;
  delete from public.invitations as i where i.workspace_id = p_workspace_id;
  delete from public.workspace_members as m where m.workspace_id = p_workspace_id;
  perform set_config('session_replication_role', 'origin', true);
end
$$;
comment on function ops.finish_move_out(uuid) is
  'Sends the callers of a workspace to the cell that has adopted it: its keys and sources redirect.';

create or replace function ops.undo_move_out(p_workspace_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_move private.workspace_moves;
  v_table record;
begin
  delete from private.workspace_moves as m
  where m.workspace_id = p_workspace_id and m.direction = 'out' and m.state in ('copying', 'switching')
  returning * into v_move;
  if not found then
    raise sqlstate 'SP409' using
      message = format('Cannot undo moving workspace "%s": it has moved', p_workspace_id);
  end if;
  perform set_config('session_replication_role', 'replica', true);
  if v_move.state = 'switching' then
    for v_table in
      select m.name from private.moved_tables() as m where m.is_taken_out
    loop
      -- The fence skips new lanes, so none can be in the way.
      perform private.import_rows(v_table.name, v_move.taken_rows -> v_table.name::text);
    end loop;
  end if;
  delete from private.move_marks as m where m.workspace_id = p_workspace_id;
  perform private.free_lanes(p_workspace_id);
  perform set_config('session_replication_role', 'origin', true);
  perform private.wake_dispatcher();
end
$$;
comment on function ops.undo_move_out(uuid) is
  'Restores what ops.take_out_workspace took, and ends the move. Open the fence after it.';

create or replace view ops.cells with (security_invoker = true) as
select
  private.cell_name() as cell,
  (select count(*) from public.workspaces) as workspaces,
  pg_database_size(current_database()) as bytes,
  coalesce(u.events, 0) as events_last_hour,
  coalesce(u.bytes, 0) as ingested_bytes_last_hour,
  coalesce((select sum(b.waiting) from ops.backlog as b), 0) as waiting_deliveries,
  (
    select count(*) from pg_catalog.pg_stat_activity as a where a.datname = current_database()
  ) as connections,
  (select count(*) from private.workspace_moves) as moves
from (
  select sum(s.events) as events, sum(s.bytes) as bytes
  from public.usage_stats as s
  where s.hour >= date_trunc('hour', now()) - interval '1 hour'
) as u;
comment on view ops.cells is
  'The load and size of this cell; deno task cells shows all. Figures of the last hour cover the last whole hour and the current one.';
