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

-- schema/conditions/compile.sql 14bb1b2852cd3771
-- Purpose: conditions as set-wise SQL, compiled when they are needed and never stored.
-- Risk:    values become literals by format(%L) and nothing else.

create or replace function private.topic_sql(p_leaf jsonb)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select format(
    'select private.is_subscribed($1, ''email'', c.email, %L::uuid) = %L::boolean as holds,
       ''infinity''::timestamptz as until, null::jsonb as fact',
    p_leaf ->> 'topic', coalesce(p_leaf ->> 'subscribed', 'true')
  )
$$;
comment on function private.topic_sql(jsonb) is
  'SQL of a leaf about a topic: whether the customer''s address is subscribed.';

create or replace function private.segment_sql(p_leaf jsonb)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select format(
    'select exists (
       select
       from public.segments as s
       join public.segment_members as m
         on m.workspace_id = s.workspace_id and m.segment_id = s.id and m.version = s.version
         and m.customer_id = c.id
       where s.workspace_id = $1 and s.id = %L::uuid
     ) as holds, ''infinity''::timestamptz as until, null::jsonb as fact',
    p_leaf ->> 'segment'
  )
$$;
comment on function private.segment_sql(jsonb) is
  'SQL of a leaf about membership of another segment, as it is stored.';

create or replace function private.bucket_sql(p_leaf jsonb)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select format(
    'select b.x >= %L::numeric and b.x < %L::numeric as holds, ''infinity''::timestamptz as until,
       to_jsonb(round(b.x, 4)) as fact
     from (select private.pick_bucket(%L, c.id) as x offset 0) as b',
    p_leaf ->> 'from', p_leaf ->> 'to', p_leaf ->> 'bucket'
  )
$$;
comment on function private.bucket_sql(jsonb) is 'SQL of a leaf about the stable bucket of a customer.';

create or replace function private.event_sql(p_scope private.condition_scope, p_leaf jsonb)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_feature_id bigint;
begin
  if p_scope.source = 'marks' then
    select f.id into strict v_feature_id
    from private.features as f
    where f.workspace_id = p_scope.workspace_id
      and f.hash = private.leaf_hash(p_leaf);
  end if;
  if p_leaf ?| array['sum', 'min', 'max'] then
    return private.aggregate_sql(p_leaf, v_feature_id);
  end if;
  return private.count_sql(p_leaf, v_feature_id);
end
$$;
comment on function private.event_sql(private.condition_scope, jsonb) is
  'SQL of a leaf about events, from the rows that the scope names.';

create or replace function private.leaf_sql(p_scope private.condition_scope, p_leaf jsonb)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if p_leaf ? 'field' then
    return private.field_sql(p_leaf);
  elsif p_leaf ? 'event' then
    return private.event_sql(p_scope, p_leaf);
  elsif p_leaf ? 'segment' then
    return private.segment_sql(p_leaf);
  elsif p_leaf ? 'topic' then
    return private.topic_sql(p_leaf);
  elsif p_leaf ? 'bucket' then
    return private.bucket_sql(p_leaf);
  elsif p_leaf ? 'property' then
    return private.static_sql(p_leaf, private.path_sql('e.properties', p_leaf ->> 'property'));
  end if;
  return private.require_sql(null, format('Unknown condition %s', left(p_leaf::text, 100)));
end
$$;
comment on function private.leaf_sql(private.condition_scope, jsonb) is
  'SQL of a leaf: one row of holds, until and fact for customer c.';

create or replace function private.combine_sql(p_kind text, p_nodes integer[])
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  -- A false "all" can only change when all of its false nodes have: hence the greatest of them.
  select format(
    'select %1$s as holds, case when %2$s (%1$s) then least(%3$s) else greatest(%4$s) end as until,
       null::jsonb as fact',
    coalesce(
      string_agg(format('n%s.holds', n), case p_kind when 'all' then ' and ' else ' or ' end),
      case p_kind when 'all' then 'true' else 'false' end
    ),
    case p_kind when 'all' then '' else 'not' end,
    coalesce(string_agg(format('n%s.until', n), ', '), '''infinity''::timestamptz'),
    coalesce(string_agg(
      format('case when %s n%s.holds then n%s.until end', case p_kind when 'all' then 'not' else '' end, n, n),
      ', '
    ), '''infinity''::timestamptz')
  )
  from unnest(p_nodes) as n
$$;
comment on function private.combine_sql(text, integer[]) is
  'SQL of a node "all" or "any" over the nodes with these numbers.';

create or replace function private.add_node(p_compiled private.compiled_condition, p_sql text)
returns private.compiled_condition
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  p_compiled.root := coalesce(cardinality(p_compiled.joins), 0) + 1;
  -- With "offset 0" each node is computed once: an expression would be copied into all above it.
  p_compiled.joins := p_compiled.joins
    || format('cross join lateral (%s offset 0) as n%s', p_sql, p_compiled.root);
  return p_compiled;
end
$$;
comment on function private.add_node(private.compiled_condition, text) is
  'Adds a node, which becomes the root.';

create or replace function private.compile_node(
  p_scope private.condition_scope,
  p_condition jsonb,
  p_compiled private.compiled_condition
)
returns private.compiled_condition
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_kind text := case when p_condition ? 'all' then 'all' when p_condition ? 'any' then 'any' end;
  v_child jsonb;
  v_nodes integer[] := '{}';
begin
  if v_kind is not null then
    for v_child in select e from jsonb_array_elements(p_condition -> v_kind) as e loop
      p_compiled := private.compile_node(p_scope, v_child, p_compiled);
      v_nodes := v_nodes || p_compiled.root;
    end loop;
    return private.add_node(p_compiled, private.combine_sql(v_kind, v_nodes));
  elsif p_condition ? 'not' then
    p_compiled := private.compile_node(p_scope, p_condition -> 'not', p_compiled);
    return private.add_node(p_compiled, format(
      'select not n%1$s.holds as holds, n%1$s.until, null::jsonb as fact', p_compiled.root
    ));
  elsif p_scope.is_deep and p_condition ? 'segment' then
    select s.condition into v_child
    from public.segments as s
    where s.workspace_id = p_scope.workspace_id and s.id = (p_condition ->> 'segment')::uuid;
    if v_child is not null then
      return private.compile_node(p_scope, v_child, p_compiled);
    end if;
  end if;
  return private.add_node(p_compiled, private.leaf_sql(p_scope, p_condition));
end
$$;
comment on function private.compile_node(private.condition_scope, jsonb, private.compiled_condition) is
  'Adds the nodes of a condition to those compiled so far, children before parents.';

create or replace function private.compile_condition(p_scope private.condition_scope, p_condition jsonb)
returns private.compiled_condition
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return private.compile_node(p_scope, p_condition, null);
end
$$;
comment on function private.compile_condition(private.condition_scope, jsonb) is
  'A condition as SQL: joins to put after a from clause that has c and w, and the number of the node that is the answer.';

-- schema/conditions/evaluate.sql 54476731f930b2fd
-- Purpose: the answers of conditions, for sets of customers at a given time.
-- Risk:    reads all that the condition is about: callers bound the sets.

create or replace function private.condition_select(
  p_compiled private.compiled_condition,
  p_columns text,
  p_customers text
)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select format(
    'select %s from %s as c
     cross join (select z.timezone from public.workspaces as z where z.id = $1) as w %s',
    replace(p_columns, 'root', 'n' || p_compiled.root), p_customers, array_to_string(p_compiled.joins, ' ')
  )
$$;
comment on function private.condition_select(private.compiled_condition, text, text) is
  'SQL that evaluates a condition for customers (SQL of rows of public.customers); in the columns, root is the answer.';

create or replace function private.evaluate_compiled(
  p_compiled private.compiled_condition,
  p_workspace_id uuid,
  p_customer_ids uuid[],
  p_now timestamptz
)
returns table (customer_id uuid, is_true boolean, changes_at timestamptz)
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
-- Keeps the time that planning takes in proportion to the number of nodes.
set join_collapse_limit = 1
set from_collapse_limit = 1
as $$
begin
  return query execute private.condition_select(
    p_compiled, 'c.id, root.holds, root.until',
    '(select o.* from unnest($3) as k (id) cross join lateral (
        select x.* from public.customers as x where x.workspace_id = $1 and x.id = k.id limit 1
      ) as o)'
  ) using p_workspace_id, p_now, p_customer_ids;
end
$$;
comment on function private.evaluate_compiled(private.compiled_condition, uuid, uuid[], timestamptz) is
  'The answer of a compiled condition for each of the customers that exist, and when time alone can change it.';

create or replace function private.evaluate_condition(
  p_workspace_id uuid,
  p_condition jsonb,
  p_customer_ids uuid[],
  p_now timestamptz default clock_timestamp()
)
returns table (customer_id uuid, is_true boolean, changes_at timestamptz)
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return query
  select e.*
  from private.evaluate_compiled(
    private.compile_condition(row(p_workspace_id, 'events', true), p_condition),
    p_workspace_id, p_customer_ids, p_now
  ) as e;
end
$$;
comment on function private.evaluate_condition(uuid, jsonb, uuid[], timestamptz) is
  'The model: a condition''s answer for each of the customers from all rows, named segments by their conditions, and when time alone can change it.';

create or replace function private.stored_scope(p_workspace_id uuid)
returns private.condition_scope
language sql
immutable
security invoker
set search_path = ''
as $$
  select row(p_workspace_id, 'events', false)::private.condition_scope
$$;
comment on function private.stored_scope(uuid) is
  'The scope of lists and previews: events from all rows, named segments by their stored members.';

create or replace function private.explain_tree(
  p_condition jsonb,
  p_nodes jsonb,
  p_from integer,
  out tree jsonb,
  out next integer
)
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_kind text := case when p_condition ? 'all' then 'all' when p_condition ? 'any' then 'any' end;
  v_child jsonb;
  v_part record;
  v_parts jsonb := '[]';
  v_node jsonb;
begin
  next := p_from;
  for v_child in
    select e from jsonb_array_elements(coalesce(
      p_condition -> v_kind,
      case when p_condition ? 'not' then jsonb_build_array(p_condition -> 'not') else '[]' end
    )) as e
  loop
    select e.tree, e.next into v_part from private.explain_tree(v_child, p_nodes, next) as e;
    v_parts := v_parts || jsonb_build_array(v_part.tree);
    next := v_part.next;
  end loop;
  v_node := p_nodes -> next;
  next := next + 1;
  tree := jsonb_build_object('is', v_node -> 'holds', 'changes_at', private.show_time(v_node -> 'until'));
  tree := tree || case
    when v_kind is not null then jsonb_build_object(v_kind, v_parts)
    when p_condition ? 'not' then jsonb_build_object('not', v_parts -> 0)
    else p_condition || jsonb_build_object(
      'found', v_node -> 'fact', 'needed', private.needed_text(p_condition)
    )
  end;
end
$$;
comment on function private.explain_tree(jsonb, jsonb, integer) is
  'The condition with the answers of its nodes, a JSON list in the order of compilation, and the position after its last node.';

