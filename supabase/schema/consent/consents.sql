-- Purpose: who is subscribed to what. Consent belongs to an address, not to a customer.
-- Locks:   rows of private.consents, in the order of their key.

create or replace function private.all_topics()
returns uuid
language sql
immutable
security invoker
set search_path = ''
as $$
  select '00000000-0000-0000-0000-000000000000'::uuid
$$;
comment on function private.all_topics() is 'The topic_id of a consent that is about all topics.';

create or replace function private.address_states(
  p_workspace_id uuid,
  p_channel text,
  p_hashes bytea[],
  p_topic_id uuid default null
)
returns table (address_hash bytea, topic_id uuid, subscribed boolean, changed_at timestamptz)
language sql
stable
security invoker
set search_path = ''
as $$
  select
    a.hash, t.id,
    -- The newer choice counts: the one about the topic, or the one about all topics.
    case
      when not e.subscribed and e.changed_at >= coalesce(c.changed_at, '-infinity') then false
      else coalesce(c.subscribed, t.default_state = 'subscribed')
    end,
    greatest(c.changed_at, case when not e.subscribed then e.changed_at end)
  from unnest(p_hashes) as a (hash)
  join public.topics as t
    on t.workspace_id = p_workspace_id and (p_topic_id is null or t.id = p_topic_id)
  left join private.consents as c
    on c.workspace_id = t.workspace_id and c.channel = p_channel
    and c.address_hash = a.hash and c.topic_id = t.id
  left join private.consents as e
    on e.workspace_id = t.workspace_id and e.channel = p_channel
    and e.address_hash = a.hash and e.topic_id = private.all_topics()
$$;
comment on function private.address_states(uuid, text, bytea[], uuid) is
  'States of addresses: one row per address and topic, or only about one topic, and when the address last chose; changed_at is null for the default.';

create or replace function private.is_subscribed(
  p_workspace_id uuid,
  p_channel text,
  p_address text,
  p_topic_id uuid
)
returns boolean
language sql
stable
security invoker
set search_path = ''
as $$
  select coalesce((
    select s.subscribed
    from private.address_states(
      p_workspace_id, p_channel,
      array[private.address_hash(p_workspace_id, p_channel, p_address)], p_topic_id
    ) as s
    where s.address_hash is not null
  ), false)
$$;
comment on function private.is_subscribed(uuid, text, text, uuid) is
  'True if an address is subscribed to a topic; false without an address or topic. Suppression is checked separately.';

create or replace function private.subscribed_customers(
  p_workspace_id uuid,
  p_topic_id uuid,
  p_customer_ids uuid[] default null
)
returns setof uuid
language sql
stable
security invoker
set search_path = ''
as $$
  with found as (
    select c.id, private.address_hash(c.workspace_id, 'email', c.email) as hash
    from public.customers as c
    where c.workspace_id = p_workspace_id and c.email is not null
      and (p_customer_ids is null or c.id = any (p_customer_ids))
  )
  select f.id
  from found as f
  join public.topics as t on t.workspace_id = p_workspace_id and t.id = p_topic_id
  left join private.consents as c
    on c.workspace_id = p_workspace_id and c.channel = 'email'
    and c.address_hash = f.hash and c.topic_id = t.id
  left join private.consents as e
    on e.workspace_id = p_workspace_id and e.channel = 'email'
    and e.address_hash = f.hash and e.topic_id = private.all_topics()
    and not e.subscribed and e.changed_at >= coalesce(c.changed_at, '-infinity')
  where f.hash is not null and e.topic_id is null
    and coalesce(c.subscribed, t.default_state = 'subscribed')
$$;
comment on function private.subscribed_customers(uuid, uuid, uuid[]) is
  'The customers with an e-mail address that is subscribed to a topic; with p_customer_ids, those among them.';

