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
grant select on public.device_tokens to authenticated, signalpost_key, service_role;

create policy "Members can read device tokens" on public.device_tokens
  for select to authenticated
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read device tokens" on public.device_tokens
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['customers:read', 'customers:write'])));

grant delete on public.device_tokens to authenticated, signalpost_key;
create policy "Members can remove device tokens" on public.device_tokens
  for delete to authenticated
  using (workspace_id = (select private.acting_workspace_id('member')));
create policy "Keys can remove device tokens" on public.device_tokens
  for delete to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['customers:write'])));
