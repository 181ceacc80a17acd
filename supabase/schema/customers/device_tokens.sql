-- Purpose: registering and removing device tokens.
-- Locks:   the order of private.ingest: the workspace (shared, advisory), the customer, the token.

create or replace function private.give_device_token(
  p_workspace_id uuid,
  p_customer_id uuid,
  p_token text,
  p_platform text
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_at timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_is_known boolean := exists (
    select from public.device_tokens as t
    where t.workspace_id = p_workspace_id and t.token = p_token and t.customer_id = p_customer_id
  );
begin
  insert into public.device_tokens as t
    (workspace_id, token, customer_id, platform, created_at, updated_at)
  values (p_workspace_id, p_token, p_customer_id, p_platform, v_at, v_at)
  on conflict (workspace_id, token) do update
  set
    customer_id = excluded.customer_id,
    platform = excluded.platform,
    updated_at = excluded.updated_at;
  -- A customer over the limit after merges can still refresh each token.
  if not v_is_known then
    perform private.require_room('device_tokens', p_workspace_id, p_customer_id);
  end if;
end
$$;
comment on function private.give_device_token(uuid, uuid, text, text) is
  'Registers a token for a customer and removes it from any other customer. The caller has locked the customer''s row for update. Raises SPLIM over the limit of the plan.';

create or replace function private.register_device_token(
  p_workspace_id uuid,
  p_external_id text,
  p_anon_id text,
  p_token text,
  p_platform text
)
returns uuid
language plpgsql
volatile
-- Definer: the roles that ingest may execute this and read or write no table.
security definer
set search_path = ''
set jit = 'off'
as $$
declare
  v_at timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_inputs jsonb := jsonb_build_array(jsonb_build_object(
    'external_id', p_external_id, 'anon_id', p_anon_id
  ));
  v_entries private.ingest_entry[] := private.read_entries(v_inputs, p_workspace_id, v_at);
  v_created private.created_identity[];
  v_subscriptions private.subscription[];
  v_customer_id uuid;
begin
  perform pg_advisory_xact_lock_shared(private.workspace_lock(p_workspace_id));
  v_entries := private.resolve_entries(v_entries);
  if (v_entries[1]).identity_id is null then
    perform private.require_workspaces(array[p_workspace_id]);
    v_created := private.create_identities(v_entries, v_at);
    v_entries := private.resolve_entries(v_entries);
    v_subscriptions := private.customer_subscriptions(array[p_workspace_id]);
    perform private.store_messages(
      private.customer_messages(
        private.created_customers(v_created, v_subscriptions), v_subscriptions
      ),
      v_subscriptions
    );
  end if;

  -- A merge locks its customers first, so after this lock no merge can miss the token.
  v_customer_id := (v_entries[1]).customer_id;
  perform
  from public.customers as c
  where c.workspace_id = p_workspace_id and c.id = v_customer_id
  for no key update;
  v_entries := private.resolve_entries(v_entries);
  if (v_entries[1]).customer_id is distinct from v_customer_id then
    raise exception 'Cannot register device token: its customer was merged meanwhile'
      using errcode = '40001';
  end if;

  perform private.give_device_token(p_workspace_id, v_customer_id, p_token, p_platform);
  perform private.touch_customers(v_entries, v_inputs, v_at);
  return v_customer_id;
end
$$;
comment on function private.register_device_token(uuid, text, text, text, text) is
  'Registers the token for the customer with this id, removes it from any other customer, and returns the customer''s id. Creates the customer if the id is unknown, as an event does. Retry on 40001 and 40P01.';
revoke execute on function private.register_device_token(uuid, text, text, text, text) from public;
grant execute on function private.register_device_token(uuid, text, text, text, text)
  to signalpost_ingest;

create or replace function private.remove_device_token(p_workspace_id uuid, p_token text)
returns boolean
language plpgsql
volatile
-- Definer: the roles that ingest may execute this and read or write no table.
security definer
set search_path = ''
set jit = 'off'
as $$
begin
  delete from public.device_tokens as t
  where t.workspace_id = p_workspace_id and t.token = p_token;
  return found;
end
$$;
comment on function private.remove_device_token(uuid, text) is
  'Removes a token from the customer who has it. Returns true if there was one.';
revoke execute on function private.remove_device_token(uuid, text) from public;
grant execute on function private.remove_device_token(uuid, text) to signalpost_ingest;
