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
  'Subjects that a customer subscribes to. default_state is the state of an address without a choice.';
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

-- schema/consent/consents.sql 76d97a31e2205c08
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
  if exists (
    select from private.segment_parts as p where p.workspace_id = p_workspace_id and p.kind = 'topic'
  ) then
    insert into private.signals (workspace_id, kind, customer_id)
    select p_workspace_id, 'consent', c.id
    from unnest(p_addresses) as a (address)
    cross join lateral (
      select x.id from public.customers as x
      where x.workspace_id = p_workspace_id and x.email is not null and lower(x.email) = a.address
    ) as c;
  end if;
end
$$;
comment on function private.note_consent_changes(uuid, text, text[], timestamptz) is
  'Notes the customers with these normalised addresses for the next fold, because their consent changed.';

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

-- schema/cells/addresses.sql ebe2ddd3c1043b78
-- Purpose: where the workspaces of keys and sources went.

create or replace function private.cell_name()
returns text
language sql
stable
security invoker
set search_path = ''
as $$
  select c.name from private.this_cell as c
$$;
comment on function private.cell_name() is 'The name of this cell; 00 is the first.';

create or replace function ops.name_cell(p_name text)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if p_name <> private.cell_name() and exists (select from public.workspaces) then
    raise sqlstate 'SP409' using
      message = format('Cannot name cell "%s": it has workspaces as "%s"', p_name, private.cell_name());
  end if;
  update private.this_cell as c set name = p_name where c.name <> p_name;
end
$$;
comment on function ops.name_cell(text) is
  'Names the cell of this database, before it has workspaces: the two digits of CELL_DATABASE_URLS.';

create or replace function private.find_moved_addresses(p_addresses bytea[])
returns table (address bytea, cell text)
language sql
stable
-- Definer: called before the workspace of the caller is known.
security definer
set search_path = ''
set jit = 'off'
as $$
  select m.address, m.cell from private.moved_addresses as m where m.address = any (p_addresses)
$$;
comment on function private.find_moved_addresses(bytea[]) is
  'The cells of the workspaces that moved away, by keys (SHA-256) and sources (the bytes of the id).';
grant execute on function private.find_moved_addresses(bytea[]) to signalpost_ingest, signalpost_key;

-- schema/cells/directory.sql b92757ab33d1093b
-- Purpose: the first cell knows who belongs to workspaces in other cells, and other cells know the
--          accounts of their members.

create or replace function private.user_directory(p_user_id uuid)
returns table (workspace_id uuid, cell text)
language sql
stable
-- Definer: called before the workspace of the caller is known.
security definer
set search_path = ''
as $$
  select d.workspace_id, d.cell from private.directory as d where d.user_id = p_user_id
$$;
comment on function private.user_directory(uuid) is
  'The workspaces of a user that live in other cells. Only the first cell has any.';
grant execute on function private.user_directory(uuid) to signalpost_key;

create or replace function private.member_user_ids(p_workspace_id uuid)
returns uuid[]
language sql
stable
-- Definer: the api copies them to the directory after the caller's transaction.
security definer
set search_path = ''
as $$
  select array(
    select m.user_id from public.workspace_members as m
    where m.workspace_id = p_workspace_id
    order by m.user_id
  )
$$;
comment on function private.member_user_ids(uuid) is 'The users who belong to a workspace.';
grant execute on function private.member_user_ids(uuid) to signalpost_key;

create or replace function private.set_directory(p_workspace_id uuid, p_cell text, p_user_ids uuid[])
returns void
language plpgsql
volatile
-- Definer: the api may not write tables; an entry gives no access, only the way to the cell.
security definer
set search_path = ''
as $$
begin
  delete from private.directory as d
  where d.workspace_id = p_workspace_id and d.user_id <> all (p_user_ids);
  insert into private.directory (workspace_id, user_id, cell)
  select p_workspace_id, u.id, p_cell from unnest(p_user_ids) as u (id)
  on conflict (workspace_id, user_id) do update set cell = excluded.cell
  where directory.cell <> excluded.cell;
