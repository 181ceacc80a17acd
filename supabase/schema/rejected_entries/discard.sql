-- Purpose: puts rejected entries aside that nobody will fix.
-- Locks:   the rows of the entries; an entry that is being resent is left out.

create or replace function private.discard_entry(
  p_workspace_id uuid,
  p_id uuid,
  p_now timestamptz default clock_timestamp()
)
returns jsonb
language plpgsql
volatile
-- Definer: callers may not write rejected entries, and not always read them.
security definer
set search_path = ''
as $$
declare
  v_found record;
begin
  perform private.require_writer(p_workspace_id, 'member', 'events:write');
  select r.resent_at, r.discarded_at
  into v_found
  from public.rejected_entries as r
  where r.workspace_id = p_workspace_id and r.rejected_at = private.uuid_v7_time(p_id)
    and r.id = p_id
  for no key update;
  if not found then
    return null;
  end if;
  if v_found.resent_at is null and v_found.discarded_at is null then
    update public.rejected_entries as r
    set discarded_at = p_now
    where r.workspace_id = p_workspace_id and r.rejected_at = private.uuid_v7_time(p_id)
      and r.id = p_id;
  end if;
  return jsonb_build_object(
    'discarded_at', private.rfc3339(
      coalesce(v_found.discarded_at, case when v_found.resent_at is null then p_now end)
    ),
    'is_resent', v_found.resent_at is not null,
    'is_new', v_found.resent_at is null and v_found.discarded_at is null
  );
end
$$;
comment on function private.discard_entry(uuid, uuid, timestamptz) is
  'Marks a rejected entry as discarded, unless it was discarded or resent before. Returns { discarded_at, is_resent, is_new }, or null if the entry does not exist.';
grant execute on function private.discard_entry(uuid, uuid, timestamptz) to signalpost_user, signalpost_key;

create or replace function private.discard_entries(
  p_workspace_id uuid,
  p_reason jsonb,
  p_until timestamptz,
  p_limit integer default 10000,
  p_now timestamptz default clock_timestamp()
)
returns integer
language plpgsql
volatile
-- Definer: callers may not write rejected entries.
security definer
set search_path = ''
as $$
declare
  v_discarded integer;
begin
  perform private.require_writer(p_workspace_id, 'member', 'events:write');
  with chosen as (
    select r.rejected_at, r.id
    from public.rejected_entries as r
    where r.workspace_id = p_workspace_id
      and r.reason_hash = hashtextextended(p_reason ->> 'reason', 0)
      and r.code = p_reason ->> 'code' and r.origin = p_reason ->> 'origin'
      and r.field_in_entry is not distinct from p_reason ->> 'field'
      and r.source_id is not distinct from (p_reason ->> 'source_id')::uuid
      and r.rejected_at < p_until
      and r.resent_at is null and r.discarded_at is null
    order by r.rejected_at, r.id
    limit p_limit
    for no key update skip locked
  ),
  discarded as (
    update public.rejected_entries as r
    set discarded_at = p_now
    from chosen as c
    where r.workspace_id = p_workspace_id and r.rejected_at = c.rejected_at and r.id = c.id
    returning 1
  )
  select count(*)::integer into v_discarded from discarded;
  return v_discarded;
end
$$;
comment on function private.discard_entries(uuid, jsonb, timestamptz, integer, timestamptz) is
  'Marks up to p_limit rejected entries of one reason (reason, code, origin, field and source_id, as private.rejection_reason groups them) as discarded, the oldest first, and returns their number.';
grant execute on function private.discard_entries(uuid, jsonb, timestamptz, integer, timestamptz)
  to signalpost_user, signalpost_key;