create or replace function private.show_time(p_time jsonb)
returns jsonb
language sql
stable
security invoker
set search_path = ''
as $$
  select case
    when p_time #>> '{}' in ('infinity', '-infinity') then 'null'::jsonb
    else to_jsonb(private.rfc3339((p_time #>> '{}')::timestamptz))
  end
$$;
comment on function private.show_time(jsonb) is 'A time of Postgres as JSON shows it; JSON null for never.';

create or replace function private.needed_text(p_leaf jsonb)
returns text
language sql
stable
security invoker
set search_path = ''
as $$
  select case
    when p_leaf ? 'event' then (
      select string_agg(
        case l.key when 'gte' then '>= ' when 'gt' then '> ' when 'lte' then '<= ' when 'lt' then '< '
          else '= ' end || l.value,
        ', ' order by l.key
      )
      from jsonb_each_text(
        coalesce(p_leaf -> 'sum', p_leaf -> 'min', p_leaf -> 'max', p_leaf -> 'count', '{"gte": 1}')
          - 'property'
      ) as l
    )
    when p_leaf ? 'field' or p_leaf ? 'property' then concat_ws(' ', p_leaf ->> 'op', (p_leaf -> 'value')::text)
    when p_leaf ? 'segment' then 'member'
    when p_leaf ? 'topic' then
      case when coalesce((p_leaf ->> 'subscribed')::boolean, true) then 'subscribed' else 'not subscribed' end
    when p_leaf ? 'bucket' then format('>= %s, < %s', p_leaf ->> 'from', p_leaf ->> 'to')
  end
$$;
comment on function private.needed_text(jsonb) is 'Describes what a leaf asks for, as text: ">= 2".';

create or replace function private.explain_one(
  p_workspace_id uuid,
  p_customer_id uuid,
  p_condition jsonb,
  p_now timestamptz
)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
set join_collapse_limit = 1
set from_collapse_limit = 1
as $$
declare
  v_compiled private.compiled_condition := private.compile_condition(
    private.stored_scope(p_workspace_id), p_condition
  );
  v_nodes jsonb[];
begin
  execute private.condition_select(
    v_compiled,
    (select format('array[%s]', string_agg(format('to_jsonb(n%s)', n), ', '))
     from generate_series(1, v_compiled.root) as n),
    '(select x.* from public.customers as x where x.workspace_id = $1 and x.id = $3)'
  ) into v_nodes using p_workspace_id, p_now, p_customer_id;
  if v_nodes is null then
    return null;
  end if;
  return jsonb_build_object(
    'at', private.rfc3339(p_now),
    'changes_at', private.show_time(v_nodes[v_compiled.root] -> 'until'),
    'tree', (select e.tree from private.explain_tree(p_condition, to_jsonb(v_nodes), 0) as e)
  );
end
$$;
comment on function private.explain_one(uuid, uuid, jsonb, timestamptz) is
  'A condition for one customer leaf by leaf: at, changes_at and tree; null when there is no such customer.';

create or replace function private.explain_condition(
  p_workspace_id uuid,
  p_customer_id uuid,
  p_condition jsonb,
  p_now timestamptz default clock_timestamp()
)
returns jsonb
language plpgsql
stable
-- Definer: reads identities and events that the scope segments:read alone does not show.
security definer
set search_path = ''
as $$
begin
  if not private.is_readable(p_workspace_id, array['segments:read', 'segments:write']) then
    return null;
  end if;
  return private.explain_one(
    p_workspace_id, p_customer_id, private.resolve_condition(p_workspace_id, p_condition), p_now
  );
end
$$;
comment on function private.explain_condition(uuid, uuid, jsonb, timestamptz) is
  'A condition for one customer leaf by leaf, see private.explain_one.';
grant execute on function private.explain_condition(uuid, uuid, jsonb, timestamptz)
  to signalpost_user, signalpost_key;

-- schema/conditions/event_lists.sql 8de2d59e07284acd
-- Purpose: events narrowed by their properties and by the customers they belong to.

create or replace function private.events_page(p_workspace_id uuid, p_page jsonb, p_limit integer)
returns table (received_at timestamptz, id uuid)
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  return query execute format(
    'select e.received_at, e.id
     from public.events as e
     where e.workspace_id = $1 and (e.received_at, e.id) < ($2, $3) and %s and %s
     order by e.received_at desc, e.id desc
     limit $4',
    case when p_page ->> 'name' is null then 'true' else format('e.name = %L', p_page ->> 'name') end,
    case when p_page ->> 'customer_id' is null then 'true' else format(
      'e.identity_id = any (array(
         select i.id from public.identities as i where i.workspace_id = $1 and i.customer_id = %L::uuid
       ))', p_page ->> 'customer_id'
    ) end
  )
  using
    p_workspace_id, coalesce((p_page ->> 'before_received_at')::timestamptz, 'infinity'),
    coalesce((p_page ->> 'before_id')::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), p_limit;
end
$$;
comment on function private.events_page(uuid, jsonb, integer) is
  'The next events of a list, newest first, before any condition.';

create or replace function private.match_events(
  p_compiled private.compiled_condition,
  p_workspace_id uuid,
  p_ats timestamptz[],
  p_ids uuid[],
  p_now timestamptz
)
returns table (received_at timestamptz, id uuid)
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
set join_collapse_limit = 1
set from_collapse_limit = 1
as $$
begin
  return query execute format(
    'select e.received_at, e.id
     from unnest($3, $4) with ordinality as k (received_at, id, position)
     cross join lateral (
       select x.* from public.events as x
       where x.workspace_id = $1 and x.received_at = k.received_at and x.id = k.id limit 1
     ) as e
     cross join lateral (
       select x.customer_id from public.identities as x
       where x.workspace_id = $1 and x.id = e.identity_id limit 1
     ) as o
     cross join lateral (
       select x.* from public.customers as x where x.workspace_id = $1 and x.id = o.customer_id limit 1
     ) as c
     cross join (select z.timezone from public.workspaces as z where z.id = $1) as w
     %s where n%s.holds order by k.position',
    array_to_string(p_compiled.joins, ' '), p_compiled.root
  ) using p_workspace_id, p_now, p_ats, p_ids;
end
$$;
comment on function private.match_events(private.compiled_condition, uuid, timestamptz[], uuid[], timestamptz) is
  'Those of the events that fulfil a condition, with their customers, in the given order.';

create or replace function private.find_events(
  p_workspace_id uuid,
  p_condition jsonb,
  p_page jsonb,
  p_until timestamptz,
  p_now timestamptz
)
returns table (received_at timestamptz, id uuid, is_last boolean)
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_compiled private.compiled_condition := private.compile_condition(
    private.stored_scope(p_workspace_id), private.resolve_condition(p_workspace_id, p_condition)
  );
  v_limit integer := (p_page ->> 'limit')::integer;
  v_step integer := least(coalesce(v_limit, 5000), 5000);
  v_left integer := v_limit;
  v_rows integer;
  v_read record;
begin
  loop
    select array_agg(p.received_at) as ats, array_agg(p.id) as ids, count(*) as count into v_read
    from private.events_page(p_workspace_id, p_page, v_step) as p;
    return query
    select m.received_at, m.id, false
    from private.match_events(v_compiled, p_workspace_id, v_read.ats, v_read.ids, p_now) as m
    limit v_left;
    get diagnostics v_rows = row_count;
    v_left := v_left - v_rows;
    exit when v_left <= 0;
    if v_read.count < v_step then
      return query select null::timestamptz, null::uuid, true;
      exit;
    end if;
    exit when clock_timestamp() > p_until;
    p_page := p_page || jsonb_build_object(
      'before_received_at', v_read.ats[v_step], 'before_id', v_read.ids[v_step]
    );
    v_step := least(v_step * 4, 5000);
  end loop;
end
$$;
comment on function private.find_events(uuid, jsonb, jsonb, timestamptz, timestamptz) is
  'Events of a list that fulfil a condition, newest first, up to the limit of the page or until p_until; after the last of all comes a row with is_last.';

create or replace function private.filter_events(
  p_workspace_id uuid,
  p_condition jsonb,
  p_page jsonb,
  p_now timestamptz default clock_timestamp()
)
returns table (received_at timestamptz, id uuid)
language plpgsql
volatile
-- Definer: as for private.preview_condition. Policies decide which events are shown.
security definer
set search_path = ''
as $$
begin
  if private.is_readable(p_workspace_id, array['events:read', 'customers:read']) then
    return query
    select f.received_at, f.id
    from private.find_events(p_workspace_id, p_condition, p_page, 'infinity', p_now) as f
    where not f.is_last;
  end if;
end
$$;
comment on function private.filter_events(uuid, jsonb, jsonb, timestamptz) is
  'Events that fulfil a condition, newest first. p_page: before_received_at, before_id, limit, name, customer_id.';
grant execute on function private.filter_events(uuid, jsonb, jsonb, timestamptz)
  to signalpost_user, signalpost_key;

create or replace function private.count_events(
  p_workspace_id uuid,
  p_condition jsonb,
  p_page jsonb,
  p_now timestamptz default clock_timestamp()
)
returns jsonb
language plpgsql
volatile
-- Definer: as for private.filter_events.
security definer
set search_path = ''
as $$
declare
  v_count bigint;
  v_is_exact boolean;
begin
  if not private.is_readable(p_workspace_id, array['events:read', 'customers:read']) then
    return null;
  end if;
  select count(f.id), coalesce(bool_or(f.is_last), false) into v_count, v_is_exact
  from private.find_events(
    p_workspace_id, p_condition, p_page - array['before_received_at', 'before_id', 'limit'],
    clock_timestamp() + interval '1500 milliseconds', p_now
  ) as f;
  return jsonb_build_object('count', v_count, 'is_exact', v_is_exact);
end
$$;
comment on function private.count_events(uuid, jsonb, jsonb, timestamptz) is
  'Counts the events that fulfil a condition: count and is_exact. Not exact: those found among the newest in a second and a half, hence at least that many.';
grant execute on function private.count_events(uuid, jsonb, jsonb, timestamptz)
  to signalpost_user, signalpost_key;

-- schema/conditions/fields.sql 417665ce28aa89a8
-- Purpose: leaves about a customer's profile as SQL.
-- Risk:    values become literals by format(%L), and names of columns come from a list.

create or replace function private.field_value_sql(p_field text)
returns text
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  return case
    when p_field = any (private.profile_fields()) then format('to_jsonb(c.%I)', p_field)
    when p_field in ('created_at', 'last_seen_at') then format('to_jsonb(private.rfc3339(c.%I))', p_field)
    when p_field = 'is_identified' then
      'to_jsonb(exists (
         select from public.identities as i
         where i.workspace_id = $1 and i.customer_id = c.id and i.kind = ''external''
       ))'
    when starts_with(p_field, 'attributes.') then
      private.path_sql('c.attributes', substr(p_field, length('attributes.') + 1))
  end;
end
$$;
comment on function private.field_value_sql(text) is
  'SQL of the JSON value of a field of customer c; null for an unknown field.';

create or replace function private.time_sql(p_leaf jsonb)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_field text := p_leaf ->> 'field';
  v_at text := case
    when v_field in ('created_at', 'last_seen_at') then format('c.%I', v_field) else 'private.read_time(v.value)'
  end;
  v_for interval := private.read_duration(p_leaf ->> 'value');