end
$$;
comment on function private.set_directory(uuid, text, uuid[]) is
  'Writes the members of a workspace in another cell to the directory; without members it is removed.';
grant execute on function private.set_directory(uuid, text, uuid[]) to signalpost_key;

create or replace function private.export_accounts(p_user_ids uuid[])
returns jsonb
language sql
stable
-- Definer: accounts are in auth.users, which no caller may read.
security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', u.id, 'email', u.email, 'email_confirmed_at', u.email_confirmed_at,
    'banned_until', u.banned_until, 'deleted_at', u.deleted_at, 'created_at', u.created_at
  )), '[]')
  from auth.users as u
  where u.id = any (p_user_ids)
$$;
comment on function private.export_accounts(uuid[]) is
  'The accounts that another cell needs of these users, as private.import_accounts reads them.';
grant execute on function private.export_accounts(uuid[]) to signalpost_key;

create or replace function private.import_accounts(p_accounts jsonb)
returns void
language plpgsql
volatile
-- Definer: accounts are in auth.users, which no caller may write.
security definer
set search_path = ''
-- A copy is not a sign-up: see private.welcome_user.
set "signalpost.is_copied_account" = 'on'
as $$
begin
  if private.cell_name() = '00' then
    raise sqlstate 'SP403' using message = 'Cannot copy accounts: this cell is their own';
  end if;
  insert into auth.users (id, email, email_confirmed_at, banned_until, deleted_at, created_at)
  select a.id, a.email, a.email_confirmed_at, a.banned_until, a.deleted_at, a.created_at
  from jsonb_to_recordset(p_accounts) as a (
    id uuid, email text, email_confirmed_at timestamptz, banned_until timestamptz,
    deleted_at timestamptz, created_at timestamptz
  )
  on conflict (id) do update set
    email = excluded.email, email_confirmed_at = excluded.email_confirmed_at,
    banned_until = excluded.banned_until, deleted_at = excluded.deleted_at
  where (users.email, users.email_confirmed_at, users.banned_until, users.deleted_at)
    is distinct from (
      excluded.email, excluded.email_confirmed_at, excluded.banned_until, excluded.deleted_at
    );
end
$$;
comment on function private.import_accounts(jsonb) is
  'Copies accounts of the first cell to this one, for its members and invitations. SP403 in the first cell.';
grant execute on function private.import_accounts(jsonb) to signalpost_key;

-- schema/cells/fence.sql c1306c937925dda0
-- Purpose: refuses every change of one workspace while it moves.
-- Locks:   creating or dropping a trigger waits for the writers of the table and holds up later ones,
--          hence the short lock_timeout: 55P03, call it again.

create or replace function private.refuse_change()
returns trigger
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- A batch of background work must not fail because of one workspace. A caller must know.
  if tg_op = any (string_to_array(tg_argv[0], ' '))
    and current_user not in ('signalpost_user', 'signalpost_key')
  then
    return null;
  end if;
  raise sqlstate 'SP503' using message = 'Workspace is being moved: nothing was stored';
end
$$;
comment on function private.refuse_change() is
  'Raises SP503 for a change of a workspace that is being moved, or skips it if its argument names the operation.';

create or replace function private.fence_name(p_workspace_id uuid)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select 'signalpost_move_' || replace(p_workspace_id::text, '-', '')
$$;
comment on function private.fence_name(uuid) is
  'The name of the triggers, the publication, the subscription and the slot of a move.';

create or replace function ops.fence_table(p_workspace_id uuid, p_table regclass)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set lock_timeout = '100ms'
as $$
declare
  v_name text := private.fence_name(p_workspace_id);
  v_rule record;
