-- Purpose: erases a customer: hides it immediately, and leaves the rest to batches.
-- Locks:   the exclusive advisory lock of the workspace, for the time that a profile, its ids,
--          its device tokens and a batch of its messages take: ingest of that workspace waits
--          for milliseconds.
-- Risk:    until its batches are done, events of an erased customer exist, but nobody can see
--          them.

create or replace function private.customer_search_terms(p_workspace_id uuid, p_customer_id uuid)
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
comment on function private.customer_search_terms(uuid, uuid) is
  'Terms that an entry about the customer may contain: every id, e-mail address and phone number, now and before merges.';

create or replace function private.erase_customer(p_workspace_id uuid, p_customer_id uuid)
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
  v_payload jsonb;
  v_message_ids uuid[];
  v_search_terms text[];
  v_erasure private.erasures;
begin
  perform private.require_writer(p_workspace_id, 'member', 'customers:write');
  perform pg_advisory_xact_lock(private.workspace_lock(p_workspace_id));
  perform from public.customers as c where c.workspace_id = p_workspace_id and c.id = p_customer_id for update;
  if not found then
    return false;
  end if;

  v_search_terms := private.customer_search_terms(p_workspace_id, p_customer_id);
  delete from public.device_tokens as t
  where t.workspace_id = p_workspace_id and t.customer_id = p_customer_id;
  select array_prepend(p_customer_id, array_agg(m.merged_customer_id)) into v_customer_ids
  from public.customer_merges as m
  where m.workspace_id = p_workspace_id and m.customer_id = p_customer_id;
  delete from private.idempotent_requests as r
  where r.workspace_id = p_workspace_id and r.customer_id = any (v_customer_ids);
  v_payload := jsonb_build_object(
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
  perform private.note_customers(p_workspace_id, 'removed', array[p_customer_id]);
  perform private.end_customer_runs(p_workspace_id, p_customer_id, clock_timestamp());

  if cardinality(private.listening_workspaces(array[p_workspace_id])) > 0 then
    v_message_ids := private.publish_messages(array[
      private.service_message(p_workspace_id, 'customer.deleted', v_payload)
    ]);
  end if;
  insert into private.erasures (
    workspace_id, customer_id, customer_ids, identity_ids, search_terms, deletion_message_id, step
  )
  values (
    p_workspace_id, p_customer_id, v_customer_ids, coalesce(v_identity_ids, '{}'), v_search_terms,
    v_message_ids[1], (private.next_erasure_step('customer')).step
  )
  returning * into v_erasure;
  -- Few customers have more. From now on retries and replays no longer send these messages.
  perform private.erase_bodies(v_erasure, 1000, clock_timestamp());
  return true;
end
$$;
comment on function private.erase_customer(uuid, uuid) is
  'Deletes the profile, the ids, the device tokens and the bodies of up to 1,000 messages, and notifies the destinations. private.work_erasures deletes the rest. Returns false if the customer does not exist.';
grant execute on function private.erase_customer(uuid, uuid) to signalpost_user, signalpost_key;
