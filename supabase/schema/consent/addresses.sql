-- Purpose: the keyed hash of an address, by which consent, suppression and caps are kept.

create or replace function private.normalize_address(p_channel text, p_address text)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  -- There is one channel so far. Dots and plus signs stay, because each provider treats them
  -- differently.
  select nullif(lower(normalize(btrim(p_address, e' \t\n\r'))), '')
$$;
comment on function private.normalize_address(text, text) is
  'The form in which two spellings of one address are equal; null without an address.';

create or replace function private.make_workspace_key(
  p_workspace_id uuid,
  p_purpose text,
  p_id integer default 1
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_key bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  v_inner bytea := v_key || decode(repeat('00', 32), 'hex');
  v_outer bytea := v_inner;
begin
  for i in 0 .. 63 loop
    v_inner := set_byte(v_inner, i, get_byte(v_inner, i) # 54);
    v_outer := set_byte(v_outer, i, get_byte(v_outer, i) # 92);
  end loop;
  insert into private.workspace_keys (workspace_id, purpose, id, key, inner_pad, outer_pad)
  values (p_workspace_id, p_purpose, p_id, v_key, v_inner, v_outer);
end
$$;
comment on function private.make_workspace_key(uuid, text, integer) is
  'Makes a key of a workspace: 244 random bits, from two UUIDs.';

create or replace function private.make_workspace_keys()
returns trigger
language plpgsql
volatile
-- Definer: the creator of a workspace may not write its keys.
security definer
set search_path = ''
as $$
begin
  perform private.make_workspace_key(new.id, 'address');
  perform private.make_workspace_key(new.id, 'link');
  return null;
end
$$;
comment on function private.make_workspace_keys() is 'Makes the keys of a new workspace.';

create or replace function private.address_hash(
  p_workspace_id uuid,
  p_channel text,
  p_address text
)
returns bytea
language sql
stable
security invoker
set search_path = ''
as $$
  -- HMAC-SHA-256 of channel and address under the key of the workspace.
  select sha256(k.outer_pad || sha256(k.inner_pad || convert_to(
    p_channel || ':' || private.normalize_address(p_channel, p_address), 'UTF8'
  )))
  from private.workspace_keys as k
  where k.workspace_id = p_workspace_id and k.purpose = 'address'
$$;
comment on function private.address_hash(uuid, text, text) is
  'The keyed hash of an address, 32 bytes; null without an address.';