begin
  select m.* into strict v_rule from private.moved_tables() as m where m.name = p_table;
  if exists (
    select from pg_catalog.pg_trigger as t where t.tgrelid = p_table and t.tgname = v_name
  ) then
    return;
  end if;
  execute format(
    'create trigger %I before insert on %s for each row when (new.%I = %L)
     execute function private.refuse_change(%L)',
    v_name, p_table, v_rule.workspace_column, p_workspace_id, array_to_string(v_rule.skips, ' ')
  );
  -- Rows that are taken out may still change until they are.
  if not v_rule.is_taken_out then
    execute format(
      'create trigger %I before update or delete on %s for each row when (old.%I = %L)
       execute function private.refuse_change(%L)',
      v_name || '_', p_table, v_rule.workspace_column, p_workspace_id,
      array_to_string(v_rule.skips, ' ')
    );
  end if;
end
$$;
comment on function ops.fence_table(uuid, regclass) is
  'Refuses changes of a workspace in a table; doing it again changes nothing.';

create or replace function ops.open_table(p_workspace_id uuid, p_table regclass)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set lock_timeout = '100ms'
as $$
declare
  v_name text := private.fence_name(p_workspace_id);
begin
  if not exists (
    select from pg_catalog.pg_trigger as t
    where t.tgrelid = p_table and t.tgname in (v_name, v_name || '_')
  ) then
    return;
  end if;
  execute format('drop trigger if exists %I on %s', v_name, p_table);
  execute format('drop trigger if exists %I on %s', v_name || '_', p_table);
end
$$;
comment on function ops.open_table(uuid, regclass) is
  'Allows changes of a workspace in a table again; doing it again changes nothing.';

create or replace function ops.fenced_tables()
returns table (name text)
language sql
stable
security invoker
set search_path = ''
as $$
  -- The mark is written behind the fence.
  select m.name::text from private.moved_tables() as m
  where m.name <> 'private.move_marks'::regclass
  -- Those that every entry writes come last, so that callers wait for a shorter time.
  order by m.name = any (array[
    'private.idempotency_keys', 'private.lane_arrivals', 'private.usage_deltas',
    'private.webhook_queue', 'public.customers', 'public.events', 'public.webhook_messages'
  ]::regclass[])
$$;
comment on function ops.fenced_tables() is 'The tables to call ops.fence_table for.';

-- schema/cells/moves.sql 3920b629d50ebdc3
-- Purpose: the steps of a move that need one database; deno task cells:move calls them in order.
-- Locks:   those of the rows they change.

create or replace function ops.start_move_out(p_workspace_id uuid, p_cell text)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_tables text;
begin
  perform from public.workspaces as w where w.id = p_workspace_id for no key update;
  if not found or private.is_erased(p_workspace_id) then
    raise sqlstate 'SP404' using
      message = format('Cannot move workspace "%s": it does not exist in this cell', p_workspace_id);
  end if;
  insert into private.workspace_moves (workspace_id, direction, cell, state)
  values (p_workspace_id, 'out', p_cell, 'copying');
  select string_agg(format('table %s where (workspace_id = %L)', m.name, p_workspace_id), ', ')
  into v_tables
  from private.moved_tables() as m
  where not m.is_copied;
  execute format(
    'create publication %I for %s with (publish_via_partition_root = true)',
    private.fence_name(p_workspace_id), v_tables
  );
end
$$;
comment on function ops.start_move_out(uuid, text) is
  'Starts a move to another cell: publishes the rows of the workspace.';

create or replace function ops.start_move_in(p_workspace_id uuid, p_cell text, p_plan_id text)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_left text := (
    select string_agg(m.name::text, ', ') from private.moved_tables() as m
    where private.has_rows(m.name, m.workspace_column, p_workspace_id)
  );
begin
  if not exists (select from public.plans as p where p.id = p_plan_id) then
    raise sqlstate 'SP409' using message = format(
      'Cannot move workspace "%s": this cell has no plan "%s"', p_workspace_id, p_plan_id
    );
  elsif v_left is not null then
    raise sqlstate 'SP409' using message = format(
      'Cannot move workspace "%s": this cell already has rows of it in %s', p_workspace_id, v_left
    );
  end if;
  insert into private.workspace_moves (workspace_id, direction, cell, state)
  values (p_workspace_id, 'in', p_cell, 'arriving');
