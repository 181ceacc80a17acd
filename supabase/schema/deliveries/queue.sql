-- Purpose: the queue of deliveries: its arrivals, and rows that will never be sent.

create or replace function private.is_any_queued_before(p_at timestamptz)
returns boolean
language sql
stable
security invoker
set search_path = ''
as $$
  select exists (
    select
    from private.webhook_queue as q
    join private.lanes as l
      on l.workspace_id = q.workspace_id and l.destination_id = q.destination_id
    where q.message_created_at < p_at and l.is_enabled
  ) or exists (
    select from private.fan_outs as f where f.message_created_at < p_at
  )
$$;
comment on function private.is_any_queued_before(timestamptz) is
  'True when a message from before p_at still waits for an enabled destination.';

create or replace function private.note_arrivals()
returns trigger
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  insert into private.lane_arrivals (workspace_id, destination_ids, due_at, is_manual)
  select a.workspace_id, array_agg(distinct a.destination_id), min(a.due_at), a.is_manual
  from arrived as a
  group by a.workspace_id, a.is_manual;
  if found then
    perform private.wake_dispatcher();
  end if;
  return null;
end
$$;
comment on function private.note_arrivals() is
  'Notes which lanes got rows, once per statement, and wakes a dispatcher.';

create or replace function private.delete_unsendable_rows(
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
    -- Rows of enabled lanes are deleted when they are claimed.
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
comment on function private.delete_unsendable_rows(integer, timestamptz) is
  'Deletes up to p_limit rows that can never be sent, and returns the number deleted. These are rows of deleted destinations, and rows of disabled destinations whose message has expired.';

create or replace function private.repair_lanes()
returns integer
language sql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  -- Locks only lanes that need repair: a claim skips lanes that are locked. A run that has locked
  -- partitions leaves this to the next one, so that nobody waits for them longer.
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
    where not (select private.has_locked_tables())
      and (
        coalesce(l.due_at, 'infinity') > w.due_at
        or coalesce(l.manual_due_at, 'infinity') > w.manual_due_at
      )
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
  'Marks lanes as due whose rows were skipped, for example because a transaction that held them was rolled back. Returns the number of lanes.';