begin
  return format(
    'select coalesce(%s, false) as holds, coalesce(%s, ''infinity'') as until, v.value as fact
     from (select %s as value offset 0) as v
     cross join lateral (select %s as at, %L::interval as span offset 0) as t',
    case p_leaf ->> 'op'
      when 'within_last' then 't.at > $2 - t.span and t.at <= $2'
      when 'not_within_last' then 'not (t.at > $2 - t.span and t.at <= $2)'
      else 't.at > $2 and t.at <= $2 + t.span'
    end,
    case p_leaf ->> 'op'
      when 'within_next' then
        'case when t.at > $2 + t.span then t.at - t.span when t.at > $2 then t.at end'
      else 'case when t.at > $2 then t.at when t.at > $2 - t.span then t.at + t.span end'
    end,
    private.field_value_sql(v_field), v_at, v_for
  );
end
$$;
comment on function private.time_sql(jsonb) is
  'SQL of a leaf that compares a time of the profile with now.';

create or replace function private.external_id_sql(p_leaf jsonb)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_op text := p_leaf ->> 'op';
  v_positive text := case v_op
    when 'neq' then 'eq' when 'not_in' then 'in' when 'not_contains' then 'contains'
    when 'not_exists' then 'exists' else v_op
  end;
  v_test text := private.operator_sql(v_positive, p_leaf -> 'value', 'v.value');
begin
  return format(
    'select %s exists (
       select
       from public.identities as i
       cross join lateral (select to_jsonb(i.value) as value) as v
       where i.workspace_id = $1 and i.customer_id = c.id and i.kind = ''external'' and %s
     ) as holds, ''infinity''::timestamptz as until,
     private.newest_ids($1, c.id, ''external'') as fact',
    case when v_positive <> v_op then 'not' end,
    private.require_sql(v_test, format('Unknown operator "%s"', v_op))
  );
end
$$;
comment on function private.external_id_sql(jsonb) is
  'SQL of a leaf about external ids: one of them must fulfil a positive operator, none a negated one.';

create or replace function private.field_sql(p_leaf jsonb)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_field text := p_leaf ->> 'field';
  v_op text := p_leaf ->> 'op';
  v_value text := private.field_value_sql(v_field);
begin
  if v_field = 'external_id' then
    return private.external_id_sql(p_leaf);
  end if;
  v_value := private.require_sql(v_value, format('Unknown field "%s"', v_field));
  if v_op in ('within_last', 'not_within_last', 'within_next') then
    return private.time_sql(p_leaf);
  elsif v_op = 'anniversary_today' then
    return format(
      'select a.holds, a.until, v.value as fact
       from (select %s as value offset 0) as v
       cross join lateral private.find_anniversary(
         v.value, private.known_zone(coalesce(c.timezone, w.timezone), w.timezone), $2
       ) as a', v_value
    );
  end if;
  return private.static_sql(p_leaf, v_value);
end
$$;
comment on function private.field_sql(jsonb) is 'SQL of a leaf about a field of the profile.';

create or replace function private.static_sql(p_leaf jsonb, p_value text)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return format(
    'select %s as holds, ''infinity''::timestamptz as until, v.value as fact
     from (select %s as value offset 0) as v',
    private.require_sql(
      private.operator_sql(p_leaf ->> 'op', p_leaf -> 'value', 'v.value'),
      format('Unknown operator "%s"', p_leaf ->> 'op')
    ), p_value
  );
end
$$;
comment on function private.static_sql(jsonb, text) is
  'SQL of a leaf whose answer does not depend on the time, about the JSON value p_value (SQL).';

-- schema/conditions/leaves.sql 19659b0378f250ef
-- Purpose: the leaves of conditions as SQL: one row of holds, until and fact per customer c.
-- Risk:    values become literals by format(%L) and nothing else.

create or replace function private.condition_leaves(p_condition jsonb)
returns table (leaf jsonb, level integer)
language sql
immutable
security invoker
set search_path = ''
as $$
  with recursive nodes as (
    select p_condition as node, 1 as level
    union all
    select c.node, n.level + 1
    from nodes as n
    cross join lateral (
      select e as node from jsonb_array_elements(n.node -> 'all') as e
      union all
      select e from jsonb_array_elements(n.node -> 'any') as e
      union all
      select n.node -> 'not' where n.node ? 'not'
    ) as c
  )
  select n.node, n.level from nodes as n where not n.node ?| array['all', 'any', 'not']
$$;
comment on function private.condition_leaves(jsonb) is
  'The leaves of a condition, each with its level; that of the whole is 1.';

create or replace function private.leaf_feature(p_leaf jsonb)
returns jsonb
language sql
immutable
security invoker
set search_path = ''
as $$
  select jsonb_build_object(
    'event', p_leaf -> 'event',
    -- A condition has to ask for opens and clicks by scanners and mail proxies.
    'conditions', coalesce(p_leaf -> 'where', '[]') || case
      when p_leaf ->> 'event' in ('email_opened', 'email_clicked')
        and not coalesce(p_leaf -> 'where', '[]') @> '[{"property": "automated"}]'
      then '[{"property": "automated", "op": "neq", "value": true}]'::jsonb
      else '[]'
    end,
    'since', p_leaf -> 'since', 'until', p_leaf -> 'until',
    'property', coalesce(p_leaf -> 'sum', p_leaf -> 'min', p_leaf -> 'max') -> 'property'
  )
$$;
comment on function private.leaf_feature(jsonb) is
  'Describes an event leaf, without its window and its thresholds: leaves with an equal one share their state.';

create or replace function private.feature_hash(p_feature jsonb)
returns bytea
language sql
immutable
security invoker
set search_path = ''
as $$
  select sha256(convert_to(p_feature::text, 'UTF8'))
$$;
comment on function private.feature_hash(jsonb) is 'The key of what an event leaf counts.';

