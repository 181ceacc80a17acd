-- Purpose: topics, who is subscribed to them, and the addresses that nothing is sent to.
-- Locks:   public.customers and public.workspaces, for a moment, while their triggers are created.
-- Risk:    rows of an address hold a keyed hash of it, so they survive an erasure without naming
--          anybody. The keys are rows of the workspace and end with it.
-- Undo:    drop the triggers on public.customers and public.workspaces, and the tables.

create table private.workspace_keys (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  purpose text not null check (purpose in ('address', 'link')),
  key bytea not null check (octet_length(key) = 32),
  -- The key as HMAC-SHA-256 uses it, so that a hash costs two calls of sha256().
  inner_pad bytea not null check (octet_length(inner_pad) = 64),
  outer_pad bytea not null check (octet_length(outer_pad) = 64),
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, purpose)
);
comment on table private.workspace_keys is
  'Keys of a workspace: for the hashes of its addresses, and for the links in its messages.';
alter table private.workspace_keys enable row level security;

create table public.topics (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  key text not null check (key ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$'),
  name text not null check (char_length(name) between 1 and 200),
  description text check (char_length(description) <= 1000),
  default_state text not null check (default_state in ('subscribed', 'unsubscribed')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  constraint topics_workspace_id_key_key unique (workspace_id, key)
);
comment on table public.topics is
  'Subjects that a customer subscribes to. default_state is the response for an address that never said.';
alter table public.topics enable row level security;
select private.limit_kind('topics', 'public.topics', p_action => 'create topic', p_noun => 'topics');

create table private.consents (
  workspace_id uuid not null,
  channel text not null check (channel in ('email')),
  address_hash bytea not null check (octet_length(address_hash) = 32),
  -- The zero UUID stands for all topics: it withdraws everything that was said before it.
  topic_id uuid not null,
  subscribed boolean not null,
  source text not null check (source in (
    'api', 'import', 'link', 'event', 'complaint', 'address_change'
  )),
  changed_at timestamptz not null,
  primary key (workspace_id, channel, address_hash, topic_id)
);
comment on table private.consents is
  'The last word of an address about a topic, or about all of them. No row: the default of the topic.';
create index consents_topic_id_idx on private.consents (workspace_id, topic_id);
alter table private.consents enable row level security;

create table private.topic_counts (
  workspace_id uuid not null,
  id bigint generated always as identity,
  topic_id uuid not null,
  subscribed bigint not null,
  unsubscribed bigint not null,
  primary key (workspace_id, topic_id, id)
);
comment on table private.topic_counts is
  'Changes of how many addresses joined and left a topic. Appended, so that nobody waits for a counter; the frequent tasks add them up.';
alter table private.topic_counts enable row level security;

create table public.suppressions (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  channel text not null check (channel in ('email')),
  address_hash bytea not null check (octet_length(address_hash) = 32),
  -- Null after the erasure of a customer with this address.
  address text check (char_length(address) <= 254),
  reason text not null check (reason in (
    'manual', 'import', 'hard_bounce', 'soft_bounces', 'complaint'
  )),
  source text not null check (source in ('api', 'import', 'event', 'feedback')),
  -- Null: without end.
  until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, id),
  constraint suppressions_address_key unique (workspace_id, channel, address_hash)
);
comment on table public.suppressions is
  'Addresses that nothing is sent to, until a time or without end.';
create index suppressions_until_idx on public.suppressions (until) where until is not null;
alter table public.suppressions enable row level security;

grant select, insert, update, delete on public.topics to signalpost_user, signalpost_key;
grant select, delete on public.suppressions to signalpost_user, signalpost_key;
grant select on private.topic_counts to signalpost_user, signalpost_key;

create policy "Members can read topics" on public.topics
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read topics" on public.topics
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(
    array['topics:read', 'topics:write', 'customers:read', 'customers:write', 'sends:write']
  )));
create policy "Admins can create topics" on public.topics
  for insert to signalpost_user
  with check (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can change topics" on public.topics
  for update to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')))
  with check (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Admins can delete topics" on public.topics
  for delete to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Keys can create topics" on public.topics
  for insert to signalpost_key
  with check (workspace_id = (select private.key_workspace_id(array['topics:write'])));
create policy "Keys can change topics" on public.topics
  for update to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['topics:write'])))
  with check (workspace_id = (select private.key_workspace_id(array['topics:write'])));
create policy "Keys can delete topics" on public.topics
  for delete to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['topics:write'])));

create policy "Members can read counts of topics" on private.topic_counts
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read counts of topics" on private.topic_counts
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['topics:read', 'topics:write'])));

create policy "Members can read suppressions" on public.suppressions
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read suppressions" on public.suppressions
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(
    array['suppressions:read', 'suppressions:write']
  )));
create policy "Admins can lift suppressions" on public.suppressions
  for delete to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('admin')));
