-- Purpose: what was already stored under which idempotency key.
-- Locks:   none on existing tables.
-- Risk:    a table of its own: a unique key on the partitioned events would need the time in it
--          and never fire.
-- Undo:    drop private.idempotency_keys and private.forget_idempotency_keys.

create table private.idempotency_keys (
  workspace_id uuid not null,
  key text not null,
  event_id uuid not null,
  customer_id uuid not null,
  created_at timestamptz not null,
  primary key (workspace_id, key)
);
comment on table private.idempotency_keys is
  'The ids that the first call with a key was answered with; counts for 24 h from first sight.';
-- Not brin, whose ranges never narrow: once rows went and others came, each would seem to hold old ones.
create index idempotency_keys_created_at_idx on private.idempotency_keys (created_at);
alter table private.idempotency_keys enable row level security;

create function private.forget_idempotency_keys(p_limit integer default 10000)
returns integer
language sql
volatile
security invoker
set search_path = ''
as $$
  with expired as (
    select k.workspace_id, k.key
    from private.idempotency_keys as k
    where k.created_at < now() - interval '24 hours'
    order by k.created_at
    limit p_limit
    for update skip locked
  ),
  forgotten as (
    delete from private.idempotency_keys as k
    using expired as e
    where k.workspace_id = e.workspace_id and k.key = e.key
    returning 1
  )
  select count(*)::integer from forgotten
$$;
comment on function private.forget_idempotency_keys(integer) is
  'Deletes up to p_limit keys older than 24 h; returns how many. Every sweep calls it.';