create or replace function private.leaf_keep(p_leaf jsonb)
returns integer
language sql
immutable
security invoker
set search_path = ''
as $$
  select greatest(
    1, (p_leaf #>> '{count,gte}')::integer, (p_leaf #>> '{count,lte}')::integer + 1,
    (p_leaf #>> '{count,eq}')::integer + 1
  )
$$;
comment on function private.leaf_keep(jsonb) is
  'Counts the newest events that a leaf depends on.';

create or replace function private.window_sql(p_leaf jsonb, p_at text)
returns text
language sql
stable
security invoker
set search_path = ''
as $$
  select concat_ws(
    ' and ', 'true',
    case when p_leaf ? 'within' then
      format('%s > $2 - %L::interval', p_at, private.read_duration(p_leaf ->> 'within'))
    end,
    case when p_leaf ? 'since' then
      format('%s >= %L::timestamptz', p_at, private.read_time(p_leaf -> 'since'))
    end,
    case when p_leaf ? 'until' then
      format('%s < %L::timestamptz', p_at, private.read_time(p_leaf -> 'until'))
    end
  )
$$;
comment on function private.window_sql(jsonb, text) is
  'SQL that is true when a time is within the window of an event leaf.';

create or replace function private.events_sql(p_leaf jsonb, p_join text default '')
returns text
language sql
stable
security invoker
set search_path = ''
as $$
  select format(
    'public.identities as i
     join public.events as e on e.workspace_id = i.workspace_id and e.identity_id = i.id
     cross join lateral (select least(e.occurred_at, e.received_at) as at) as t %s
     where i.workspace_id = $1 and i.customer_id = c.id and e.name = %L and e.kind = ''event'' and %s and %s',
    p_join, p_leaf ->> 'event',
    private.where_sql(private.leaf_feature(p_leaf) -> 'conditions', 'e.properties'),
    -- Never earlier than the time that counts: the index on occurred_at narrows the search.
    concat_ws(
      ' and ', 'true',
      case when p_leaf ? 'within' then format(
        'e.occurred_at > $2 - %L::interval',
        private.read_duration(p_leaf ->> 'within') + interval '1 hour'
      ) end,
      case when p_leaf ? 'since' then format(
        'e.occurred_at >= %L::timestamptz', private.read_time(p_leaf -> 'since')
      ) end
    )
  )
$$;
comment on function private.events_sql(jsonb, text) is
  'SQL, from the from clause on, of the events of customer c that a leaf is about; t.at is the time that counts. p_join is one more join.';

create or replace function private.count_sql(p_leaf jsonb, p_feature_id bigint)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_count jsonb := coalesce(p_leaf -> 'count', '{"gte": 1}');
  v_least integer := greatest((v_count ->> 'gte')::integer, (v_count ->> 'eq')::integer, 0);
  v_most integer := least((v_count ->> 'lte')::integer, (v_count ->> 'eq')::integer);
  v_times text := case
    when p_feature_id is null then private.events_sql(p_leaf)
    else format(
      'public.identities as i
       join private.feature_marks as f
         on f.workspace_id = i.workspace_id and f.identity_id = i.id and f.feature_id = %s
       cross join lateral unnest(f.marks) as t (at)
       where i.workspace_id = $1 and i.customer_id = c.id', p_feature_id
    )
  end || ' and ' || private.window_sql(p_leaf, 't.at');
  v_enough text := case when v_least = 0 then 'true' else format('m.times[%s] is not null', v_least) end;
  v_too_many text := case
    when v_most is null then 'false' else format('m.times[%s] is not null', v_most + 1)
  end;
begin
  return format(
    'select %1$s and not %2$s as holds,
       coalesce(case when %2$s then m.times[%3$s] when %1$s then m.times[%4$s] end + %5$L::interval, ''infinity'') as until,
       to_jsonb(cardinality(m.times)) as fact
     from (select array(select t.at from %6$s order by t.at desc limit %7$s) as times offset 0) as m',
    v_enough, v_too_many, coalesce(v_most, 0) + 1, v_least,
    private.read_duration(p_leaf ->> 'within'), v_times, private.leaf_keep(p_leaf)
  );
end
$$;
comment on function private.count_sql(jsonb, bigint) is
  'SQL of a leaf that counts events: from all events, or from the marks of a feature.';

create or replace function private.aggregate_sql(p_leaf jsonb, p_feature_id bigint)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_kind text := case when p_leaf ? 'sum' then 'sum' when p_leaf ? 'min' then 'min' else 'max' end;
  v_limits jsonb := p_leaf -> v_kind;
  v_interval interval := private.read_duration(p_leaf ->> 'within') + interval '1 hour';
  v_rows text := case
    when p_feature_id is null then format(
      'select date_trunc(''hour'', t.at, ''UTC'') as hour, v.value as %s from %s and v.value is not null and %s',
      v_kind,
      private.events_sql(p_leaf, format(
        'cross join lateral (
           select case when jsonb_typeof(%1$s) = ''number'' then (%1$s)::numeric end as value
         ) as v',
        private.path_sql('e.properties', v_limits ->> 'property')
      )),
      private.window_sql(p_leaf - 'within', 't.at')
    )
    else format(
      'select f.hour, f.%s
       from public.identities as i
       join private.feature_buckets as f
         on f.workspace_id = i.workspace_id and f.identity_id = i.id and f.feature_id = %s
       where i.workspace_id = $1 and i.customer_id = c.id', v_kind, p_feature_id
    )
  end;
begin
  return format(
    'select coalesce(%1$s, false) as holds, coalesce(m.first_hour + %2$L::interval, ''infinity'') as until,
       to_jsonb(m.value) as fact
     from (
       select %3$s as value, min(r.hour) as first_hour from (%4$s) as r where %5$s offset 0
     ) as m',
    (
      select coalesce(string_agg(
        format('m.value %s %L::numeric', case l.key
          when 'gte' then '>=' when 'gt' then '>' when 'lte' then '<=' when 'lt' then '<' when 'eq' then '='
        end, l.value), ' and '
      ), 'true')
      from jsonb_each_text(v_limits - 'property') as l
    ),
    v_interval,
    case v_kind when 'sum' then 'coalesce(sum(r.sum), 0)' else format('%1$s(r.%1$s)', v_kind) end,
    v_rows,
    case when v_interval is null then 'true' else format('r.hour > $2 - %L::interval', v_interval) end
  );
end
$$;
comment on function private.aggregate_sql(jsonb, bigint) is
  'SQL of a leaf that adds up numbers of events, or looks for the least or greatest: from all events, or from the hours of a feature. An event leaves a window with its hour.';

-- schema/conditions/lists.sql 7168d12d5ada3dfd
-- Purpose: counts and lists of the customers and events that fulfil a condition.
-- Risk:    a count takes up to two seconds and then becomes an estimate; a list reads in steps until its
--          page is full.

create or replace function private.sample_customers(p_workspace_id uuid, p_total bigint, p_limit integer)
returns uuid[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if p_total <= 500000 then
    return array(
      select c.id from public.customers as c
      where c.workspace_id = p_workspace_id order by random() limit p_limit
    );
  end if;
  -- Blocks of the table, which hold other workspaces too: more than needed, cut off in random order.
  return array(
    select s.id
    from (
      select c.id from public.customers as c tablesample system (10)
      where c.workspace_id = p_workspace_id limit 500000
    ) as s
    order by random() limit p_limit
  );
end
$$;
comment on function private.sample_customers(uuid, bigint, integer) is
  'Customers of a workspace chosen at random, p_total being how many there are.';

create or replace function private.count_exactly(
  p_compiled private.compiled_condition,
  p_workspace_id uuid,
  p_now timestamptz
)
returns uuid[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  return array(
    select e.customer_id
    from private.evaluate_compiled(
      p_compiled, p_workspace_id,
      array(select c.id from public.customers as c where c.workspace_id = p_workspace_id), p_now
    ) as e
    where e.is_true
  );
end
$$;
comment on function private.count_exactly(private.compiled_condition, uuid, timestamptz) is
  'All customers of a workspace that fulfil a condition.';

create or replace function private.measure_condition(
  p_workspace_id uuid,
  p_condition jsonb,
  p_now timestamptz
)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_compiled private.compiled_condition := private.compile_condition(
    private.stored_scope(p_workspace_id), p_condition
  );
  v_started_at timestamptz := clock_timestamp();
  v_total bigint := (select count(*) from public.customers as c where c.workspace_id = p_workspace_id);
  v_ids uuid[] := private.sample_customers(p_workspace_id, v_total, 50000);
  v_step integer := 500;
  v_from integer := 1;
  v_sampled_at timestamptz := clock_timestamp();
  v_spent double precision;
  v_matches uuid[] := '{}';
  v_is_exact boolean;
begin
  loop
    v_matches := v_matches || array(
      select e.customer_id
      from private.evaluate_compiled(
        v_compiled, p_workspace_id, v_ids[v_from:v_from + v_step - 1], p_now
      ) as e
      where e.is_true
    );
    v_from := v_from + v_step;
    v_spent := extract(epoch from clock_timestamp() - v_sampled_at);
    exit when v_from > cardinality(v_ids);
    -- The rest takes as long per customer as what was done, and is done whole if there is time.
    if v_spent / v_from * v_total < 1.2 then
      v_matches := private.count_exactly(v_compiled, p_workspace_id, p_now);
      v_from := v_total + 1;
      exit;
    end if;
    exit when clock_timestamp() - v_started_at > interval '1 second';
  end loop;
  v_is_exact := v_from > v_total;
  return jsonb_build_object(
    'count', case
      when v_is_exact then cardinality(v_matches)
      else round(cardinality(v_matches)::numeric * v_total / least(v_from - 1, cardinality(v_ids)))
    end,
    'is_exact', v_is_exact,
    'examples', to_jsonb(v_matches[1:10])
  );
end
$$;
comment on function private.measure_condition(uuid, jsonb, timestamptz) is
  'Counts the customers that fulfil a condition, with ten of them: count, is_exact, examples. An estimate from a random sample when all of them would take over about a second.';

create or replace function private.preview_condition(
  p_workspace_id uuid,
  p_condition jsonb,
  p_now timestamptz default clock_timestamp()
)
returns jsonb
language plpgsql
volatile
-- Definer: under policies, the statements could not use their indexes.
security definer
set search_path = ''
as $$
begin
  if not private.is_readable(p_workspace_id, array['segments:read', 'segments:write']) then
    return null;
  end if;
  return private.measure_condition(
    p_workspace_id, private.resolve_condition(p_workspace_id, p_condition), p_now
  );
end
$$;
comment on function private.preview_condition(uuid, jsonb, timestamptz) is
  'Counts the customers that a segment with the condition would have, with ten of them: see private.measure_condition.';
grant execute on function private.preview_condition(uuid, jsonb, timestamptz)
  to signalpost_user, signalpost_key;

create or replace function private.count_customers(
  p_workspace_id uuid,
  p_condition jsonb,
  p_now timestamptz default clock_timestamp()
)
returns jsonb
language plpgsql
volatile
-- Definer: as for private.preview_condition.
security definer
set search_path = ''
as $$
begin
  if not private.is_readable(p_workspace_id, array['customers:read', 'customers:write']) then
    return null;
  end if;
  return private.measure_condition(
    p_workspace_id, private.resolve_condition(p_workspace_id, p_condition), p_now
  ) - 'examples';
end
$$;
comment on function private.count_customers(uuid, jsonb, timestamptz) is
  'Counts the customers that fulfil a condition: count, is_exact.';
grant execute on function private.count_customers(uuid, jsonb, timestamptz)
  to signalpost_user, signalpost_key;

create or replace function private.filter_customers(
  p_workspace_id uuid,
  p_condition jsonb,
  p_before uuid,
  p_limit integer,
  p_now timestamptz default clock_timestamp()
)
returns setof uuid
language plpgsql
stable
-- Definer: as for private.preview_condition.
security definer
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_compiled private.compiled_condition;
  v_before uuid := coalesce(p_before, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  v_step integer := p_limit;
  v_ids uuid[];
  v_matches uuid[] := '{}';
begin
  if not private.is_readable(p_workspace_id, array['customers:read', 'customers:write']) then
    return;
  end if;
  v_compiled := private.compile_condition(
    private.stored_scope(p_workspace_id), private.resolve_condition(p_workspace_id, p_condition)
  );
  while cardinality(v_matches) < p_limit loop
    v_ids := array(
      select c.id from public.customers as c
      where c.workspace_id = p_workspace_id and c.id < v_before order by c.id desc limit v_step
    );
    v_matches := v_matches || array(
      select e.customer_id
      from private.evaluate_compiled(v_compiled, p_workspace_id, v_ids, p_now) as e
      where e.is_true
      order by e.customer_id desc
    );
    exit when cardinality(v_ids) < v_step;
    v_before := v_ids[v_step];
    -- Few match: larger steps.
    v_step := least(v_step * 4, 20000);
  end loop;
  return query select m from unnest(v_matches[1:p_limit]) as m;
end
$$;
comment on function private.filter_customers(uuid, jsonb, uuid, integer, timestamptz) is
  'The newest customers that fulfil a condition and whose id is below p_before (null: all), newest first; under p_limit only at the end.';
grant execute on function private.filter_customers(uuid, jsonb, uuid, integer, timestamptz)
  to signalpost_user, signalpost_key;

-- schema/conditions/operators.sql 40f61b4ff181da85
-- Purpose: the operators of conditions as SQL.
-- Risk:    values become literals by format(%L) and nothing else.

create or replace function private.operator_sql(p_op text, p_operand jsonb, p_value text)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_text text := lower(p_operand #>> '{}');
  v_lower text := format('case when jsonb_typeof(%1$s) = ''string'' then lower(%1$s #>> ''{}'') end', p_value);
begin
  return case p_op
    when 'exists' then format('%s is not null', p_value)
    when 'not_exists' then format('%s is null', p_value)
    when 'eq' then format('coalesce(%s = %L::jsonb, false)', p_value, p_operand)
    when 'neq' then format('coalesce(%s <> %L::jsonb, true)', p_value, p_operand)
    when 'in' then format('coalesce(%s = any (%L::jsonb[]), false)', p_value, private.elements(p_operand))
    when 'not_in' then format('coalesce(%s <> all (%L::jsonb[]), true)', p_value, private.elements(p_operand))
    when 'contains' then format('coalesce(strpos(%s, %L) > 0, false)', v_lower, v_text)
    when 'not_contains' then format('coalesce(strpos(%s, %L) = 0, true)', v_lower, v_text)
    when 'starts_with' then format('coalesce(starts_with(%s, %L), false)', v_lower, v_text)
    when 'ends_with' then format(
      'coalesce(right(%s, %s) = %L, false)', v_lower, length(v_text), v_text
    )
    when 'gt' then private.number_sql('>', p_operand, p_value)
    when 'gte' then private.number_sql('>=', p_operand, p_value)
    when 'lt' then private.number_sql('<', p_operand, p_value)
    when 'lte' then private.number_sql('<=', p_operand, p_value)
    when 'before' then format(
      'coalesce(private.read_time(%s) < %L::timestamptz, false)', p_value, private.read_time(p_operand)
    )
    when 'after' then format(
      'coalesce(private.read_time(%s) > %L::timestamptz, false)', p_value, private.read_time(p_operand)
    )
  end;
end
$$;
comment on function private.operator_sql(text, jsonb, text) is
  'SQL that is true or false and never null: whether the JSON value p_value (SQL, null when missing) fulfils the operator. Null for an unknown operator.';

create or replace function private.elements(p_list jsonb)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select array(select e from jsonb_array_elements(p_list) as e)::text
$$;
comment on function private.elements(jsonb) is 'The elements of a JSON list as the text of an array.';

create or replace function private.number_sql(p_comparison text, p_operand jsonb, p_value text)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select format(
    'coalesce(case when jsonb_typeof(%1$s) = ''number'' then (%1$s)::numeric %2$s %3$L::numeric end, false)',
    p_value, p_comparison, p_operand #>> '{}'
  )
$$;
comment on function private.number_sql(text, jsonb, text) is
  'SQL that compares a JSON value with a number; false for a value of another type.';

create or replace function private.path_sql(p_document text, p_path text)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select format('nullif(%s #> %L::text[], ''null'')', p_document, string_to_array(p_path, '.')::text)
$$;
comment on function private.path_sql(text, text) is
  'SQL of the JSON value at a path like "address.city" of a document; null when it is missing or null.';

create or replace function private.where_sql(p_conditions jsonb, p_properties text)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select coalesce(string_agg(private.require_sql(
      private.operator_sql(
        w ->> 'op', w -> 'value', private.path_sql(p_properties, w ->> 'property')
      ),
      format('Unknown operator "%s" in where', w ->> 'op')
    ), ' and '), 'true')
    from jsonb_array_elements(p_conditions) as w
  );
end
$$;
comment on function private.where_sql(jsonb, text) is
  'SQL of the conditions that an event''s properties must fulfil, all of them.';

create or replace function private.require_sql(p_sql text, p_error text)
returns text
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  if p_sql is null then
    raise sqlstate 'SP400' using message = p_error, column = 'condition';
  end if;
  return p_sql;
end
$$;
comment on function private.require_sql(text, text) is
  'The SQL; SP400 with the given message when it is null: the condition cannot be compiled.';

-- schema/conditions/values.sql 7dc315eb66bc8a6b
-- Purpose: how conditions read times and durations.

create or replace function private.read_time(p_value jsonb)
returns timestamptz
language sql
stable
security invoker
set search_path = ''
set timezone = 'UTC'
as $$
  -- Checked before the cast, which raises an error for anything else.
  select case
    when jsonb_typeof(p_value) = 'string' and (p_value #>> '{}') ~ (
      '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
      || '([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?(Z|[+-](0[0-9]|1[0-4]):?[0-5][0-9])?)?$'
    ) and left(p_value #>> '{}', 4) <> '0000' then
      case when substr(p_value #>> '{}', 9, 2)::integer <= extract(
        day from (left(p_value #>> '{}', 7) || '-01')::date + interval '1 month' - interval '1 day'
      ) then (p_value #>> '{}')::timestamptz end
  end
$$;
comment on function private.read_time(jsonb) is
  'The instant that a JSON text names, with a date alone and without a zone in UTC; null for any other value.';

create or replace function private.read_duration(p_text text)
returns interval
language sql
immutable
security invoker
set search_path = ''
as $$
  select make_interval(secs => left(p_text, -1)::bigint * case right(p_text, 1)
    when 's' then 1 when 'm' then 60 when 'h' then 3600 when 'd' then 86400 when 'w' then 604800
  end)
$$;
comment on function private.read_duration(text) is
  'The length of a duration such as "30s", "15m", "36h", "7d" or "2w", a day of 24 hours.';

create or replace function private.known_zone(p_zone text, p_default text)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  perform now() at time zone p_zone;
  return coalesce(p_zone, p_default);
exception when invalid_parameter_value then
  -- The functions may know a zone that this server does not.
  return case when p_default = 'UTC' then 'UTC' else private.known_zone(p_default, 'UTC') end;
end
$$;
comment on function private.known_zone(text, text) is
  'The zone, or the default when it is null or unknown to this server.';

create or replace function private.start_of_day(p_day date, p_zone text)
returns timestamptz
language sql
stable
security invoker
set search_path = ''
as $$
  -- When a local time occurs twice, "at time zone" takes the second.
  select min(t.at)
  from (
    select (p_day::timestamp at time zone p_zone) - b.back as at
    from (values (interval '0'), (interval '30 minutes'), (interval '1 hour'), (interval '2 hours')) as b (back)
  ) as t
  where (t.at at time zone p_zone)::date >= p_day
$$;
comment on function private.start_of_day(date, text) is
  'The first instant of a day in a zone, or of the first day after it that the zone has.';

create or replace function private.anniversary(p_born date, p_year integer)
returns date
language sql
immutable
security invoker
set search_path = ''
as $$
  select make_date(
    p_year, extract(month from p_born)::integer,
    case
      when to_char(p_born, 'MMDD') = '0229'
        and not (p_year % 4 = 0 and (p_year % 100 <> 0 or p_year % 400 = 0))
      then 28 else extract(day from p_born)::integer
    end
  )
$$;
comment on function private.anniversary(date, integer) is
  'The anniversary of a day in a year; that of 29 February is 28 February in other years.';

create or replace function private.find_anniversary(
  p_value jsonb,
  p_zone text,
  p_now timestamptz,
  out holds boolean,
  out until timestamptz
)
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_today date := (p_now at time zone p_zone)::date;
  v_year integer := extract(year from v_today);
  v_born date := case
    when length(p_value #>> '{}') = 10 then (private.read_time(p_value) at time zone 'UTC')::date
    else (private.read_time(p_value) at time zone p_zone)::date
  end;
  v_next date;
begin
  holds := coalesce(private.anniversary(v_born, v_year) = v_today, false);
  until := 'infinity';
  if holds then
    until := private.start_of_day(v_today + 1, p_zone);
  elsif v_born is not null then
    v_next := private.anniversary(v_born, v_year);
    if v_next < v_today then
      v_next := private.anniversary(v_born, v_year + 1);
    end if;
    until := private.start_of_day(v_next, p_zone);
  end if;
end
$$;
comment on function private.find_anniversary(jsonb, text, timestamptz) is
  'Finds out if today, in the zone, is an anniversary of the date, and when that changes. A date with a time is read in the zone.';

create or replace function private.pick_bucket(p_salt text, p_customer_id uuid)
returns numeric
language sql
immutable
security invoker
set search_path = ''
as $$
  select (
    'x' || lpad(left(encode(sha256(convert_to(p_salt || ':' || p_customer_id, 'UTF8')), 'hex'), 8), 16, '0')
  )::bit(64)::bigint * 100 / 4294967296.0
$$;
comment on function private.pick_bucket(text, uuid) is
  'A number from 0 to below 100 that is stable for a customer and a salt.';

create or replace function private.newest_times(p_times timestamptz[], p_keep integer)
returns timestamptz[]
language sql
immutable
security invoker
set search_path = ''
as $$
  select array(select t.at from unnest(p_times) as t (at) order by t.at desc limit p_keep)
$$;
comment on function private.newest_times(timestamptz[], integer) is 'The newest of the times, newest first.';

-- schema/segments/audit.sql 9913bface9518097
-- Purpose: compares what the folds made with the model.

create or replace function private.audit_segment(
  p_workspace_id uuid,
  p_segment_id uuid,
  p_customer_ids uuid[],
  p_now timestamptz
)
returns table (customer_id uuid, is_member boolean, is_true boolean)
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_segment public.segments;
begin
  select s.* into v_segment
  from public.segments as s
  where s.workspace_id = p_workspace_id and s.id = p_segment_id;
  return query
  select e.customer_id, m.is_member, e.is_true
  from private.evaluate_condition(p_workspace_id, v_segment.condition, p_customer_ids, p_now) as e
  cross join lateral (
    select exists (
      select from public.segment_members as n
      where n.workspace_id = p_workspace_id and n.segment_id = p_segment_id
        and n.version = v_segment.version and n.customer_id = e.customer_id
    ) as is_member
  ) as m
  where m.is_member <> e.is_true
    -- A signal that waits for a fold in the same snapshot explains a difference.
    and not exists (
      select from private.signals as g
      where g.workspace_id = p_workspace_id and (
        g.customer_id = e.customer_id or g.identity_id in (
          select i.id from public.identities as i
          where i.workspace_id = p_workspace_id and i.customer_id = e.customer_id
        )
      )
    )
    and not exists (
      select from private.segment_checks as k
      where k.workspace_id = p_workspace_id and k.customer_id = e.customer_id and k.check_at <= clock_timestamp()
    );
end
$$;
comment on function private.audit_segment(uuid, uuid, uuid[], timestamptz) is
  'Those of the customers whose membership of a live segment differs from what all rows say, and for whom no fold is due.';

create or replace function private.audit_workspace(
  p_workspace_id uuid,
  p_share double precision,
  p_now timestamptz
)
returns table (workspace_id uuid, segment_id uuid, customer_id uuid, is_member boolean, is_true boolean)
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_ids uuid[];
begin
  v_ids := array(
    select c.id from public.customers as c where c.workspace_id = p_workspace_id and random() < p_share
    limit 10000
  );
  return query
  select p_workspace_id, s.id, a.customer_id, a.is_member, a.is_true
  from public.segments as s
  cross join lateral private.audit_segment(p_workspace_id, s.id, v_ids, p_now) as a
  where s.workspace_id = p_workspace_id and s.kind = 'live' and s.state = 'ready'
    -- A segment that is computed shows its old members to those that name it.
    and not exists (
      with recursive named as (
        select p.ref from private.segment_parts as p
        where p.workspace_id = p_workspace_id and p.segment_id = s.id and p.kind = 'segment'
        union
        select p.ref
        from named as n
        join private.segment_parts as p
          on p.workspace_id = p_workspace_id and p.segment_id::text = n.ref and p.kind = 'segment'
      )
      select
      from named as n
      join public.segments as d on d.workspace_id = p_workspace_id and d.id::text = n.ref
      where d.state = 'computing'
    );
  update private.segment_lanes as l set audited = l.audited + cardinality(v_ids)
  where l.workspace_id = p_workspace_id;
end
$$;
comment on function private.audit_workspace(uuid, double precision, timestamptz) is
  'Compares a share (0 to 1) of the customers of a workspace with the model, at most 10,000. Takes no lock: each segment is compared within one statement.';

create or replace function ops.audit_segments(
  p_share double precision,
  p_now timestamptz default clock_timestamp()
)
returns table (workspace_id uuid, segment_id uuid, customer_id uuid, is_member boolean, is_true boolean)
language plpgsql
volatile
security invoker
set search_path = ''
set jit = 'off'
as $$
declare
  v_workspace_id uuid;
  v_difference record;
begin
  for v_workspace_id in select l.workspace_id from private.segment_lanes as l order by random() loop
    for v_difference in select a.* from private.audit_workspace(v_workspace_id, p_share, p_now) as a loop
      raise warning 'Segment "%" differs from the model for customer "%": member %, true %',
        v_difference.segment_id, v_difference.customer_id, v_difference.is_member, v_difference.is_true;
      update private.segment_lanes as l set differences = l.differences + 1
      where l.workspace_id = v_workspace_id;
      return query select
        v_difference.workspace_id, v_difference.segment_id, v_difference.customer_id,
        v_difference.is_member, v_difference.is_true;
    end loop;
  end loop;
end
$$;
comment on function ops.audit_segments(double precision, timestamptz) is
  'Compares a share (0 to 1) of all customers with what all rows say about each live segment; returns, logs and counts the differences.';

create or replace function private.run_segment_audit(p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform from ops.audit_segments(0.001, clock_timestamp());
  delete from public.segment_stats as s where s.hour < p_now - interval '400 days';
end
$$;
comment on function private.run_segment_audit(timestamptz) is
  'The audit of one customer in a thousand, and the end of hourly figures after 400 days. A task of every hour.';

create or replace view ops.segment_lag with (security_invoker = true) as
select
  l.workspace_id,
  q.signals,
  q.oldest_at,
  (select count(*) from private.segment_checks as k
   where k.workspace_id = l.workspace_id and k.check_at <= clock_timestamp()) as due_timers,
  nullif(l.next_check_at, 'infinity') as next_check_at,
  (select count(*) from public.segments as s
   where s.workspace_id = l.workspace_id and s.state = 'computing') as computing,
  nullif(l.folded_at, '-infinity') as folded_at,
  l.last_error,
  l.audited,
  l.differences
from private.segment_lanes as l
cross join lateral (
  select count(*) as signals, min(s.received_at) as oldest_at
  from private.signals as s where s.workspace_id = l.workspace_id
) as q;
comment on view ops.segment_lag is
  'Per workspace with segments: signals and timers that wait for a fold, computations in progress, the last failure, and the result of the audits.';

-- schema/segments/definition.sql cf8bc556ead59e94
-- Purpose: segments are created, changed and deleted.
-- Locks:   the lane of the workspace: a fold waits, ingest does not.

create or replace function private.start_computing(p_workspace_id uuid, p_segment_id uuid, p_condition jsonb)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_version integer;
begin
  perform private.refuse_circle(p_workspace_id, p_segment_id, p_condition);
  -- Raises SP400 for what cannot be compiled.
  perform private.compile_condition(private.stored_scope(p_workspace_id), p_condition);
  perform private.write_parts(p_workspace_id, p_segment_id, p_condition);
  update public.segments as s
  set
    condition = p_condition, state = 'computing', progress = 0, computed_members = 0,
    computed_version = s.computed_version + 1, level = 0
  where s.workspace_id = p_workspace_id and s.id = p_segment_id
  returning s.computed_version into v_version;
  perform private.set_levels(p_workspace_id);
  insert into private.segment_jobs as j (workspace_id, segment_id, version, phase)
  values (p_workspace_id, p_segment_id, v_version, 'features')
  on conflict (workspace_id, segment_id) do update
  set version = excluded.version, phase = 'features', cursor = excluded.cursor, done = 0, total = 0;
  perform pg_notify('segments', '');
end
$$;
comment on function private.start_computing(uuid, uuid, jsonb) is
  'Gives a segment a condition, whose members a job computes; until then the old members stand.';

create or replace function private.refuse_used_key(p_workspace_id uuid, p_segment_id uuid, p_key text)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if exists (
    select from public.segments as s
    where s.workspace_id = p_workspace_id and s.key = p_key and s.id <> p_segment_id
  ) then
    raise sqlstate 'SP409' using
      message = format('Another segment has the key "%s"', p_key), column = 'key';
  end if;
end
$$;
comment on function private.refuse_used_key(uuid, uuid, text) is
  'SP409 when another segment of the workspace has the key.';

create or replace function private.insert_segment(p_workspace_id uuid, p_segment jsonb)
returns uuid
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_id uuid := coalesce((p_segment ->> 'id')::uuid, private.uuid_v7());
  v_is_live boolean := coalesce(p_segment ->> 'kind', 'live') = 'live';
  v_condition jsonb;
begin
  perform private.lock_segment_lane(p_workspace_id);
  perform private.refuse_used_key(p_workspace_id, v_id, p_segment ->> 'key');
  if v_is_live then
    v_condition := private.resolve_condition(p_workspace_id, p_segment -> 'condition');
  end if;
  insert into public.segments (workspace_id, id, key, name, description, kind, condition)
  values (
    p_workspace_id, v_id, p_segment ->> 'key', p_segment ->> 'name', p_segment ->> 'description',
    case when v_is_live then 'live' else 'static' end, v_condition
  );
  if v_is_live then
    perform private.start_computing(p_workspace_id, v_id, v_condition);
  end if;
  return v_id;
end
$$;
comment on function private.insert_segment(uuid, jsonb) is 'Creates a segment, see private.create_segment.';

create or replace function private.change_segment(p_workspace_id uuid, p_segment_id uuid, p_changes jsonb)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_segment public.segments;
  v_condition jsonb;
begin
  perform private.lock_segment_lane(p_workspace_id);
  select s.* into v_segment
  from public.segments as s
  where s.workspace_id = p_workspace_id and s.id = p_segment_id
  for no key update;
  if not found then
    return false;
  end if;
  perform private.refuse_used_key(p_workspace_id, p_segment_id, p_changes ->> 'key');
  update public.segments as s
  set
    key = case when p_changes ? 'key' then p_changes ->> 'key' else s.key end,
    name = coalesce(p_changes ->> 'name', s.name),
    description = case when p_changes ? 'description' then p_changes ->> 'description' else s.description end,
    updated_at = clock_timestamp()
  where s.workspace_id = p_workspace_id and s.id = p_segment_id;
  if coalesce(p_changes -> 'condition', 'null') <> 'null' then
    if v_segment.kind = 'static' then
      raise sqlstate 'SP409' using
        message = 'A static segment has no condition', column = 'condition';
    end if;
    v_condition := private.resolve_condition(p_workspace_id, p_changes -> 'condition');
    if v_condition <> v_segment.condition then
      perform private.start_computing(p_workspace_id, p_segment_id, v_condition);
    end if;
  end if;
  return true;
end
$$;
comment on function private.change_segment(uuid, uuid, jsonb) is 'Changes a segment, see private.update_segment.';

create or replace function private.create_segment(p_workspace_id uuid, p_segment jsonb)
returns uuid
language plpgsql
volatile
-- Definer: callers may not write the tables, which must agree with each other.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'member', 'segments:write');
  return private.insert_segment(p_workspace_id, p_segment);
end
$$;
comment on function private.create_segment(uuid, jsonb) is
  'Creates a segment of {id?, key?, name, description?, kind?, condition?} and returns its id; SP400 for a condition that cannot be used, SP409 for a key in use, SPLIM over the limit of the plan.';
grant execute on function private.create_segment(uuid, jsonb) to signalpost_user, signalpost_key;

create or replace function private.update_segment(p_workspace_id uuid, p_segment_id uuid, p_changes jsonb)
returns boolean
language plpgsql
volatile
-- Definer: as for private.create_segment.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'member', 'segments:write');
  return private.change_segment(p_workspace_id, p_segment_id, p_changes);
end
$$;
comment on function private.update_segment(uuid, uuid, jsonb) is
  'Changes key, name, description or condition of a segment; fields left out stay. Another condition is computed as a job. False when there is no such segment.';
grant execute on function private.update_segment(uuid, uuid, jsonb) to signalpost_user, signalpost_key;

create or replace function private.put_segment(
  p_workspace_id uuid,
  p_key text,
  p_segment jsonb,
  out id uuid,
  out is_created boolean
)
language plpgsql
volatile
-- Definer: as for private.create_segment.
security definer
set search_path = ''
as $$
declare
  v_kind text;
begin
  perform private.require_writer(p_workspace_id, 'member', 'segments:write');
  perform private.lock_segment_lane(p_workspace_id);
  select s.id, s.kind into put_segment.id, v_kind
  from public.segments as s
  where s.workspace_id = p_workspace_id and s.key = p_key;
  is_created := not found;
  if is_created then
    put_segment.id := private.insert_segment(p_workspace_id, p_segment || jsonb_build_object('key', p_key));
    return;
  elsif v_kind <> coalesce(p_segment ->> 'kind', 'live') then
    raise sqlstate 'SP409' using message = 'The kind of a segment cannot be changed', column = 'kind';
  end if;
  perform private.change_segment(
    p_workspace_id, put_segment.id,
    jsonb_build_object('description', null) || (p_segment - 'id') || jsonb_build_object('key', p_key)
  );
end
$$;
comment on function private.put_segment(uuid, text, jsonb) is
  'Creates the segment with a key, or replaces all that callers write of it; returns its id and whether it is new.';
grant execute on function private.put_segment(uuid, text, jsonb) to signalpost_user, signalpost_key;

create or replace function private.segment_uses(p_workspace_id uuid, p_segment_ids uuid[])
returns table (segment_id uuid, used_by jsonb)
language sql
stable
-- Definer: callers may not read what segments depend on.
security definer
set search_path = ''
as $$
  select i.id, coalesce(
    jsonb_agg(jsonb_build_object('kind', 'segment', 'id', s.id, 'name', s.name) order by s.id)
      filter (where s.id is not null), '[]'
  )
  from unnest(p_segment_ids) as i (id)
  left join private.segment_parts as p
    on p.workspace_id = p_workspace_id and p.kind = 'segment' and p.ref = i.id::text
  left join public.segments as s on s.workspace_id = p.workspace_id and s.id = p.segment_id
  where private.is_readable(p_workspace_id, array['segments:read', 'segments:write'])
  group by i.id
$$;
comment on function private.segment_uses(uuid, uuid[]) is
  'Lists the uses of each segment: a JSON list of kind, id and name.';
grant execute on function private.segment_uses(uuid, uuid[]) to signalpost_user, signalpost_key;

create or replace function private.delete_segment(p_workspace_id uuid, p_segment_id uuid)
returns boolean
language plpgsql
volatile
-- Definer: as for private.create_segment.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'member', 'segments:write');
  perform private.lock_segment_lane(p_workspace_id);
  if exists (
    select from private.segment_parts as p
    where p.workspace_id = p_workspace_id and p.kind = 'segment' and p.ref = p_segment_id::text
  ) then
    raise sqlstate 'SP409' using message = 'Cannot delete segment: another segment depends on it';
  end if;
  delete from public.segments as s where s.workspace_id = p_workspace_id and s.id = p_segment_id;
  if not found then
    return false;
  end if;
  delete from private.segment_parts as p
  where p.workspace_id = p_workspace_id and p.segment_id = p_segment_id;
  perform private.drop_unused_features(p_workspace_id);
  insert into private.segment_jobs (workspace_id, segment_id, version, phase)
  values (p_workspace_id, p_segment_id, 0, 'cleanup')
  on conflict (workspace_id, segment_id) do update set phase = 'cleanup';
  return true;
end
$$;
comment on function private.delete_segment(uuid, uuid) is
  'Deletes a segment and leaves its members to a job; SP409 while another depends on it, false when there is no such segment.';
grant execute on function private.delete_segment(uuid, uuid) to signalpost_user, signalpost_key;

-- schema/segments/erasure.sql d17cf7c13da0f272
-- Purpose: rows about an erased customer.
-- Locks:   the lane of the workspace, so that no step of a computation writes them again.

create or replace function private.erase_segment_rows(
  p_erasure private.erasures,
  p_limit integer,
  p_now timestamptz
)
returns private.erasure_progress
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_rows integer := 0;
  v_count integer;
begin
  perform from private.segment_lanes as l where l.workspace_id = p_erasure.workspace_id for update;
  delete from private.segment_checks as k
  where k.workspace_id = p_erasure.workspace_id and k.customer_id = any (p_erasure.customer_ids);
  delete from private.signals as s
  where s.workspace_id = p_erasure.workspace_id and s.kind <> 'removed'
    and s.customer_id = any (p_erasure.customer_ids);
  delete from private.feature_marks as m
  where m.workspace_id = p_erasure.workspace_id and m.identity_id = any (p_erasure.identity_ids);
  delete from public.segment_members as m
  where m.workspace_id = p_erasure.workspace_id and m.customer_id = any (p_erasure.customer_ids);
  with doomed as materialized (
    select c.at, c.id from public.segment_changes as c
    where c.workspace_id = p_erasure.workspace_id and c.customer_id = any (p_erasure.customer_ids)
    limit p_limit
  )
  delete from public.segment_changes as c
  using doomed as d
  where c.workspace_id = p_erasure.workspace_id and c.at = d.at and c.id = d.id;
  get diagnostics v_rows = row_count;
  with doomed as materialized (
    select b.feature_id, b.identity_id, b.hour from private.feature_buckets as b
    where b.workspace_id = p_erasure.workspace_id and b.identity_id = any (p_erasure.identity_ids)
    limit p_limit
  )
  delete from private.feature_buckets as b
  using doomed as d
  where b.workspace_id = p_erasure.workspace_id and b.feature_id = d.feature_id
    and b.identity_id = d.identity_id and b.hour = d.hour;
  get diagnostics v_count = row_count;
  return private.batch_progress(greatest(v_rows, v_count), p_limit);
end
$$;
comment on function private.erase_segment_rows(private.erasures, integer, timestamptz) is
  'Deletes memberships, timers, changes and event state of an erased customer, up to p_limit rows of what can be many.';

-- schema/segments/members.sql e374b85d4ed712b1
-- Purpose: who is in a segment; lists are changed by hand.
-- Locks:   adding and removing takes the row of the segment.

create or replace function private.segment_customers(
  p_workspace_id uuid,
  p_segment_id uuid,
  p_before uuid,
  p_limit integer
)
returns table (customer_id uuid, since timestamptz)
language plpgsql
stable
-- Definer: under policies each row would be checked again.
security definer
set search_path = ''
set enable_seqscan = 'off'
set enable_sort = 'off'
as $$
begin
  if private.is_readable(p_workspace_id, array['segments:read', 'segments:write']) then
    return query
    select m.customer_id, m.since
    from public.segment_members as m
    where m.workspace_id = p_workspace_id and m.segment_id = p_segment_id
      and m.version = (
        select s.version from public.segments as s
        where s.workspace_id = p_workspace_id and s.id = p_segment_id
      )
      and m.customer_id < coalesce(p_before, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      -- Merged and erased customers stay for the moment until the next fold.
      and exists (
        select from public.customers as c where c.workspace_id = m.workspace_id and c.id = m.customer_id
      )
    order by m.customer_id desc
    limit p_limit;
  end if;
end
$$;
comment on function private.segment_customers(uuid, uuid, uuid, integer) is
  'Members of a segment with an id below p_before (null: all), newest customers first.';
grant execute on function private.segment_customers(uuid, uuid, uuid, integer)
  to signalpost_user, signalpost_key;

create or replace function private.customer_segments(p_workspace_id uuid, p_customer_id uuid)
returns table (segment_id uuid, since timestamptz)
language plpgsql
stable
-- Definer: readers of customers may see a customer's segments without the scope segments:read.
security definer
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  if private.is_readable(p_workspace_id, array['customers:read', 'segments:read', 'segments:write']) then
    return query
    select s.id, m.since
    from public.segment_members as m
    join public.segments as s
      on s.workspace_id = m.workspace_id and s.id = m.segment_id and s.version = m.version
    where m.workspace_id = p_workspace_id and m.customer_id = p_customer_id
    order by s.id desc;
  end if;
end
$$;
comment on function private.customer_segments(uuid, uuid) is 'The segments that a customer is in.';
grant execute on function private.customer_segments(uuid, uuid) to signalpost_user, signalpost_key;

create or replace function private.find_listed(p_workspace_id uuid, p_ids jsonb)
returns table (kind text, value text, customer_id uuid)
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  return query
  select 'customer_ids', v, c.id
  from jsonb_array_elements_text(coalesce(p_ids -> 'customer_ids', '[]')) as v
  left join lateral (
    select x.id from public.customers as x
    where x.workspace_id = p_workspace_id and x.id = case
      when v ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then v::uuid
    end
    limit 1
  ) as c on true
  union all
  select 'external_ids', v, i.customer_id
  from jsonb_array_elements_text(coalesce(p_ids -> 'external_ids', '[]')) as v
  left join lateral (
    select x.customer_id from public.identities as x
    where x.workspace_id = p_workspace_id and x.kind = 'external' and x.value = v limit 1
  ) as i on true
  union all
  select 'emails', v, c.id
  from jsonb_array_elements_text(coalesce(p_ids -> 'emails', '[]')) as v
  left join lateral (
    select x.id from public.customers as x
    where x.workspace_id = p_workspace_id and lower(x.email) = lower(v) and x.email is not null
  ) as c on true;
end
$$;
comment on function private.find_listed(uuid, jsonb) is
  'The customers that a list of ids, external ids and e-mail addresses names; null for one that leads to nobody.';

create or replace function private.require_list(p_workspace_id uuid, p_segment_id uuid, p_ids jsonb)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_kind text;
begin
  perform private.require_writer(p_workspace_id, 'member', 'segments:write');
  if (
    select sum(jsonb_array_length(e.value)) > 10000 from jsonb_each(p_ids) as e
  ) then
    raise sqlstate 'SP413' using message = 'A call must not name over 10000 customers';
  end if;
  select s.kind into v_kind
  from public.segments as s
  where s.workspace_id = p_workspace_id and s.id = p_segment_id
  for no key update;
  if v_kind is null then
    raise sqlstate 'SP404' using message = format('Unknown segment "%s"', p_segment_id);
  elsif v_kind = 'live' then
    raise sqlstate 'SP409' using message = 'The members of a live segment follow from its condition';
  end if;
end
$$;
comment on function private.require_list(uuid, uuid, jsonb) is
  'Locks a static segment whose members the caller may change; SP403, SP404, SP409 or SP413 otherwise.';

create or replace function private.note_list_change(p_workspace_id uuid, p_segment_id uuid, p_customer_ids uuid[])
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  update public.segments as s
  set members = (
    select count(*) from public.segment_members as m
    where m.workspace_id = p_workspace_id and m.segment_id = p_segment_id
  )
  where s.workspace_id = p_workspace_id and s.id = p_segment_id;
  perform private.note_segment_change(p_workspace_id, p_segment_id, p_customer_ids);
end
$$;
comment on function private.note_list_change(uuid, uuid, uuid[]) is
  'Counts a static segment again, and has the segments that name it follow.';

create or replace function private.list_result(p_workspace_id uuid, p_ids jsonb, p_changed integer)
returns jsonb
language sql
stable
security invoker
set search_path = ''
as $$
  select jsonb_build_object(
    'changed', p_changed,
    'unchanged', count(distinct f.customer_id) - p_changed,
    'unknown', jsonb_build_object(
      'customer_ids', coalesce(jsonb_agg(f.value) filter (where f.customer_id is null and f.kind = 'customer_ids'), '[]'),
      'external_ids', coalesce(jsonb_agg(f.value) filter (where f.customer_id is null and f.kind = 'external_ids'), '[]'),
      'emails', coalesce(jsonb_agg(f.value) filter (where f.customer_id is null and f.kind = 'emails'), '[]')
    )
  )
  from private.find_listed(p_workspace_id, p_ids) as f
$$;
comment on function private.list_result(uuid, jsonb, integer) is
  'The answer to a change of a static segment: changed, unchanged, unknown.';

create or replace function private.add_to_segment(p_workspace_id uuid, p_segment_id uuid, p_ids jsonb)
returns jsonb
language plpgsql
volatile
-- Definer: as for private.create_segment.
security definer
set search_path = ''
as $$
declare
  v_added uuid[];
begin
  perform private.require_list(p_workspace_id, p_segment_id, p_ids);
  with added as (
    insert into public.segment_members (workspace_id, segment_id, version, customer_id, since)
    select distinct p_workspace_id, p_segment_id, 0, f.customer_id, clock_timestamp()
    from private.find_listed(p_workspace_id, p_ids) as f
    where f.customer_id is not null
    on conflict do nothing
    returning customer_id
  )
  select coalesce(array_agg(a.customer_id), '{}') into v_added from added as a;
  perform private.note_list_change(p_workspace_id, p_segment_id, v_added);
  return private.list_result(p_workspace_id, p_ids, cardinality(v_added));
end
$$;
comment on function private.add_to_segment(uuid, uuid, jsonb) is
  'Adds customers to a static segment by {customer_ids, external_ids, emails}, at most 10,000; returns changed, unchanged, unknown.';
grant execute on function private.add_to_segment(uuid, uuid, jsonb) to signalpost_user, signalpost_key;

create or replace function private.remove_from_segment(p_workspace_id uuid, p_segment_id uuid, p_ids jsonb)
returns jsonb
language plpgsql
volatile
-- Definer: as for private.create_segment.
security definer
set search_path = ''
as $$
declare
  v_removed uuid[];
begin
  perform private.require_list(p_workspace_id, p_segment_id, p_ids);
  with removed as (
    delete from public.segment_members as m
    where m.workspace_id = p_workspace_id and m.segment_id = p_segment_id and m.version = 0
      and m.customer_id in (
        select f.customer_id from private.find_listed(p_workspace_id, p_ids) as f
      )
    returning m.customer_id
  )
  select coalesce(array_agg(r.customer_id), '{}') into v_removed from removed as r;
  perform private.note_list_change(p_workspace_id, p_segment_id, v_removed);
  return private.list_result(p_workspace_id, p_ids, cardinality(v_removed));
end
$$;
comment on function private.remove_from_segment(uuid, uuid, jsonb) is
  'Removes customers from a static segment, see private.add_to_segment.';
grant execute on function private.remove_from_segment(uuid, uuid, jsonb) to signalpost_user, signalpost_key;

create or replace function private.explain_segment(
  p_workspace_id uuid,
  p_segment_id uuid,
  p_customer_id uuid,
  p_now timestamptz default clock_timestamp()
)
returns jsonb
language plpgsql
stable
-- Definer: as for private.explain_condition.
security definer
set search_path = ''
as $$
declare
  v_segment public.segments;
  v_since timestamptz;
begin
  select s.* into v_segment
  from public.segments as s
  where s.workspace_id = p_workspace_id and s.id = p_segment_id
    and private.is_readable(p_workspace_id, array['segments:read', 'segments:write']);
  if not found or not exists (
    select from public.customers as c where c.workspace_id = p_workspace_id and c.id = p_customer_id
  ) then
    return null;
  end if;
  select m.since into v_since
  from public.segment_members as m
  where m.workspace_id = p_workspace_id and m.segment_id = p_segment_id
    and m.version = v_segment.version and m.customer_id = p_customer_id;
  return jsonb_build_object('at', private.rfc3339(p_now), 'changes_at', null, 'tree', null)
    || case v_segment.kind
      when 'live' then private.explain_one(p_workspace_id, p_customer_id, v_segment.condition, p_now)
      else '{}'
    end
    || jsonb_build_object('member', v_since is not null, 'since', private.rfc3339(v_since));
end
$$;
comment on function private.explain_segment(uuid, uuid, uuid, timestamptz) is
  'Explains why a customer is in a segment or not: member, since, at, changes_at and tree; null when one of them does not exist.';
grant execute on function private.explain_segment(uuid, uuid, uuid, timestamptz)
  to signalpost_user, signalpost_key;

-- schema/segments/parts.sql 47a3b30388771c40
-- Purpose: what live segments depend on: features of events, fields, other segments, topics.
-- Locks:   the caller holds the lane of the workspace.

create or replace function private.lock_segment_lane(p_workspace_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  insert into private.segment_lanes (workspace_id) values (p_workspace_id) on conflict do nothing;
  perform from private.segment_lanes as l where l.workspace_id = p_workspace_id for update;
end
$$;
comment on function private.lock_segment_lane(uuid) is
  'Waits until nobody folds the workspace, and keeps others from it until the transaction ends.';

create or replace function private.keep_class(p_keep integer)
returns integer
language sql
immutable
security invoker
set search_path = ''
as $$
  -- Thresholds up to 15 can be edited without reading history.
  select case when p_keep <= 16 then 16 else 101 end
$$;
comment on function private.keep_class(integer) is
  'Number of times that a feature keeps per identity for a leaf that needs p_keep of them.';

create or replace function private.leaf_hash(p_leaf jsonb)
returns bytea
language sql
immutable
security invoker
set search_path = ''
as $$
  select private.feature_hash(
    private.leaf_feature(p_leaf) || jsonb_build_object('keep', private.keep_class(private.leaf_keep(p_leaf)))
  )
$$;
comment on function private.leaf_hash(jsonb) is 'The key of the feature that holds the state of an event leaf.';

create or replace function private.add_features(p_workspace_id uuid, p_condition jsonb)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  insert into private.features (
    workspace_id, hash, event, conditions, since, until, property, keep, state
  )
  select distinct on (private.leaf_hash(l.leaf))
    p_workspace_id, private.leaf_hash(l.leaf), l.leaf ->> 'event', f.feature -> 'conditions',
    private.read_time(f.feature -> 'since'), private.read_time(f.feature -> 'until'),
    string_to_array(f.feature ->> 'property', '.'), private.keep_class(private.leaf_keep(l.leaf)),
    'building'
  from private.condition_leaves(p_condition) as l
  cross join lateral (select private.leaf_feature(l.leaf) as feature) as f
  where l.leaf ? 'event'
  on conflict on constraint features_workspace_id_hash_key do nothing;
  insert into private.event_interests (workspace_id, event)
  select distinct p_workspace_id, l.leaf ->> 'event'
  from private.condition_leaves(p_condition) as l
  where l.leaf ? 'event'
  on conflict do nothing;
end
$$;
comment on function private.add_features(uuid, jsonb) is
  'Creates the features of a condition that do not exist yet; ingest notes their events from the end of this transaction.';

create or replace function private.write_parts(p_workspace_id uuid, p_segment_id uuid, p_condition jsonb)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform private.add_features(p_workspace_id, p_condition);
  delete from private.segment_parts as p
  where p.workspace_id = p_workspace_id and p.segment_id = p_segment_id;
  insert into private.segment_parts (workspace_id, segment_id, kind, ref)
  select distinct p_workspace_id, p_segment_id, p.kind, p.ref
  from private.condition_leaves(p_condition) as l
  left join private.features as f
    on l.leaf ? 'event' and f.workspace_id = p_workspace_id and f.hash = private.leaf_hash(l.leaf)
  cross join lateral (
    values
      ('feature', f.id::text), ('field', split_part(l.leaf ->> 'field', '.', 1)),
      ('segment', l.leaf ->> 'segment'), ('topic', l.leaf ->> 'topic')
  ) as p (kind, ref)
  where p.ref is not null;
  perform private.drop_unused_features(p_workspace_id);
end
$$;
comment on function private.write_parts(uuid, uuid, jsonb) is
  'Notes what the condition of a segment depends on.';

create or replace function private.drop_unused_features(p_workspace_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  update private.features as f
  set state = 'dropped', hash = sha256(int8send(f.id))
  where f.workspace_id = p_workspace_id and f.state <> 'dropped' and not exists (
    select from private.segment_parts as p
    where p.workspace_id = f.workspace_id and p.kind = 'feature' and p.ref = f.id::text
  );
  delete from private.event_interests as i
  where i.workspace_id = p_workspace_id and not exists (
    select from private.features as f
    where f.workspace_id = i.workspace_id and f.event = i.event and f.state <> 'dropped'
  );
end
$$;
comment on function private.drop_unused_features(uuid) is
  'Gives up the features that no segment needs any more; their state is deleted in steps.';

create or replace function private.refuse_circle(p_workspace_id uuid, p_segment_id uuid, p_condition jsonb)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if exists (
    with recursive named as (
      select (l.leaf ->> 'segment')::uuid as id
      from private.condition_leaves(p_condition) as l
      where l.leaf ? 'segment'
      union
      select p.ref::uuid
      from named as n
      join private.segment_parts as p
        on p.workspace_id = p_workspace_id and p.segment_id = n.id and p.kind = 'segment'
    )
    select from named as n where n.id = p_segment_id
  ) then
    raise sqlstate 'SP400' using
      message = 'A segment must not depend on itself', column = 'condition';
  end if;
end
$$;
comment on function private.refuse_circle(uuid, uuid, jsonb) is
  'SP400 when a segment with this condition would name itself, directly or through others.';

create or replace function private.set_levels(p_workspace_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  loop
    update public.segments as s
    set level = n.level
    from (
      select p.segment_id, max(d.level) + 1 as level
      from private.segment_parts as p
      join public.segments as d on d.workspace_id = p.workspace_id and d.id::text = p.ref
      where p.workspace_id = p_workspace_id and p.kind = 'segment'
      group by p.segment_id
    ) as n
    where s.workspace_id = p_workspace_id and s.id = n.segment_id and s.level <> n.level;
    exit when not found;
  end loop;
end
$$;
comment on function private.set_levels(uuid) is
  'Puts each segment above those that it names: the order in which a fold evaluates them.';

-- schema/segments/resolve.sql 92f209c610727e9b
-- Purpose: checks conditions before they are stored or used, and replaces keys by ids.

create or replace function private.find_segment_id(p_workspace_id uuid, p_ref text)
returns uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_id uuid := (
    select s.id
    from public.segments as s
    where s.workspace_id = p_workspace_id and (s.key = p_ref or s.id::text = lower(p_ref))
    order by s.id::text = lower(p_ref) desc
    limit 1
  );
begin
  if v_id is null then
    raise sqlstate 'SP400' using
      message = format('Unknown segment "%s"', p_ref), column = 'condition';
  end if;
  return v_id;
end
$$;
comment on function private.find_segment_id(uuid, text) is
  'The segment with this id or key; SP400 when there is none.';

create or replace function private.find_topic_id(p_workspace_id uuid, p_ref text)
returns uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_id uuid;
begin
  if to_regclass('public.topics') is not null then
    execute 'select t.id from public.topics as t
      where t.workspace_id = $1 and (t.key = $2 or t.id::text = lower($2)) limit 1'
    into v_id using p_workspace_id, p_ref;
  end if;
  if v_id is null then
    raise sqlstate 'SP400' using message = format('Unknown topic "%s"', p_ref), column = 'condition';
  end if;
  return v_id;
end
$$;
comment on function private.find_topic_id(uuid, text) is
  'The topic with this id or key; SP400 when there is none.';

create or replace function private.resolve_node(p_workspace_id uuid, p_node jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_kind text := case when p_node ? 'all' then 'all' when p_node ? 'any' then 'any' end;
begin
  if v_kind is not null then
    return jsonb_build_object(v_kind, (
      select coalesce(jsonb_agg(private.resolve_node(p_workspace_id, e.value) order by e.ordinality), '[]')
      from jsonb_array_elements(p_node -> v_kind) with ordinality as e
    ));
  elsif p_node ? 'not' then
    return jsonb_build_object('not', private.resolve_node(p_workspace_id, p_node -> 'not'));
  elsif p_node ? 'segment' then
    return jsonb_build_object('segment', private.find_segment_id(p_workspace_id, p_node ->> 'segment'));
  elsif p_node ? 'topic' then
    return p_node || jsonb_build_object('topic', private.find_topic_id(p_workspace_id, p_node ->> 'topic'));
  elsif p_node ? 'journey' then
    raise sqlstate 'SP400' using
      message = 'Journeys are not available yet', column = 'condition';
  end if;
  return p_node;
end
$$;
comment on function private.resolve_node(uuid, jsonb) is 'A node with ids instead of keys.';

create or replace function private.resolve_condition(p_workspace_id uuid, p_condition jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if (select count(*) > 100 or max(l.level) > 8 from private.condition_leaves(p_condition) as l) then
    raise sqlstate 'SP400' using
      message = 'A condition must not have over 100 leaves or 8 levels', column = 'condition';
  end if;
  return private.resolve_node(p_workspace_id, p_condition);
end
$$;
comment on function private.resolve_condition(uuid, jsonb) is
  'The condition with ids of segments and topics instead of keys; SP400 when it names one that does not exist, or is too large.';

-- schema/segments/signals.sql ee4fc8cb66edf8f9
-- Purpose: what ingest and others note for the next fold.
-- Locks:   none: rows are only added.

create or replace function private.segmented_workspaces(p_workspace_ids uuid[])
returns uuid[]
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return array(
    select w.id
    from unnest(p_workspace_ids) as w (id)
    where exists (select from private.segment_lanes as l where l.workspace_id = w.id)
  );
end
$$;
comment on function private.segmented_workspaces(uuid[]) is
  'The workspaces that have segments: the others need no signals.';

create or replace function private.note_events(
  p_entries private.ingest_entry[],
  p_inputs jsonb,
  p_workspace_ids uuid[],
  p_at timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
-- By hash: a nested loop would look up each event's name.
set enable_nestloop = 'off'
as $$
begin
  insert into private.signals (workspace_id, kind, identity_id, event_id, received_at, name, at)
  select
    c.workspace_id, 'event', c.identity_id, c.event_id, p_at, c.name,
    least(coalesce(date_trunc('milliseconds', c.occurred_at), p_at), p_at)
  from rows from (
    unnest(p_entries), jsonb_to_recordset(p_inputs) as (name text, occurred_at timestamptz)
  ) with ordinality as c
  join private.event_interests as i
    on i.workspace_id = any (p_workspace_ids) and i.workspace_id = c.workspace_id and i.event = c.name
  where c.kind = 'event' and not c.is_duplicate and c.repeats is null and c.refused_code is null
  order by c.ordinality;
end
$$;
comment on function private.note_events(private.ingest_entry[], jsonb, uuid[], timestamptz) is
  'Notes the events of a batch that a segment depends on.';

create or replace function private.note_customers(p_workspace_id uuid, p_kind text, p_customer_ids uuid[])
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  insert into private.signals (workspace_id, kind, customer_id)
  select p_workspace_id, p_kind, c.id
  from unnest(p_customer_ids) as c (id)
  where exists (select from private.segment_lanes as l where l.workspace_id = p_workspace_id)
$$;
comment on function private.note_customers(uuid, text, uuid[]) is
  'Notes for the next fold what happened to customers: profile, created, removed or consent.';

create or replace function private.note_new_customers(
  p_created private.created_identity[],
  p_workspace_ids uuid[]
)
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  insert into private.signals (workspace_id, kind, customer_id)
  select distinct c.workspace_id, 'created', c.customer_id
  from unnest(p_created) as c
  where c.workspace_id = any (p_workspace_ids)
$$;
comment on function private.note_new_customers(private.created_identity[], uuid[]) is
  'Notes the customers that a batch created.';

create or replace function private.note_merge(p_workspace_id uuid, p_survivor_id uuid, p_merged_id uuid)
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  insert into private.signals (workspace_id, kind, customer_id, event_id)
  select p_workspace_id, 'merge', p_survivor_id, p_merged_id
  where exists (select from private.segment_lanes as l where l.workspace_id = p_workspace_id)
$$;
comment on function private.note_merge(uuid, uuid, uuid) is
  'Notes that a customer was merged into another.';

create or replace function private.note_segment_change(
  p_workspace_id uuid,
  p_segment_id uuid,
  p_customer_ids uuid[]
)
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  insert into private.signals (workspace_id, kind, customer_id, name)
  select p_workspace_id, 'segment', c.id, p_segment_id::text
  from unnest(p_customer_ids) as c (id)
  where exists (
    select from private.segment_parts as p
    where p.workspace_id = p_workspace_id and p.kind = 'segment' and p.ref = p_segment_id::text
  )
$$;
comment on function private.note_segment_change(uuid, uuid, uuid[]) is
  'Notes that the membership of customers changed outside of a fold, if another segment names this one.';

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