create policy "Keys can lift suppressions" on public.suppressions
  for delete to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['suppressions:write'])));

-- Before the step that ends the search terms.
insert into private.erasure_steps (subject, position, step, function_name)
values ('customer', 55, 'suppressions', 'private.erase_suppressed_addresses');
insert into private.periodic_tasks (name, every, position, call)
values ('add up topic counts', '10 seconds', 45, 'private.fold_topic_counts()');
insert into private.periodic_tasks (name, every, position, call, batch_size, max_batches)
values
  ('delete expired suppressions', '1 hour', 45, 'private.delete_expired_suppressions($1, $2)', 10000, 20);

-- Generated by deno task db:release, hence its length: edit the files of supabase/schema.
set check_function_bodies = off;

-- schema/consent/addresses.sql 460db716ed9e64a9
-- Purpose: the keyed hash of an address, by which consent, suppression and caps are kept.

create or replace function private.normalize_address(p_channel text, p_address text)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  -- One channel so far. No dots or plus signs are removed: their meaning is the provider's.
  select nullif(lower(normalize(btrim(p_address, e' \t\n\r'))), '')
$$;
comment on function private.normalize_address(text, text) is
  'The form in which two spellings of one address are equal; null for none.';

create or replace function private.make_workspace_keys()
returns trigger
language plpgsql
volatile
-- Definer: the creator of a workspace may not write its keys.
security definer
set search_path = ''
as $$
declare
  v_key bytea;
  v_inner bytea;
  v_outer bytea;
  v_purpose text;
