-- Purpose: erasure of a customer: out of sight at once, and a note of what is left for the batches.
-- Locks:   the exclusive advisory lock of the workspace, for as long as a profile, its ids, its
--          device tokens and a batch of its messages take: ingest of that workspace waits for
--          milliseconds.
-- Risk:    until its batches are done, events of an erased customer are there and nobody sees them.
-- Undo:    drop private.erasures and the functions.

create table private.erasures (
  workspace_id uuid not null,
  id uuid not null default private.uuid_v7(),
  -- Null: the whole workspace.
  customer_id uuid,
  -- The customer, and the records that were merged into it.
  customer_ids uuid[] not null default '{}',
  identity_ids bigint[] not null default '{}',
  -- Ids, addresses and numbers that refused entries are searched for: those lead to no customer.
  traces text[] not null default '{}',
  -- The message that tells of the deletion, erased when it has been sent.
  farewell_id uuid,
  step text not null check (
    step in ('events', 'bodies', 'snippets', 'entries', 'keys', 'farewell', 'workspace')
  ),
  -- How far a step has come that looks through all of a workspace.
  place text not null default '',
  due_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, id)
);
comment on table private.erasures is
  'What is still to be erased. A row goes when nothing is left, so that nothing tells of whom it was.';
create index erasures_due_at_idx on private.erasures (due_at);
create index erasures_workspace_id_due_at_idx on private.erasures (workspace_id, due_at);
alter table private.erasures enable row level security;

create function private.erased_identity_ids()
returns setof bigint
language sql
stable
-- Definer: policies ask this for callers, none of whom may read what is being erased.
security definer
set search_path = ''
as $$
  select unnest(e.identity_ids)
  from private.erasures as e
  where e.workspace_id = private.key_workspace_id()
    or e.workspace_id in (select private.member_workspace_ids())
$$;
comment on function private.erased_identity_ids() is
  'Identities of customers that are being erased in the caller''s workspaces.';
grant execute on function private.erased_identity_ids() to signalpost_user, signalpost_key;

create function private.erased_customer_ids()
returns setof uuid
language sql
stable
-- Definer: as for private.erased_identity_ids.
security definer
set search_path = ''
as $$
  select unnest(e.customer_ids)
  from private.erasures as e
  where e.workspace_id = private.key_workspace_id()
    or e.workspace_id in (select private.member_workspace_ids())
$$;
comment on function private.erased_customer_ids() is
  'Customers that are being erased in the caller''s workspaces.';
grant execute on function private.erased_customer_ids() to signalpost_user, signalpost_key;

create policy "Nobody can read events of erased customers" on public.events
  as restrictive for select to signalpost_user, signalpost_key
  using (identity_id <> all (array(select private.erased_identity_ids())));
create policy "Nobody can read messages about erased customers" on public.webhook_messages
  as restrictive for select to signalpost_user, signalpost_key
  using (customer_id is null or customer_id <> all (array(select private.erased_customer_ids())));

create function private.customer_traces(p_workspace_id uuid, p_customer_id uuid)
returns text[]
language sql
stable
security invoker
set search_path = ''
as $$
  select array(
    select i.value
    from public.identities as i
    where i.workspace_id = p_workspace_id and i.customer_id = p_customer_id
    union
    select t.value
    from (
      select to_jsonb(c) as profile
      from public.customers as c
      where c.workspace_id = p_workspace_id and c.id = p_customer_id
      union all
      select m.profile
      from public.customer_merges as m
      where m.workspace_id = p_workspace_id and m.customer_id = p_customer_id
    ) as p
    cross join lateral (values (p.profile ->> 'email'), (p.profile ->> 'phone')) as t (value)
    where t.value is not null
  )
$$;
comment on function private.customer_traces(uuid, uuid) is
  'What tells in an entry that it is about the customer: every id, e-mail address and phone number, now and before merges.';

create function private.erase_customer(p_workspace_id uuid, p_customer_id uuid)
returns boolean
language plpgsql
volatile
-- Definer: takes the lock that ingest holds, publishes, and deletes what no caller may.
security definer
set search_path = ''
as $$
declare
  v_customer_ids uuid[];
  v_identity_ids bigint[];
  v_farewell jsonb;
  v_farewell_ids uuid[];
  v_traces text[];
  v_erasure private.erasures;
begin
  perform private.require_writer(p_workspace_id, 'member', 'customers:write');
  perform pg_advisory_xact_lock(private.workspace_lock(p_workspace_id));
  perform from public.customers as c where c.workspace_id = p_workspace_id and c.id = p_customer_id for update;
  if not found then
    return false;
  end if;

  v_traces := private.customer_traces(p_workspace_id, p_customer_id);
  delete from public.device_tokens as t
  where t.workspace_id = p_workspace_id and t.customer_id = p_customer_id;
  select array_prepend(p_customer_id, array_agg(m.merged_customer_id)) into v_customer_ids
  from public.customer_merges as m
  where m.workspace_id = p_workspace_id and m.customer_id = p_customer_id;
  delete from private.idempotent_requests as r
  where r.workspace_id = p_workspace_id and r.customer_id = any (v_customer_ids);
  v_farewell := jsonb_build_object(
    'customer_id', p_customer_id,
    'external_ids', private.newest_ids(p_workspace_id, p_customer_id, 'external'),
    'external_ids_count', private.count_ids(p_workspace_id, p_customer_id, 'external')
  );
  with gone as (
    delete from public.identities as i
    where i.workspace_id = p_workspace_id and i.customer_id = p_customer_id
    returning i.id
  )
  select array_agg(g.id) into v_identity_ids from gone as g;
  delete from public.customers as c where c.workspace_id = p_workspace_id and c.id = p_customer_id;

  if cardinality(private.listening_workspaces(array[p_workspace_id])) > 0 then
    v_farewell_ids := private.publish_messages(array[row(
      p_workspace_id, 'customer.deleted', v_farewell, null, null
    )::private.new_message]);
  end if;
  insert into private.erasures (
    workspace_id, customer_id, customer_ids, identity_ids, traces, farewell_id, step
  )
  values (
    p_workspace_id, p_customer_id, v_customer_ids, coalesce(v_identity_ids, '{}'), v_traces,
    v_farewell_ids[1], 'events'
  )
  returning * into v_erasure;
  -- Few customers have more: what is left of them from now on is not sent by a retry or a replay.
  perform private.erase_bodies(v_erasure, 1000);
  return true;
end
$$;
comment on function private.erase_customer(uuid, uuid) is
  'Deletes profile, ids, device tokens and the bodies of up to 1,000 messages, tells the destinations, and leaves the rest to private.work_erasures; false when there is no such customer.';
grant execute on function private.erase_customer(uuid, uuid) to signalpost_user, signalpost_key;
