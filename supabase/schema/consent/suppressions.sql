-- Purpose: addresses that nothing is sent to.
-- Locks:   rows of public.suppressions, in the order of their address.

create or replace function private.is_suppressed(
  p_workspace_id uuid,
  p_channel text,
  p_address text,
  p_now timestamptz default clock_timestamp()
)
returns boolean
language sql
stable
security invoker
set search_path = ''
as $$
  select exists (
    select
    from public.suppressions as s
    where s.workspace_id = p_workspace_id and s.channel = p_channel
      and s.address_hash = private.address_hash(p_workspace_id, p_channel, p_address)
      and coalesce(s.until, 'infinity') > p_now
  )
$$;
comment on function private.is_suppressed(uuid, text, text, timestamptz) is
  'True if nothing is to be sent to an address now.';

create or replace function private.suppress(
  p_workspace_id uuid,
  p_entries jsonb,
  p_now timestamptz default clock_timestamp()
)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_count integer;
  v_complaints jsonb;
begin
  insert into public.suppressions as k (
    workspace_id, channel, address_hash, address, reason, source, until, created_at
  )
  select distinct on (n.hash)
    p_workspace_id, 'email', n.hash, n.address, n.reason, n.source, n.until, p_now
  from (
    select
      e.*, private.address_hash(p_workspace_id, 'email', e.email) as hash,
      case when e.is_erased then null else private.normalize_address('email', e.email) end
        as address
    from jsonb_to_recordset(p_entries) as e (
      email text, reason text, source text, until timestamptz, is_erased boolean
    )
  ) as n
  where n.hash is not null
  order by n.hash, (n.reason = 'complaint') desc, n.until desc nulls first
  on conflict (workspace_id, channel, address_hash) do update
  set
    address = excluded.address, reason = excluded.reason, source = excluded.source,
    until = excluded.until, created_at = excluded.created_at
  -- The stronger one stays: a complaint, then the one that lasts longer.
  where coalesce(k.until, 'infinity') <= p_now
    or (k.reason <> 'complaint' and (
      excluded.reason = 'complaint'
      or coalesce(excluded.until, 'infinity') > coalesce(k.until, 'infinity')
    ));
  get diagnostics v_count = row_count;

  -- A complaint also withdraws consent, which then follows a change of the address.
  select jsonb_agg(jsonb_build_object(
    'address', e.email, 'topic_id', null, 'subscribed', false, 'source', 'complaint'
  )) into v_complaints
  from jsonb_to_recordset(p_entries) as e (email text, reason text)
  where e.reason = 'complaint';
  if v_complaints is not null then
    perform private.set_consents(p_workspace_id, v_complaints, p_now);
  end if;
  return v_count;
end
$$;
comment on function private.suppress(uuid, jsonb, timestamptz) is
  'Suppresses addresses: a JSON array of { email, reason, source, until, is_erased }, the address of an erased customer by its hash alone. A weaker suppression does not replace a stronger one. Returns the number of new or changed suppressions.';

create or replace function private.add_suppressions(p_workspace_id uuid, p_entries jsonb)
returns integer
language plpgsql
volatile
-- Definer: callers may not write hashes that do not fit their addresses.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'admin', 'suppressions:write');
  return private.suppress(p_workspace_id, p_entries);
end
$$;
comment on function private.add_suppressions(uuid, jsonb) is
  'Suppresses addresses for an admin or a key: see private.suppress.';
grant execute on function private.add_suppressions(uuid, jsonb) to signalpost_user, signalpost_key;

create or replace function private.find_suppression(p_workspace_id uuid, p_email text)
returns uuid
language sql
stable
-- Definer: callers may not read the key of the hash.
security definer
set search_path = ''
as $$
  select s.id
  from public.suppressions as s
  where s.workspace_id = p_workspace_id and s.channel = 'email'
    and s.address_hash = private.address_hash(p_workspace_id, 'email', p_email)
    and (
      p_workspace_id in (select private.member_workspace_ids())
      or p_workspace_id = (
        select private.key_workspace_id(array['suppressions:read', 'suppressions:write'])
      )
    )
$$;
comment on function private.find_suppression(uuid, text) is
  'The id of the suppression of an address in a workspace of the caller, even after an erasure; null if there is none.';
grant execute on function private.find_suppression(uuid, text) to signalpost_user, signalpost_key;

create or replace function private.delete_expired_suppressions(
  p_limit integer default 10000,
  p_now timestamptz default clock_timestamp()
)
returns integer
language sql
volatile
security invoker
set search_path = ''
as $$
  with gone as (
    delete from public.suppressions as s
    using (
      select e.workspace_id, e.id
      from public.suppressions as e
      where e.until <= p_now
      limit p_limit
      for update skip locked
    ) as e
    where s.workspace_id = e.workspace_id and s.id = e.id
    returning 1
  )
  select count(*)::integer from gone
$$;
comment on function private.delete_expired_suppressions(integer, timestamptz) is
  'Deletes up to p_limit suppressions that have ended and returns the number deleted.';

create or replace function private.erase_suppressed_addresses(
  p_erasure private.erasures,
  p_limit integer,
  p_now timestamptz
)
returns private.erasure_progress
language sql
volatile
security invoker
set search_path = ''
as $$
  with doomed as (
    select distinct private.address_hash(p_erasure.workspace_id, 'email', t.value) as hash
    from unnest(p_erasure.search_terms) as t (value)
  ),
  erased as (
    update public.suppressions as s
    set address = null
    from doomed as d
    where s.workspace_id = p_erasure.workspace_id and s.channel = 'email'
      and s.address_hash = d.hash and s.address is not null
    returning 1
  )
  -- A customer has few addresses: one batch is enough.
  select private.batch_progress(least(count(*), p_limit - 1)::integer, p_limit) from erased
$$;
comment on function private.erase_suppressed_addresses(private.erasures, integer, timestamptz) is
  'Removes the addresses of an erased customer from the suppressions, which keep their hash.';
