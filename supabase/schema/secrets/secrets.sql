-- Purpose: the encrypted secrets of all owners: expired ones are deleted, and all are re-encrypted
--          when the encryption key changes. private.secret_owners lists their tables.

create or replace function private.secrets_query(p_query text, p_combine text default ' union all ')
returns text
language sql
stable
security invoker
set search_path = ''
as $$
  select string_agg(
    '(' || replace(replace(replace(
      p_query, '<table>', o.table_name), '<owner>', o.owner_column), '<kind>', quote_literal(o.kind)
    ) || ')',
    p_combine order by o.kind
  )
  from private.secret_owners as o
$$;
comment on function private.secrets_query(text, text) is
  'One query over the secrets of all owners: p_query for each, with <table>, <owner> and <kind> filled in.';

create or replace function private.list_secrets()
returns table (
  kind text, workspace_id uuid, owner_id uuid, id uuid, key_id text, ciphertext text
)
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return query execute private.secrets_query(
    'select <kind>, s.workspace_id, s.<owner>, s.id, s.key_id, s.ciphertext from <table> as s'
  );
end
$$;
comment on function private.list_secrets() is
  'The secrets of all kinds of owners, as ciphertext.';

create or replace function private.secret_counts()
returns table (key_id text, kind text, secrets bigint)
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return query execute private.secrets_query(
    'select s.key_id, <kind>, count(*) from <table> as s group by s.key_id'
  );
end
$$;
comment on function private.secret_counts() is
  'Counts the secrets of each kind of owner under each encryption key.';

create or replace view ops.secret_keys with (security_invoker = true) as
select
  c.key_id,
  sum(c.secrets)::bigint as secrets,
  jsonb_object_agg(c.kind, c.secrets) as kinds
from private.secret_counts() as c
group by c.key_id;
comment on view ops.secret_keys is
  'Counts of the secrets that still need each encryption key, in all and per kind of owner. A key''s id is the start of its SHA-256.';

create or replace function private.secret_key_ids()
returns setof text
language plpgsql
stable
-- Definer: the dispatcher may know which keys are in use, and reads no table.
security definer
set search_path = ''
set jit = 'off'
as $$
begin
  -- From one key to the next through the index, because every dispatcher asks at its start.
  return query execute private.secrets_query(
    'with recursive keys (key_id) as (
       (select s.key_id from <table> as s order by s.key_id limit 1)
       union all
       select (select min(s.key_id) from <table> as s where s.key_id > k.key_id)
       from keys as k
       where k.key_id is not null
     )
     select k.key_id from keys as k where k.key_id is not null',
    ' union '
  ) || ' order by 1';
end
$$;
comment on function private.secret_key_ids() is
  'The ids of all encryption keys in use, in order.';
grant execute on function private.secret_key_ids() to signalpost_dispatch;

create or replace function private.count_secrets(p_key_ids text[])
returns integer
language plpgsql
stable
-- Definer: the dispatcher may report how many secrets it cannot read, and reads no table.
security definer
set search_path = ''
set jit = 'off'
as $$
declare
  v_count integer;
begin
  execute format('select sum(c.n)::integer from (%s) as c', private.secrets_query(
    'select count(*) as n from <table> as s where s.key_id = any ($1)'
  )) into v_count using p_key_ids;
  return v_count;
end
$$;
comment on function private.count_secrets(text[]) is 'Counts the secrets under these keys.';
grant execute on function private.count_secrets(text[]) to signalpost_dispatch;

create or replace function private.stale_secrets(p_key_id text, p_after uuid, p_limit integer)
returns table (kind text, workspace_id uuid, owner_id uuid, id uuid, ciphertext text)
language plpgsql
stable
-- Definer: the dispatcher is given ciphertexts, which it alone can read, and reads no table.
security definer
set search_path = ''
set jit = 'off'
as $$
begin
  return query execute private.secrets_query(
    'select <kind>, s.workspace_id, s.<owner>, s.id, s.ciphertext
     from <table> as s
     where s.key_id = $1 and s.id > $2
     order by s.id
     limit $3'
  ) || ' order by 4 limit $3' using p_key_id, p_after, p_limit;
end
$$;
comment on function private.stale_secrets(text, uuid, integer) is
  'The first p_limit secrets under a key whose id comes after p_after, in the order of their ids.';
grant execute on function private.stale_secrets(text, uuid, integer) to signalpost_dispatch;

create or replace function private.replace_ciphertexts(p_replacements text)
returns integer
language plpgsql
volatile
-- Definer: the dispatcher may replace a ciphertext that it was given, and writes no table.
security definer
set search_path = ''
set jit = 'off'
as $$
declare
  v_owner private.secret_owners;
  v_count integer;
  v_replaced integer := 0;
begin
  for v_owner in select o.* from private.secret_owners as o order by o.kind loop
    -- Rows that a rotation or another dispatcher has locked are left to the next run, so nobody
    -- waits for this in a circle.
    execute format(
      'with held as (
         select s.workspace_id, s.id, r.replacement
         from jsonb_to_recordset($1) as r (
           kind text, workspace_id uuid, id uuid, ciphertext text, replacement text
         )
         join %1$s as s
           on s.workspace_id = r.workspace_id and s.id = r.id and s.ciphertext = r.ciphertext
         where r.kind = $2
         for update of s skip locked
       )
       update %1$s as s
       set ciphertext = h.replacement
       from held as h
       where s.workspace_id = h.workspace_id and s.id = h.id',
      v_owner.table_name
    ) using p_replacements::jsonb, v_owner.kind;
    get diagnostics v_count = row_count;
    v_replaced := v_replaced + v_count;
  end loop;
  return v_replaced;
end
$$;
comment on function private.replace_ciphertexts(text) is
  'Replaces each ciphertext that is still there: p_replacements is a JSON array of { kind, workspace_id, id, ciphertext, replacement }. Returns how many were replaced.';
grant execute on function private.replace_ciphertexts(text) to signalpost_dispatch;

create or replace function private.delete_expired_secrets(p_now timestamptz default clock_timestamp())
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_owner private.secret_owners;
  v_count integer;
  v_deleted integer := 0;
begin
  for v_owner in select o.* from private.secret_owners as o order by o.kind loop
    execute format('delete from %s as s where s.expires_at <= $1', v_owner.table_name) using p_now;
    get diagnostics v_count = row_count;
    v_deleted := v_deleted + v_count;
  end loop;
  return v_deleted;
end
$$;
comment on function private.delete_expired_secrets(timestamptz) is
  'Deletes secrets that have expired, because they no longer sign or verify anything. Returns the number deleted.';

create or replace function private.keep_secret_expiry()
returns trigger
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  raise sqlstate 'SP409' using
    message = 'Cannot extend a secret that expires: rotate it';
end
$$;
comment on function private.keep_secret_expiry() is
  'Refuses to bring a replaced secret back or to keep it longer, which callers could do with their right to let one expire.';
