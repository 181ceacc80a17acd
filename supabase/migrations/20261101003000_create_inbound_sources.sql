-- Purpose: other systems whose webhooks a workspace takes in, and the secrets they sign with.
-- Locks:   none on existing tables.
-- Risk:    none.
-- Undo:    drop the tables and functions.

create table public.inbound_sources (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  name text not null check (char_length(name) between 1 and 200),
  scheme text not null check (scheme in (
    'service', 'standard-webhooks', 'stripe', 'shopify', 'github', 'slack', 'sendgrid',
    'mailgun', 'sns', 'basic', 'hmac'
  )),
  hmac jsonb constraint inbound_sources_hmac_object_check check (jsonb_typeof(hmac) = 'object'),
  topic_arn text constraint inbound_sources_topic_arn_length_check
    check (char_length(topic_arn) <= 400),
  preset text check (preset in ('shopify', 'resend', 'sendgrid')),
  mapping jsonb check (jsonb_typeof(mapping) = 'object'),
  enabled boolean not null default true,
  description text check (char_length(description) <= 1000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  constraint inbound_sources_hmac_check check ((scheme = 'hmac') = (hmac is not null)),
  constraint inbound_sources_topic_arn_check check ((scheme = 'sns') = (topic_arn is not null))
);
comment on table public.inbound_sources is
  'How another system signs its webhooks (scheme, with its settings in hmac or topic_arn) and how they become entries (preset, mapping).';
create index inbound_sources_id_idx on public.inbound_sources (id);

create table private.inbound_secrets (
  workspace_id uuid not null,
  id uuid not null default private.uuid_v7(),
  source_id uuid not null,
  ciphertext text not null check (ciphertext like 'v1.%.%'),
  key_id text not null generated always as (split_part(ciphertext, '.', 2)) stored,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  primary key (workspace_id, id),
  constraint inbound_secrets_source_id_fkey foreign key (workspace_id, source_id)
    references public.inbound_sources (workspace_id, id) on delete cascade
);
comment on table private.inbound_secrets is
  'What signatures are verified with, as ciphertext under the key key_id names; the one without expires_at is current.';
create index inbound_secrets_source_id_idx
  on private.inbound_secrets (workspace_id, source_id, created_at desc);
create index inbound_secrets_key_id_idx on private.inbound_secrets (key_id, id);
create index inbound_secrets_expires_at_idx
  on private.inbound_secrets (expires_at) where expires_at is not null;

alter table public.inbound_sources enable row level security;
alter table private.inbound_secrets enable row level security;

select private.limit_kind(
  'sources', 'public.inbound_sources', p_action => 'create source', p_noun => 'sources'
);
select private.limit_kind(
  'source_secrets', 'private.inbound_secrets', p_action => 'rotate secret',
  p_noun => 'live secrets per source',
  -- Not now(), which is before a rotation that ends the older ones at once.
  p_condition => 'coalesce(expires_at, ''infinity'') > clock_timestamp()',
  p_owner_column => 'source_id'
);

grant select on public.inbound_sources to signalpost_user, signalpost_key;

create policy "Members can read sources" on public.inbound_sources
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read sources" on public.inbound_sources
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['sources:read', 'sources:write'])));

grant insert (
    workspace_id, id, name, scheme, hmac, topic_arn, preset, mapping, enabled, description
  )
  on public.inbound_sources to signalpost_user, signalpost_key;
grant update (name, hmac, topic_arn, preset, mapping, enabled, description)
  on public.inbound_sources to signalpost_user, signalpost_key;
grant delete on public.inbound_sources to signalpost_user, signalpost_key;
-- The ciphertext is written and never read.
grant select (workspace_id, id, source_id, created_at, expires_at)
  on private.inbound_secrets to signalpost_user, signalpost_key;
grant insert (workspace_id, source_id, ciphertext, created_at)
  on private.inbound_secrets to signalpost_user, signalpost_key;
grant update (expires_at) on private.inbound_secrets to signalpost_user, signalpost_key;

create policy "Admins can create sources" on public.inbound_sources
  for insert to signalpost_user
  with check (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can change sources" on public.inbound_sources
  for update to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')))
  with check (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can delete sources" on public.inbound_sources
  for delete to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can see which inbound secrets there are" on private.inbound_secrets
  for select to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can add inbound secrets" on private.inbound_secrets
  for insert to signalpost_user
  with check (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can let inbound secrets expire" on private.inbound_secrets
  for update to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')))
  with check (workspace_id = (select private.acting_workspace_id('admin')));

create policy "Keys can create sources" on public.inbound_sources
  for insert to signalpost_key
  with check (workspace_id = (select private.key_workspace_id(array['sources:write'])));
create policy "Keys can change sources" on public.inbound_sources
  for update to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['sources:write'])))
  with check (workspace_id = (select private.key_workspace_id(array['sources:write'])));
