-- Purpose: systems whose webhooks a workspace takes in, and the secrets they sign with.

create or replace function private.stamp_inbound_source()
returns trigger
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if new is distinct from old then
    new.updated_at := clock_timestamp();
  end if;
  return new;
end
$$;
comment on function private.stamp_inbound_source() is 'Keeps updated_at in step with changes.';

create or replace function private.rotate_inbound_secret(
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
      message = 'Overlap must be between 0 and 7 days',
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
  'Makes p_ciphertext the current secret of a source, its first or its next; earlier ones stay valid for p_overlap (0 to 7 days).';
grant execute on function private.rotate_inbound_secret(uuid, uuid, text, interval, timestamptz)
  to signalpost_user, signalpost_key;

create or replace function private.has_secret(p_source public.inbound_sources)
returns boolean
language sql
stable
-- Definer: callers who see the source may know that it has a secret, and nothing else about it.
security definer
set search_path = ''
as $$
  select p_source.scheme = 'sns' or exists (
    select from private.inbound_secrets as k
    where k.workspace_id = p_source.workspace_id and k.source_id = p_source.id
  )
$$;
comment on function private.has_secret(public.inbound_sources) is
  'True when requests to a source can be verified: it has a secret, or its scheme needs none.';
grant execute on function private.has_secret(public.inbound_sources) to signalpost_user, signalpost_key;

create or replace function private.find_inbound_sources(p_ids uuid[])
returns table (
  source_id uuid,
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
-- Definer: callers may ask about sources whose ids they know but never read the tables.
security definer
set search_path = ''
set jit = 'off'
as $$
  select
    s.id, s.workspace_id, s.scheme, s.hmac, s.topic_arn, s.preset, s.mapping,
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'ciphertext', k.ciphertext, 'expires_at', private.rfc3339(k.expires_at)
      ) order by k.created_at desc)
      from private.inbound_secrets as k
      where k.workspace_id = s.workspace_id and k.source_id = s.id
        and coalesce(k.expires_at, 'infinity') > now()
    ), '[]')
  from public.inbound_sources as s
  where s.id = any (p_ids) and s.enabled
$$;
comment on function private.find_inbound_sources(uuid[]) is
  'The enabled sources with these ids and their live secrets.';
revoke execute on function private.find_inbound_sources(uuid[]) from public;
grant execute on function private.find_inbound_sources(uuid[]) to signalpost_ingest;
