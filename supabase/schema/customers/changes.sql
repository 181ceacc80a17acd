-- Purpose: changes of one customer by a member or a server.
-- Locks:   the order of private.ingest: the workspace (shared, advisory), the customer, the rest.

create or replace function private.edit_customer(
  p_workspace_id uuid,
  p_customer_id uuid,
  p_profile jsonb,
  p_attributes jsonb
)
returns text[]
language plpgsql
volatile
-- Definer: publishes messages, which callers may not do directly.
security definer
set search_path = ''
as $$
declare
  v_changed text[];
  v_change private.customer_change;
  v_subscriptions private.subscription[];
begin
  perform private.require_writer(p_workspace_id, 'member', 'customers:write');
  perform pg_advisory_xact_lock_shared(private.workspace_lock(p_workspace_id));
  perform from public.customers as c where c.workspace_id = p_workspace_id and c.id = p_customer_id for update;
  if not found then
    return null;
  end if;
  v_changed := private.change_profile(
    p_workspace_id, p_customer_id, p_profile, p_attributes,
    date_trunc('milliseconds', clock_timestamp())
  );
  if cardinality(v_changed) > 0 then
    v_change.workspace_id := p_workspace_id;
    v_change.customer_id := p_customer_id;
    v_change.i := 1;
    v_change.is_created := false;
    v_change.changed := v_changed;
    perform private.note_customers(p_workspace_id, 'profile', array[p_customer_id]);
    v_subscriptions := private.customer_subscriptions(array[p_workspace_id]);
    perform private.store_messages(
      private.customer_messages(
        array[v_change],
        v_subscriptions
      ),
      v_subscriptions
    );
  end if;
  return v_changed;
end
$$;
comment on function private.edit_customer(uuid, uuid, jsonb, jsonb) is
  'Updates a customer''s profile and notifies the destinations, as an identify call does. Returns the changed fields, or null if the customer does not exist. Raises SP413 if the attributes would become too large.';
grant execute on function private.edit_customer(uuid, uuid, jsonb, jsonb)
  to signalpost_user, signalpost_key;

create or replace function private.attach_device_token(
  p_workspace_id uuid,
  p_customer_id uuid,
  p_token text,
  p_platform text
)
returns boolean
language plpgsql
volatile
-- Definer: locks the customer first, as merges do, which callers may not.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'member', 'customers:write');
  perform pg_advisory_xact_lock_shared(private.workspace_lock(p_workspace_id));
  perform from public.customers as c where c.workspace_id = p_workspace_id and c.id = p_customer_id for no key update;
  if not found then
    return false;
  end if;
  perform private.give_device_token(p_workspace_id, p_customer_id, p_token, p_platform);
  return true;
end
$$;
comment on function private.attach_device_token(uuid, uuid, text, text) is
  'Registers the token for the customer and removes it from any other customer. Returns false if the customer does not exist.';
grant execute on function private.attach_device_token(uuid, uuid, text, text)
  to signalpost_user, signalpost_key;