create or replace function private.note_consent_changes(
  p_workspace_id uuid,
  p_channel text,
  p_addresses text[],
  p_now timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if exists (
    select from private.segment_parts as p where p.workspace_id = p_workspace_id and p.kind = 'topic'
  ) or exists (
    select from private.journey_interests as i
    where i.workspace_id = p_workspace_id and i.kind = 'consent'
  ) then
    insert into private.signals (workspace_id, kind, customer_id)
    select p_workspace_id, 'consent', c.id
    from unnest(p_addresses) as a (address)
    cross join lateral (
      select x.id from public.customers as x
      where x.workspace_id = p_workspace_id and x.email is not null and lower(x.email) = a.address
    ) as c;
    perform private.wake_folder();
  end if;
end
$$;
comment on function private.note_consent_changes(uuid, text, text[], timestamptz) is
  'Notes the customers with these normalised addresses for the next fold, because their consent changed. Does nothing unless a segment or the end of a run depends on consent.';

create or replace function private.set_consents(
  p_workspace_id uuid,
  p_changes jsonb,
  p_now timestamptz default clock_timestamp()
)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_addresses text[];
begin
  with changes as (
    select distinct on (n.hash, n.topic_id) n.*
    from (
      select
        private.normalize_address('email', c.address) as address,
        coalesce(
          decode(c.address_hash, 'hex'), private.address_hash(p_workspace_id, 'email', c.address)
        ) as hash,
        coalesce(c.topic_id, private.all_topics()) as topic_id, c.subscribed, c.source,
        c.ordinality
      from rows from (
        jsonb_to_recordset(p_changes) as (
          address text, address_hash text, topic_id uuid, subscribed boolean, source text
        )
      ) with ordinality as c (address, address_hash, topic_id, subscribed, source, ordinality)
    ) as n
    where n.hash is not null
    order by n.hash, n.topic_id, n.ordinality desc
  ),
  changed as (
    insert into private.consents as k (
      workspace_id, channel, address_hash, topic_id, subscribed, source, changed_at
    )
    select p_workspace_id, 'email', c.hash, c.topic_id, c.subscribed, c.source, p_now
    from changes as c
    order by c.hash, c.topic_id
    -- A repeated choice still counts as newer than a choice about all topics.
    on conflict (workspace_id, channel, address_hash, topic_id) do update
    set
      subscribed = excluded.subscribed, source = excluded.source,
      changed_at = greatest(k.changed_at, excluded.changed_at)
    returning k.address_hash
  )
  select array_agg(distinct c.address) filter (where c.address is not null) into v_addresses
  from changed as d
  join changes as c on c.hash = d.address_hash;
  if v_addresses is not null then
    perform private.note_consent_changes(p_workspace_id, 'email', v_addresses, p_now);
  end if;
  return coalesce(cardinality(v_addresses), 0);
end
$$;
comment on function private.set_consents(uuid, jsonb, timestamptz) is
  'Records the choices of the owners of addresses: a JSON array of { address, topic_id, subscribed, source }, a null topic_id for all topics. An address that is not known any more is given as its address_hash, in hexadecimal digits, instead. Returns the number of addresses.';

create or replace function private.copy_opt_outs(
  p_workspace_id uuid,
  p_from bytea[],
  p_to text,
  p_now timestamptz default clock_timestamp()
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_to bytea := private.address_hash(p_workspace_id, 'email', p_to);
begin
  if v_to is null then
    return;
  end if;
  insert into private.consents as k (
    workspace_id, channel, address_hash, topic_id, subscribed, source, changed_at
  )
  select c.workspace_id, c.channel, v_to, c.topic_id, false, 'address_change', max(c.changed_at)
  from unnest(p_from) as f (address_hash)
  join private.consents as c
    on c.workspace_id = p_workspace_id and c.channel = 'email' and not c.subscribed
    and c.address_hash = f.address_hash
  where c.address_hash <> v_to
  group by c.workspace_id, c.channel, c.topic_id
  order by c.topic_id
  on conflict (workspace_id, channel, address_hash, topic_id) do update
  set subscribed = false, source = excluded.source, changed_at = excluded.changed_at
  -- A later choice of the new address stays.
  where k.subscribed and k.changed_at < excluded.changed_at;
  if found then
    perform private.note_consent_changes(
      p_workspace_id, 'email', array[private.normalize_address('email', p_to)], p_now
    );
  end if;
end
$$;
comment on function private.copy_opt_outs(uuid, bytea[], text, timestamptz) is
  'Copies the opt-outs of former addresses, given by their hashes, to the address that replaces them; opt-ins are not copied.';

create or replace function private.remember_address()
returns trigger
language plpgsql
volatile
-- Definer: a caller that changes a profile may not read the key of the hash.
security definer
set search_path = ''
as $$
begin
  new.former_addresses := case
    when new.email is null then array_append(
      old.former_addresses, private.address_hash(new.workspace_id, 'email', old.email)
    )
  end;
  return new;
end
$$;
comment on function private.remember_address() is
  'Keeps the hash of an address that is cleared until the customer has another one.';

create or replace function private.follow_address()
returns trigger
language plpgsql
volatile
-- Definer: a caller that changes a profile may not write the consents.
security definer
set search_path = ''
as $$
begin
  perform private.copy_opt_outs(
    new.workspace_id,
    case
      when old.email is not null then
        array[private.address_hash(new.workspace_id, 'email', old.email)]
      -- An address after none may replace one that was cleared, or those of records merged into it.
      else old.former_addresses || array(
        select private.address_hash(m.workspace_id, 'email', m.profile ->> 'email')
        from public.customer_merges as m
        where m.workspace_id = new.workspace_id and m.customer_id = new.id
          and m.profile ? 'email'
      )
    end,
    new.email
  );
  return null;
end
$$;
comment on function private.follow_address() is
  'Copies the opt-outs of a customer to the new address when the address changes.';

create or replace function private.customer_topics(p_workspace_id uuid, p_customer_id uuid)
returns table (topic_id uuid, subscribed boolean, changed_at timestamptz)
language sql
stable
-- Definer: callers may not read the consents of other addresses.
security definer
set search_path = ''
as $$
  select t.id, coalesce(s.subscribed, false), s.changed_at
  from public.customers as c
  join public.topics as t on t.workspace_id = c.workspace_id
  left join private.address_states(
    p_workspace_id, 'email', array[private.address_hash(p_workspace_id, 'email', c.email)]
  ) as s on s.topic_id = t.id and s.address_hash is not null
  where c.workspace_id = p_workspace_id and c.id = p_customer_id
    and (
      p_workspace_id in (select private.member_workspace_ids())
      or p_workspace_id = (select private.key_workspace_id(array['customers:read', 'customers:write']))
    )
$$;
comment on function private.customer_topics(uuid, uuid) is
  'The topics of the caller''s workspace, and whether a customer is subscribed to each; false for all without an address.';
grant execute on function private.customer_topics(uuid, uuid) to signalpost_user, signalpost_key;

create or replace function private.set_customer_topic(
  p_workspace_id uuid,
  p_customer_id uuid,
  p_topic_id uuid,
  p_subscribed boolean
)
returns boolean
language plpgsql
volatile
-- Definer: callers may not write the consents of other addresses.
security definer
set search_path = ''
as $$
declare
  v_address text;
begin
  perform private.require_writer(p_workspace_id, 'member', 'customers:write');
  select c.email into v_address
  from public.customers as c
  where c.workspace_id = p_workspace_id and c.id = p_customer_id;
  if not found then
    return false;
  end if;
  if v_address is null then
    raise sqlstate 'SP409' using
      message = 'Cannot change a subscription: the customer has no e-mail address';
  end if;
  perform private.set_consents(p_workspace_id, jsonb_build_array(jsonb_build_object(
    'address', v_address, 'topic_id', p_topic_id, 'subscribed', p_subscribed, 'source', 'api'
  )));
  return true;
end
$$;
comment on function private.set_customer_topic(uuid, uuid, uuid, boolean) is
  'Subscribes the address of a customer to a topic, or unsubscribes it. Returns false if the customer does not exist. Raises SP409 if the customer has no address.';
grant execute on function private.set_customer_topic(uuid, uuid, uuid, boolean)
  to signalpost_user, signalpost_key;
