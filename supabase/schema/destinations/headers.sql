-- Purpose: the headers that are sent with every request to a destination.
-- Locks:   the destination, so that no two changes add up to more headers than one may have.

create or replace function private.change_destination_headers(
  p_workspace_id uuid,
  p_destination_id uuid,
  p_headers jsonb
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_names text[];
  v_bytes integer;
  v_has_changed boolean;
begin
  perform from public.destinations as d
  where d.workspace_id = p_workspace_id and d.id = p_destination_id
  for no key update;
  if not found then
    raise sqlstate 'SP404' using
      message = format('Cannot change the headers of destination "%s": it does not exist', p_destination_id);
  end if;
  delete from private.destination_headers as h
  using jsonb_to_recordset(p_headers) as c (name text)
  where h.workspace_id = p_workspace_id and h.destination_id = p_destination_id
    and lower(h.name) = lower(c.name);
  v_has_changed := found;
  insert into private.destination_headers (workspace_id, destination_id, name, ciphertext)
  select p_workspace_id, p_destination_id, c.name, c.ciphertext
  from jsonb_to_recordset(p_headers) as c (name text, ciphertext text)
  where c.ciphertext is not null;
  v_has_changed := v_has_changed or found;
  select coalesce(array_agg(h.name order by lower(h.name) collate "C"), '{}'), sum(h.bytes)
  into v_names, v_bytes
  from private.destination_headers as h
  where h.workspace_id = p_workspace_id and h.destination_id = p_destination_id;
  if cardinality(v_names) > 20 then
    raise sqlstate 'SP400' using
      message = 'must leave the destination at most 20 headers',
      column = 'headers';
  end if;
  -- Each claimed delivery holds them in memory.
  if v_bytes > 8192 then
    raise sqlstate 'SP400' using
      message = 'must leave the destination at most 8 KiB of headers, counting names and encrypted values',
      column = 'headers';
  end if;
  -- A new value is a change too.
  update public.destinations as d
  set
    header_names = v_names,
    updated_at = case when v_has_changed then clock_timestamp() else d.updated_at end
  where d.workspace_id = p_workspace_id and d.id = p_destination_id;
end
$$;
comment on function private.change_destination_headers(uuid, uuid, jsonb) is
  'Sets and removes headers of a destination: p_headers is a JSON array of { name, ciphertext }, and a null ciphertext removes. Headers that it does not name stay.';
grant execute on function private.change_destination_headers(uuid, uuid, jsonb)
  to signalpost_user, signalpost_key;
