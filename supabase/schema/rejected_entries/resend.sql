-- Purpose: resends a rejected entry after its cause was fixed.
-- Locks:   the entry's row, then those of private.ingest, then the receipt's.

create or replace function private.resend_entries(p_workspace_id uuid, p_id uuid, p_entries text)
returns jsonb
language plpgsql
volatile
-- Definer: stores entries, which callers may not do directly.
security definer
set search_path = ''
as $$
declare
  v_rejected_at timestamptz := private.uuid_v7_time(p_id);
  v_entries jsonb := (
    select jsonb_agg(a.e || jsonb_build_object('workspace_id', p_workspace_id) order by a.i)
    from jsonb_array_elements(p_entries::jsonb) with ordinality as a (e, i)
  );
  v_receipt_id uuid;
  v_is_erased boolean;
  v_results jsonb;
begin
  perform private.require_writer(p_workspace_id, 'member', 'track:write');
  -- As private.ingest: an erasure that has begun ends first.
  perform pg_advisory_xact_lock_shared(private.workspace_lock(p_workspace_id));
  select
    r.receipt_id,
    exists (
      select from private.erasures as e
      where e.workspace_id = p_workspace_id and private.mentions_any(r.entry, e.search_terms)
    )
  into v_receipt_id, v_is_erased
  from public.rejected_entries as r
  where r.workspace_id = p_workspace_id and r.rejected_at = v_rejected_at and r.id = p_id
    and r.resent_at is null
  for no key update;
  if not found then
    raise sqlstate 'SP409' using message = 'Cannot resend entry: it was already resent';
  elsif v_is_erased then
    raise sqlstate 'SP409' using
      message = 'Cannot resend entry: it is about a customer who is being erased';
  end if;
  v_results := private.ingest_reports(v_entries::text);
  -- An entry that is rejected again stays as it is, to be tried again.
  if not jsonb_path_exists(v_results, '$[*] ? (@.ok == false)') then
    update public.rejected_entries as r
    set resent_at = clock_timestamp(), resent_event_id = (v_results -> 0 ->> 'event_id')::uuid
    where r.workspace_id = p_workspace_id and r.rejected_at = v_rejected_at and r.id = p_id;
    -- The body is now about these customers, and is erased with them.
    update public.inbound_receipts as r
    set customer_ids = array(
      select unnest(r.customer_ids)
      union
      select (e ->> 'customer_id')::uuid from jsonb_array_elements(v_results) as e
    )
    where r.workspace_id = p_workspace_id and r.id = v_receipt_id
      and r.received_at = private.uuid_v7_time(v_receipt_id);
  end if;
  return v_results;
end
$$;
comment on function private.resend_entries(uuid, uuid, text) is
  'Stores the entries that a rejected entry became (a JSON array for private.ingest_reports) and marks it as resent. Returns the results. Raises SP409 if it was already resent, or is about a customer who is being erased.';
grant execute on function private.resend_entries(uuid, uuid, text) to signalpost_user, signalpost_key;