create policy "Keys can delete sources" on public.inbound_sources
  for delete to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['sources:write'])));
create policy "Keys can see which inbound secrets there are" on private.inbound_secrets
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['sources:write'])));
create policy "Keys can add inbound secrets" on private.inbound_secrets
  for insert to signalpost_key
  with check (workspace_id = (select private.key_workspace_id(array['sources:write'])));
create policy "Keys can let inbound secrets expire" on private.inbound_secrets
  for update to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['sources:write'])))
  with check (workspace_id = (select private.key_workspace_id(array['sources:write'])));

create function private.stamp_inbound_source()
returns trigger
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  new.updated_at := clock_timestamp();
  return new;
end
$$;
comment on function private.stamp_inbound_source() is 'Keeps updated_at in step with changes.';
create trigger inbound_sources_stamp before update on public.inbound_sources
  for each row execute function private.stamp_inbound_source();

create function private.rotate_inbound_secret(
  p_workspace_id uuid,
  p_source_id uuid,
  p_ciphertext text,
  p_overlap interval default interval '24 hours',
  p_now timestamptz default clock_timestamp()
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if p_overlap is null or p_overlap not between interval '0' and interval '7 days' then
    raise sqlstate 'SP400' using
      message = 'Overlap must lie between 0 and 7 days',
      column = 'overlap';
  end if;
  -- Two rotations at once would each leave a current secret.
  perform from public.inbound_sources as s
  where s.workspace_id = p_workspace_id and s.id = p_source_id
  for no key update;
  if not found then
    raise sqlstate 'SP404' using
      message = format('Cannot rotate the secret of source "%s": it does not exist', p_source_id);
  end if;
  update private.inbound_secrets as s
  set expires_at = least(s.expires_at, p_now + p_overlap)
  where s.workspace_id = p_workspace_id and s.source_id = p_source_id
    and coalesce(s.expires_at, 'infinity') > p_now;
  insert into private.inbound_secrets (workspace_id, source_id, ciphertext, created_at)
  values (p_workspace_id, p_source_id, p_ciphertext, p_now);
end
$$;
comment on function private.rotate_inbound_secret(uuid, uuid, text, interval, timestamptz) is
  'Makes p_ciphertext the current secret of a source, its first or its next; those before stay live for p_overlap (0 to 7 days).';
grant execute on function private.rotate_inbound_secret(uuid, uuid, text, interval, timestamptz)
  to signalpost_user, signalpost_key;

create function private.has_secret(p_source public.inbound_sources)
returns boolean
language sql
stable
-- Definer: whoever may see the source may know that it has a secret, and nothing about it.
security definer
set search_path = ''
as $$
  select p_source.scheme = 'sns' or exists (
    select from private.inbound_secrets as k
    where k.workspace_id = p_source.workspace_id and k.source_id = p_source.id
  )
$$;
comment on function private.has_secret(public.inbound_sources) is
  'Whether what is sent to a source can verify: it has a secret, or its scheme needs none.';
grant execute on function private.has_secret(public.inbound_sources) to signalpost_user, signalpost_key;

create function private.find_inbound_source(p_id uuid)
returns table (
  workspace_id uuid,
  scheme text,
  hmac jsonb,
  topic_arn text,
  preset text,
  mapping jsonb,
  secrets jsonb
)
language sql
stable
-- Definer: callers may ask about one source but never read the tables.
security definer
set search_path = ''
set jit = 'off'
as $$
  select
    s.workspace_id, s.scheme, s.hmac, s.topic_arn, s.preset, s.mapping,
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'ciphertext', k.ciphertext, 'expires_at', private.rfc3339(k.expires_at)
      ) order by k.created_at desc)
      from private.inbound_secrets as k
      where k.workspace_id = s.workspace_id and k.source_id = s.id
        and coalesce(k.expires_at, 'infinity') > now()
    ), '[]')
  from public.inbound_sources as s
  where s.id = p_id and s.enabled
$$;
comment on function private.find_inbound_source(uuid) is
  'The enabled source with this id and its live secrets, or no row.';
revoke execute on function private.find_inbound_source(uuid) from public;
grant execute on function private.find_inbound_source(uuid) to signalpost_ingest;