end
$$;
comment on function ops.start_move_in(uuid, text, text) is
  'Starts a move from another cell; nobody finds the workspace here before it is adopted.';

create or replace function ops.hold_deliveries(p_workspace_id uuid)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- As if a dispatcher had them: no other claims from a lane with requests in flight.
  update private.lanes as l
  set
    in_flight = l.in_flight + case when l.owner = p_workspace_id then 0 else 1 end,
    owner = p_workspace_id,
    refilled_at = clock_timestamp() + interval '1 minute'
  where l.workspace_id = p_workspace_id;
  return (
    select count(*) from private.lanes as l
    join private.webhook_queue as q
      on q.destination_id = l.destination_id and q.workspace_id = l.workspace_id
    where l.workspace_id = p_workspace_id and q.lease_until is not null
  );
end
$$;
comment on function ops.hold_deliveries(uuid) is
  'Keeps dispatchers from claiming deliveries of a workspace, for a minute; returns how many are in flight.';

create or replace function private.free_lanes(p_workspace_id uuid)
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  update private.lanes as l
  set
    owner = null,
    refilled_at = least(l.refilled_at, clock_timestamp()),
    in_flight = w.in_flight,
    due_at = w.due_at,
    manual_due_at = w.manual_due_at
  from (
    select
      k.destination_id,
      count(q.message_id) filter (where q.claim is not null)::integer as in_flight,
      min(q.due_at) filter (where q.claim is null and not q.is_manual) as due_at,
      min(q.due_at) filter (where q.claim is null and q.is_manual) as manual_due_at
    from private.lanes as k
    left join private.webhook_queue as q
      on q.workspace_id = k.workspace_id and q.destination_id = k.destination_id
    where k.workspace_id = p_workspace_id
    group by k.destination_id
  ) as w
  where l.workspace_id = p_workspace_id and l.destination_id = w.destination_id
$$;
comment on function private.free_lanes(uuid) is
  'Sets the lanes of a workspace to what is in its queue, and lets dispatchers claim from them.';

create or replace function ops.take_out_workspace(p_workspace_id uuid)
returns uuid
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_rows jsonb := '{}';
  v_table record;
  v_mark uuid;
begin
  perform set_config('session_replication_role', 'replica', true);
  for v_table in
    select m.* from private.moved_tables() as m where m.is_copied order by m.is_taken_out, m.name::text
  loop
    if v_table.is_taken_out then
      -- Waits for those who change a row right now.
      execute format('select from %s where %I = $1 for update', v_table.name, v_table.workspace_column)
      using p_workspace_id;
    end if;
    v_rows := v_rows || jsonb_build_object(
      v_table.name::text,
      private.export_rows(v_table.name, v_table.workspace_column, p_workspace_id)
    );
    if v_table.is_taken_out then
      execute format('delete from %s where %I = $1', v_table.name, v_table.workspace_column)
      using p_workspace_id;
    end if;
  end loop;
  insert into private.move_marks (workspace_id) values (p_workspace_id) returning id into v_mark;
  update private.workspace_moves as m
  set state = 'switching', taken_rows = v_rows
  where m.workspace_id = p_workspace_id and m.direction = 'out' and m.state = 'copying';
  if not found then
    raise sqlstate 'SP409' using
      message = format('Cannot switch workspace "%s": it is not being copied', p_workspace_id);
  end if;
  perform set_config('session_replication_role', 'origin', true);
  return v_mark;
end
$$;
comment on function ops.take_out_workspace(uuid) is
  'Stops the background work of a fenced workspace: keeps its rows of the tables that move as a whole, and returns the mark that ends its replication.';

