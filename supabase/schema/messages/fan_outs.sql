-- Purpose: messages with very many destinations, queued in steps after the transaction.
-- Locks:   the row of the fan-out.

create or replace function private.fan_out_limit()
returns integer
language sql
immutable
security invoker
set search_path = ''
as $$
  select 5000
$$;
comment on function private.fan_out_limit() is
  'Maximum number of rows of the queue that one transaction may create: about 50 ms of work.';

create or replace function private.next_fan_out()
returns uuid
language sql
volatile
security invoker
set search_path = ''
as $$
  -- From workspace to workspace through the index: one of them may have millions of rows.
  with recursive waiting as (
    (select f.workspace_id from private.fan_outs as f order by f.workspace_id limit 1)
    union all
    select (
      select f.workspace_id
      from private.fan_outs as f
      where f.workspace_id > w.workspace_id
      order by f.workspace_id
      limit 1
    )
    from waiting as w
    where w.workspace_id is not null
  )
  select w.workspace_id from waiting as w where w.workspace_id is not null order by random() limit 1
$$;
comment on function private.next_fan_out() is
  'A workspace with messages that are still to be queued, chosen at random so that none is always the last.';

create or replace function private.work_fan_outs(p_limit integer default 5000)
returns integer
language plpgsql
volatile
-- Definer: the dispatcher's role may execute this and read or write no table.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
declare
  v_workspace_id uuid := private.next_fan_out();
  v_count integer;
begin
  -- One worker per workspace at a time: two would change the order of its messages.
  if v_workspace_id is null
    or not pg_try_advisory_xact_lock(hashtextextended(v_workspace_id::text, 8))
  then
    return 0;
  end if;
  with next as materialized (
    select f.message_id, f.rows_before
    from (
      select
        o.message_id,
        sum(cardinality(o.destination_ids) + cardinality(o.missed_ids)) over (
          order by o.message_id rows between unbounded preceding and 1 preceding
        ) as rows_before
      from (
        select * from private.fan_outs as n
        where n.workspace_id = v_workspace_id
        order by n.message_id
        limit p_limit
      ) as o
    ) as f
    where coalesce(f.rows_before, 0) < p_limit
  ),
  taken as (
    delete from private.fan_outs as f
    using next as n
    where f.workspace_id = v_workspace_id and f.message_id = n.message_id
    returning f.message_id, f.message_created_at, f.destination_ids, f.missed_ids
  ),
  missed as (
    insert into public.missed_messages (workspace_id, destination_id, message_id, message_created_at)
    select d.workspace_id, d.id, t.message_id, t.message_created_at
    from taken as t
    join public.destinations as d on d.workspace_id = v_workspace_id and d.id = any (t.missed_ids)
    on conflict do nothing
  ),
  queued as (
    insert into private.webhook_queue (
      workspace_id, destination_id, message_id, message_created_at, due_at
    )
    select d.workspace_id, d.id, t.message_id, t.message_created_at, t.message_created_at
    from taken as t
    join public.destinations as d on d.workspace_id = v_workspace_id and d.id = any (t.destination_ids)
    order by t.message_id
    on conflict do nothing
  )
  select count(*) into v_count from taken;
  return v_count;
end
$$;
comment on function private.work_fan_outs(integer) is
  'Queues the oldest messages that a workspace has in private.fan_outs, about p_limit rows. Returns the number of messages, 0 if none are left or another dispatcher works on them. Leaves out destinations that were deleted meanwhile.';
grant execute on function private.work_fan_outs(integer) to signalpost_dispatch;
