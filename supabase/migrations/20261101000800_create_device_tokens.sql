-- Purpose: push tokens of a customer's devices.
-- Locks:   none on existing tables.
-- Risk:    none.
-- Undo:    drop table public.device_tokens.

create table public.device_tokens (
  workspace_id uuid not null,
  -- Printable ASCII and short enough for an index row, as all push services hand out.
  token text not null check (token ~ '^[!-~]+$' and char_length(token) <= 2048),
  customer_id uuid not null,
  platform text not null check (platform in ('ios', 'android', 'web')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, token),
  constraint device_tokens_customer_id_fkey foreign key (workspace_id, customer_id)
    references public.customers (workspace_id, id)
);
comment on table public.device_tokens is 'A token belongs to one customer at a time.';
create index device_tokens_customer_id_idx
  on public.device_tokens (workspace_id, customer_id, created_at desc, token desc);

alter table public.device_tokens enable row level security;
grant select on public.device_tokens to signalpost_user, signalpost_key;

insert into private.limited_kinds (kind, table_name, owner_column, condition, action, noun)
values (
  'device_tokens', 'public.device_tokens', 'customer_id', 'true', 'register device token',
  'device tokens per customer'
);

create function private.give_device_token(
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
  -- A customer whom merges took over the limit can still refresh each token.
  if not v_is_known then
    perform private.require_room('device_tokens', p_workspace_id, p_customer_id);
  end if;
end
$$;
comment on function private.give_device_token(uuid, uuid, text, text) is
  'Gives a token to a customer whose row the caller has locked for update, whoever had it before. SPLIM over the limit of the plan.';

create policy "Members can read device tokens" on public.device_tokens
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read device tokens" on public.device_tokens
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['customers:read', 'customers:write'])));

grant delete on public.device_tokens to signalpost_user, signalpost_key;
create policy "Members can remove device tokens" on public.device_tokens
  for delete to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('member')));
create policy "Keys can remove device tokens" on public.device_tokens
  for delete to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['customers:write'])));