create or replace function private.advance_sequences(p_workspace_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_column record;
  v_last bigint;
begin
  for v_column in
    select m.name, a.attname, pg_get_serial_sequence(m.name::text, a.attname)::regclass as sequence
    from private.moved_tables() as m
    join pg_catalog.pg_attribute as a on a.attrelid = m.name and a.attidentity <> ''
    where not m.is_copied
  loop
    execute format('select max(%I) from %s where workspace_id = $1', v_column.attname, v_column.name)
    into v_last using p_workspace_id;
    if v_last >= coalesce(pg_sequence_last_value(v_column.sequence), 0) then
      -- Far ahead: a value that somebody takes right now must not come a second time.
      perform setval(v_column.sequence, v_last + 1000000);
    end if;
  end loop;
end
$$;
comment on function private.advance_sequences(uuid) is
  'Sets sequences behind the values that a workspace brought along.';

create or replace function ops.adopt_workspace(p_workspace_id uuid, p_rows jsonb, p_accounts jsonb)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_table record;
begin
  update private.workspace_moves as m
  set state = 'adopted', switched_at = clock_timestamp()
  where m.workspace_id = p_workspace_id and m.direction = 'in' and m.state = 'arriving';
  if not found then
    raise sqlstate 'SP409' using
      message = format('Cannot adopt workspace "%s": it is not arriving', p_workspace_id);
  end if;
  perform set_config('session_replication_role', 'replica', true);
  insert into auth.users (id, email, email_confirmed_at, created_at)
  select a.id, a.email, a.email_confirmed_at, a.created_at
  from jsonb_to_recordset(p_accounts)
    as a (id uuid, email text, email_confirmed_at timestamptz, created_at timestamptz)
  on conflict (id) do nothing;
  for v_table in select t.key::regclass as name, t.value from jsonb_each(p_rows) as t loop
    perform private.import_rows(v_table.name, v_table.value);
  end loop;
  -- Deliveries in flight are sent again, as after a crash.
  update private.webhook_queue as q
  set claim = null, claimed_at = null, lease_until = null
  where q.workspace_id = p_workspace_id and q.claim is not null;
  perform private.free_lanes(p_workspace_id);
  perform private.advance_sequences(p_workspace_id);
  delete from private.moved_addresses as m where m.workspace_id = p_workspace_id;
  delete from private.directory as d where d.workspace_id = p_workspace_id;
  delete from private.move_marks as m where m.workspace_id = p_workspace_id;
  perform set_config('session_replication_role', 'origin', true);
  perform private.wake_dispatcher();
end
$$;
comment on function ops.adopt_workspace(uuid, jsonb, jsonb) is
  'Switches a workspace on in this cell, with the rows that ops.take_out_workspace kept and the accounts of its members. From here on a move cannot be undone, only repeated in the other direction.';

create or replace function ops.finish_move_out(p_workspace_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_cell text;
begin
  perform set_config('session_replication_role', 'replica', true);
  update private.workspace_moves as m
  set state = 'moved', taken_rows = null, switched_at = clock_timestamp()
  where m.workspace_id = p_workspace_id and m.direction = 'out' and m.state = 'switching'
  returning m.cell into v_cell;
  if not found then
    raise sqlstate 'SP409' using
      message = format('Cannot finish moving workspace "%s": it is not being switched', p_workspace_id);
  end if;
  insert into private.moved_addresses (address, workspace_id, cell)
  select k.hash, p_workspace_id, v_cell from private.api_keys as k
  where k.workspace_id = p_workspace_id and k.revoked_at is null
  union all
  select uuid_send(s.id), p_workspace_id, v_cell from public.inbound_sources as s
  where s.workspace_id = p_workspace_id
  on conflict (address) do update set cell = excluded.cell;
  delete from private.api_keys as k where k.workspace_id = p_workspace_id;
  delete from public.inbound_sources as s where s.workspace_id = p_workspace_id;
  delete from public.invitations as i where i.workspace_id = p_workspace_id;
  delete from public.workspace_members as m where m.workspace_id = p_workspace_id;
  perform set_config('session_replication_role', 'origin', true);
end
$$;
comment on function ops.finish_move_out(uuid) is
  'Sends callers of a workspace that another cell has adopted there: its keys and sources redirect.';

create or replace function ops.undo_move_out(p_workspace_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_move private.workspace_moves;
  v_table record;
begin
  delete from private.workspace_moves as m
  where m.workspace_id = p_workspace_id and m.direction = 'out' and m.state in ('copying', 'switching')
  returning * into v_move;
  if not found then
    raise sqlstate 'SP409' using
      message = format('Cannot undo moving workspace "%s": it has moved', p_workspace_id);
  end if;
  perform set_config('session_replication_role', 'replica', true);
  if v_move.state = 'switching' then
    for v_table in
      select m.name from private.moved_tables() as m where m.is_taken_out
    loop
      -- The fence skips new lanes, so none can be in the way.
      perform private.import_rows(v_table.name, v_move.taken_rows -> v_table.name::text);
    end loop;
  end if;
  delete from private.move_marks as m where m.workspace_id = p_workspace_id;
  perform private.free_lanes(p_workspace_id);
  perform set_config('session_replication_role', 'origin', true);
  perform private.wake_dispatcher();
end
$$;
comment on function ops.undo_move_out(uuid) is
  'Puts back what ops.take_out_workspace took, and ends the move; the fence is to be opened after it.';

create or replace view ops.cells with (security_invoker = true) as
select
  private.cell_name() as cell,
  (select count(*) from public.workspaces) as workspaces,
  pg_database_size(current_database()) as bytes,
  coalesce(u.events, 0) as events_last_hour,
  coalesce(u.bytes, 0) as ingested_bytes_last_hour,
  coalesce((select sum(b.waiting) from ops.backlog as b), 0) as waiting_deliveries,
  (
    select count(*) from pg_catalog.pg_stat_activity as a where a.datname = current_database()
  ) as connections,
  (select count(*) from private.workspace_moves) as moves
from (
  select sum(s.events) as events, sum(s.bytes) as bytes
  from public.usage_stats as s
  where s.hour >= date_trunc('hour', now()) - interval '1 hour'
) as u;
comment on view ops.cells is
  'The load and size of this cell; deno task cells shows all. Figures of the last hour cover the last whole hour and the current one.';

-- schema/cells/rows.sql 3d44cdd2174c988b
-- Purpose: the rows of a workspace that moves, by table; everything is read from the catalog.

create or replace function private.moved_tables()
returns table (
  name regclass,
  workspace_column text,
  is_copied boolean,
  is_taken_out boolean,
  skips text[]
)
language sql
stable
security invoker
set search_path = ''
as $$
  select
    t.name, case t.name when 'public.workspaces'::regclass then 'id' else 'workspace_id' end,
    coalesce(r.is_copied, false), coalesce(r.is_taken_out, false), coalesce(r.skips, '{}')
  from (
    select t as name from private.tenant_tables() as t
    union all
    values ('private.erasures'::regclass), ('public.workspaces'::regclass)
  ) as t
  join pg_catalog.pg_class as c on c.oid = t.name
  left join private.move_rules as r on to_regclass(r.table_name) = t.name
  -- Unlogged tables do not survive a crash either.
  where c.relpersistence = 'p'
    and t.name <> all (array[
      'private.moved_addresses', 'private.directory', 'private.workspace_moves'
    ]::regclass[])
  order by t.name::text
$$;
comment on function private.moved_tables() is
  'Every table whose rows move with their workspace, and how: see private.move_rules.';

create or replace function private.list_columns(p_table regclass)
returns text
language sql
stable
security invoker
set search_path = ''
as $$
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
  from pg_catalog.pg_attribute as a
  where a.attrelid = p_table and a.attnum > 0 and not a.attisdropped
    and a.attgenerated = '' and a.attidentity = ''
$$;
comment on function private.list_columns(regclass) is
  'The columns of a table that an insert writes, as a list in SQL.';

create or replace function private.export_rows(p_table regclass, p_column text, p_workspace_id uuid)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_rows jsonb;
begin
  execute format(
    'select coalesce(jsonb_agg(to_jsonb(t)), ''[]'') from %s as t where %I = $1', p_table, p_column
  ) into v_rows using p_workspace_id;
  return v_rows;
end
$$;
comment on function private.export_rows(regclass, text, uuid) is
  'All rows of a workspace in a table, as JSON.';

create or replace function private.import_rows(p_table regclass, p_rows jsonb)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  execute format(
    'insert into %1$s (%2$s) select %2$s from jsonb_populate_recordset(null::%1$s, $1)',
    p_table, private.list_columns(p_table)
  ) using p_rows;
end
$$;
comment on function private.import_rows(regclass, jsonb) is
  'Inserts rows of private.export_rows; identity columns get new values.';

create or replace function private.has_rows(p_table regclass, p_column text, p_workspace_id uuid)
returns boolean
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_has boolean;
begin
  execute format('select exists (select from %s where %I = $1)', p_table, p_column)
  into v_has using p_workspace_id;
  return v_has;
end
$$;
comment on function private.has_rows(regclass, text, uuid) is
  'True when a table has a row of the workspace.';

create or replace function private.delete_moved_rows(p_workspace_id uuid, p_limit integer)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_table record;
  v_left integer := p_limit;
  v_deleted integer;
begin
  -- Without triggers: nothing is announced, and no fence is in the way.
  perform set_config('session_replication_role', 'replica', true);
  for v_table in select m.name, m.workspace_column from private.moved_tables() as m loop
    -- A ctid may match rows of another partition: the workspace excludes those of others.
    execute format(
      'delete from %1$s where %2$I = $1
         and ctid = any (array(select ctid from %1$s where %2$I = $1 limit $2))',
      v_table.name, v_table.workspace_column
    ) using p_workspace_id, v_left;
    get diagnostics v_deleted = row_count;
    v_left := v_left - v_deleted;
    exit when v_left <= 0;
  end loop;
  perform set_config('session_replication_role', 'origin', true);
  return p_limit - v_left;
end
$$;
comment on function private.delete_moved_rows(uuid, integer) is
  'Deletes up to about p_limit rows of a workspace that is no longer in this cell, or not yet; returns how many.';

-- schema/segments/documents.sql 70589cc3ab4ef6eb
-- Purpose: segments and their members as the api shows them.

create or replace function private.segment_documents(p_workspace_id uuid, p_customer_ids uuid[])
returns table (customer_id uuid, document jsonb)
language plpgsql
stable
-- Definer: readers of segments may see the members without the scope customers:read.
security definer
set search_path = ''
as $$
begin
  if private.is_readable(p_workspace_id, array['customers:read', 'segments:read', 'segments:write']) then
    return query
    select d.customer_id, d.document
    from private.customer_documents(p_workspace_id, p_customer_ids) as d;
  end if;
end
$$;
comment on function private.segment_documents(uuid, uuid[]) is
  'Customers as the api shows them, for readers of segments.';
grant execute on function private.segment_documents(uuid, uuid[]) to signalpost_user, signalpost_key;

create or replace function private.customer_memberships(p_workspace_id uuid, p_customer_id uuid)
returns table (segment_id uuid, key text, name text, kind text, since timestamptz)
language plpgsql
stable
-- Definer: readers of customers may see a customer's segments without the scope segments:read.
security definer
set search_path = ''
as $$
begin
  return query
  select s.id, s.key, s.name, s.kind, m.since
  from private.customer_segments(p_workspace_id, p_customer_id) as m
  join public.segments as s on s.workspace_id = p_workspace_id and s.id = m.segment_id
  order by lower(s.name), s.id;
end
$$;
comment on function private.customer_memberships(uuid, uuid) is
  'The segments that a customer is in, with their names; none without the right to read customers.';
grant execute on function private.customer_memberships(uuid, uuid) to signalpost_user, signalpost_key;

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