begin
  foreach v_purpose in array array['address', 'link'] loop
    v_key := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
    v_inner := v_key || decode(repeat('00', 32), 'hex');
    v_outer := v_inner;
    for i in 0 .. 63 loop
      v_inner := set_byte(v_inner, i, get_byte(v_inner, i) # 54);
      v_outer := set_byte(v_outer, i, get_byte(v_outer, i) # 92);
    end loop;
    insert into private.workspace_keys (workspace_id, purpose, key, inner_pad, outer_pad)
    values (new.id, v_purpose, v_key, v_inner, v_outer);
  end loop;
  return null;
end
$$;
comment on function private.make_workspace_keys() is
  'Makes the keys of a new workspace. A key has 244 random bits, from two UUIDs.';

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

-- schema/consent/topics.sql 67c886d58d3406e3
-- Purpose: topics, and how many addresses joined and left each.

create or replace function private.stamp_topic()
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
comment on function private.stamp_topic() is 'Keeps updated_at of a topic.';

create or replace function private.forget_topic()
returns trigger
language plpgsql
volatile
-- Definer: a caller that deletes a topic may not write the consents.
security definer
set search_path = ''
as $$
begin
  delete from private.consents as c
  where c.workspace_id = old.workspace_id and c.topic_id = old.id;
  delete from private.topic_counts as c
  where c.workspace_id = old.workspace_id and c.topic_id = old.id;
  return null;
end
$$;
comment on function private.forget_topic() is
  'Deletes the consents and counts of a deleted topic.';

create or replace function private.count_consents()
returns trigger
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    insert into private.topic_counts (workspace_id, topic_id, subscribed, unsubscribed)
    select
      a.workspace_id, a.topic_id, count(*) filter (where a.subscribed),
      count(*) filter (where not a.subscribed)
    from added as a
    group by a.workspace_id, a.topic_id;
    return null;
  end if;
  insert into private.topic_counts (workspace_id, topic_id, subscribed, unsubscribed)
  select c.workspace_id, c.topic_id, sum(c.subscribed), sum(c.unsubscribed)
  from (
    select a.workspace_id, a.topic_id, a.subscribed::integer, (not a.subscribed)::integer
    from added as a
    union all
    select r.workspace_id, r.topic_id, -r.subscribed::integer, -(not r.subscribed)::integer
    from removed as r
  ) as c (workspace_id, topic_id, subscribed, unsubscribed)
  group by c.workspace_id, c.topic_id
  having sum(c.subscribed) <> 0 or sum(c.unsubscribed) <> 0;
  return null;
end
$$;
comment on function private.count_consents() is
  'Appends what a statement changed in the counts of each topic.';

create or replace function private.fold_topic_counts()
returns integer
language sql
volatile
security invoker
set search_path = ''
as $$
  with gone as (
    delete from private.topic_counts as c
    using (
      select t.workspace_id, t.topic_id
      from private.topic_counts as t
      group by t.workspace_id, t.topic_id
      having count(*) > 1
    ) as k
    where c.workspace_id = k.workspace_id and c.topic_id = k.topic_id
    returning c.*
  ),
  folded as (
    insert into private.topic_counts (workspace_id, topic_id, subscribed, unsubscribed)
    select g.workspace_id, g.topic_id, sum(g.subscribed), sum(g.unsubscribed)
    from gone as g
    group by g.workspace_id, g.topic_id
    returning 1
  )
  select count(*)::integer from folded
$$;
comment on function private.fold_topic_counts() is
  'Adds the counts of each topic up to one row; returns the number of topics.';

-- schema/consent/consents.sql cbe2e4923088330c
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
    -- What is newer counts: a word about the topic, or about all topics.
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
  'States of addresses: one row per address and topic, or about one topic, and when the address last said so; changed_at is null for the default.';

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
  'True if an address is subscribed to a topic; false without an address or topic. Suppression is another question.';

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
  -- Nothing depends on consent yet.
  return;
end
$$;
comment on function private.note_consent_changes(uuid, text, text[], timestamptz) is
  'Called after the consent of these normalised addresses changed.';

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
        private.address_hash(p_workspace_id, 'email', c.address) as hash,
        coalesce(c.topic_id, private.all_topics()) as topic_id, c.subscribed, c.source,
        c.ordinality
      from rows from (
        jsonb_to_recordset(p_changes) as (address text, topic_id uuid, subscribed boolean, source text)
      ) with ordinality as c (address, topic_id, subscribed, source, ordinality)
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
    -- Said again, it still counts as newer than a word about all topics.
    on conflict (workspace_id, channel, address_hash, topic_id) do update
    set
      subscribed = excluded.subscribed, source = excluded.source,
      changed_at = greatest(k.changed_at, excluded.changed_at)
    returning k.address_hash
  )
  select array_agg(distinct c.address) into v_addresses
  from changed as d
  join changes as c on c.hash = d.address_hash;
  if v_addresses is not null then
    perform private.note_consent_changes(p_workspace_id, 'email', v_addresses, p_now);
  end if;
  return coalesce(cardinality(v_addresses), 0);
end
$$;
comment on function private.set_consents(uuid, jsonb, timestamptz) is
  'Records what the owners of addresses said: a JSON array of { address, topic_id, subscribed, source }, a null topic_id for all topics. Returns the number of addresses.';

create or replace function private.copy_opt_outs(
  p_workspace_id uuid,
  p_from text[],
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
  from unnest(p_from) as f (address)
  join private.consents as c
    on c.workspace_id = p_workspace_id and c.channel = 'email' and not c.subscribed
    and c.address_hash = private.address_hash(p_workspace_id, 'email', f.address)
  where c.address_hash <> v_to
  group by c.workspace_id, c.channel, c.topic_id
  order by c.topic_id
  on conflict (workspace_id, channel, address_hash, topic_id) do update
  set subscribed = false, source = excluded.source, changed_at = excluded.changed_at
  -- A later word of the new address stays.
  where k.subscribed and k.changed_at < excluded.changed_at;
  if found then
    perform private.note_consent_changes(
      p_workspace_id, 'email', array[private.normalize_address('email', p_to)], p_now
    );
  end if;
end
$$;
comment on function private.copy_opt_outs(uuid, text[], text, timestamptz) is
  'Copies the opt-outs of former addresses to the one that replaces them; opt-ins are not copied.';

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
      when old.email is not null then array[old.email]
      -- The first address of a customer may replace those of records merged into it.
      else array(
        select m.profile ->> 'email'
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
  'Takes the opt-outs of a customer along when the address changes.';

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
  'Subscribes the address of a customer to a topic, or withdraws it; false when there is no such customer. SP409 without an address.';
grant execute on function private.set_customer_topic(uuid, uuid, uuid, boolean)
  to signalpost_user, signalpost_key;

-- schema/consent/suppressions.sql 119259d2583375c2
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
      private.normalize_address('email', e.email) as address
    from jsonb_to_recordset(p_entries) as e (
      email text, reason text, source text, until timestamptz
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
  'Suppresses addresses: a JSON array of { email, reason, source, until }. A weaker suppression does not replace a stronger one. Returns how many are new or changed.';

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
  'The id of the suppression of an address in a workspace of the caller''s, also after an erasure; null when there is none.';
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
  'Deletes up to p_limit suppressions that have ended; returns how many.';

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
  'Removes the addresses of an erased customer from the suppressions, which go on by their hash.';

reset check_function_bodies;

create trigger workspaces_make_keys after insert on public.workspaces
  for each row execute function private.make_workspace_keys();

create trigger topics_stamp before update on public.topics
  for each row execute function private.stamp_topic();

create trigger topics_forget after delete on public.topics
  for each row execute function private.forget_topic();

create trigger consents_count_added after insert on private.consents
  referencing new table as added
  for each statement execute function private.count_consents();

create trigger consents_count_changed after update on private.consents
  referencing old table as removed new table as added
  for each statement execute function private.count_consents();

create trigger customers_follow_address after update of email on public.customers
  for each row when (new.email is not null and new.email is distinct from old.email)
  execute function private.follow_address();
