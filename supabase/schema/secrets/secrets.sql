-- Purpose: the encrypted secrets of all owners: those that expired go, and changing the encryption key.

create or replace view private.secrets with (security_invoker = true) as
select
  'destination' as kind, d.workspace_id, d.destination_id as owner_id, d.id, d.key_id, d.ciphertext
from private.destination_secrets as d
union all
select 'source', s.workspace_id, s.source_id, s.id, s.key_id, s.ciphertext
from private.inbound_secrets as s;
comment on view private.secrets is 'The secrets of destinations and of sources, as ciphertext.';

create or replace view ops.secret_keys with (security_invoker = true) as
select
  s.key_id,
  count(*) as secrets,
  count(*) filter (where s.kind = 'destination') as of_destinations,
  count(*) filter (where s.kind = 'source') as of_sources
from private.secrets as s
group by s.key_id;
comment on view ops.secret_keys is
  'How many secrets each encryption key is still needed for. A key''s id is the start of its SHA-256.';

create or replace function private.secret_key_ids()
returns setof text
language sql
stable
-- Definer: the dispatcher may know which keys are in use, and reads no table.
security definer
set search_path = ''
set jit = 'off'
as $$
  -- From one key to the next through the indexes: asked at every start of a dispatcher.
  with recursive keys (key_id) as (
    select min(s.key_id) from private.secrets as s
    union all
    select (select min(s.key_id) from private.secrets as s where s.key_id > k.key_id)
    from keys as k
    where k.key_id is not null
  )
  select k.key_id from keys as k where k.key_id is not null
$$;
comment on function private.secret_key_ids() is
  'The ids of all encryption keys that secrets are under, in their order.';
grant execute on function private.secret_key_ids() to signalpost_dispatch;

create or replace function private.count_secrets(p_key_ids text[])
returns integer
language sql
stable
-- Definer: the dispatcher may tell how many secrets it cannot read, and reads no table.
security definer
set search_path = ''
set jit = 'off'
as $$
  select count(*)::integer from private.secrets as s where s.key_id = any (p_key_ids)
$$;
comment on function private.count_secrets(text[]) is 'How many secrets are under these keys.';
grant execute on function private.count_secrets(text[]) to signalpost_dispatch;

create or replace function private.stale_secrets(p_key_id text, p_after uuid, p_limit integer)
returns table (kind text, workspace_id uuid, owner_id uuid, id uuid, ciphertext text)
language sql
stable
-- Definer: the dispatcher is handed ciphertexts, which it alone can read, and reads no table.
security definer
set search_path = ''
set jit = 'off'
as $$
  select s.kind, s.workspace_id, s.owner_id, s.id, s.ciphertext
  from private.secrets as s
  where s.key_id = p_key_id and s.id > p_after
  order by s.id
  limit p_limit
$$;
comment on function private.stale_secrets(text, uuid, integer) is
  'The first p_limit secrets under a key whose id lies after p_after, in the order of their ids.';
grant execute on function private.stale_secrets(text, uuid, integer) to signalpost_dispatch;

create or replace function private.replace_ciphertexts(p_replacements text)
returns integer
language plpgsql
volatile
-- Definer: the dispatcher may replace a ciphertext that it was handed, and writes no table.
security definer
set search_path = ''
set jit = 'off'
as $$
declare
  v_sources integer;
  v_destinations integer;
begin
  -- Whoever holds a row, a rotation or another dispatcher, is not waited for: the next run sees to
  -- it. Nobody can wait for this in a circle then.
  with replacements as (
    select r.* from jsonb_to_recordset(p_replacements::jsonb) as r (
      kind text, workspace_id uuid, id uuid, ciphertext text, replacement text
    )
  ),
  held as (
    select s.workspace_id, s.id, r.replacement
    from replacements as r
    join private.destination_secrets as s
      on s.workspace_id = r.workspace_id and s.id = r.id and s.ciphertext = r.ciphertext
    where r.kind = 'destination'
    for update of s skip locked
  )
  update private.destination_secrets as s
  set ciphertext = h.replacement
  from held as h
  where s.workspace_id = h.workspace_id and s.id = h.id;
  get diagnostics v_destinations = row_count;
  with replacements as (
    select r.* from jsonb_to_recordset(p_replacements::jsonb) as r (
      kind text, workspace_id uuid, id uuid, ciphertext text, replacement text
    )
  ),
  held as (
    select s.workspace_id, s.id, r.replacement
    from replacements as r
    join private.inbound_secrets as s
      on s.workspace_id = r.workspace_id and s.id = r.id and s.ciphertext = r.ciphertext
    where r.kind = 'source'
    for update of s skip locked
  )
  update private.inbound_secrets as s
  set ciphertext = h.replacement
  from held as h
  where s.workspace_id = h.workspace_id and s.id = h.id;
  get diagnostics v_sources = row_count;
  return v_destinations + v_sources;
end
$$;
comment on function private.replace_ciphertexts(text) is
  'Puts each replacement in the place of its ciphertext, where that is still there: a JSON array of { kind, workspace_id, id, ciphertext, replacement }. Returns how many were.';
grant execute on function private.replace_ciphertexts(text) to signalpost_dispatch;

create or replace function private.forget_secrets(p_now timestamptz default clock_timestamp())
returns integer
language sql
volatile
security invoker
set search_path = ''
as $$
  with of_destinations as (
    delete from private.destination_secrets as s where s.expires_at <= p_now returning 1
  ),
  of_sources as (
    delete from private.inbound_secrets as s where s.expires_at <= p_now returning 1
  )
  select (select count(*) from of_destinations)::integer
    + (select count(*) from of_sources)::integer
$$;
comment on function private.forget_secrets(timestamptz) is
  'Deletes secrets that have expired: they sign and verify nothing any more. Returns how many.';
