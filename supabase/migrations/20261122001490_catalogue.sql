-- Purpose: the catalogue: what people say about events, and the properties that samples of events had;
--          the types of explorations.
-- Risk:    none for ingest, which writes nothing here. A periodic task reads 50 events of a name at most
--          every 10 minutes. No value of a property is stored.
-- Undo:    drop the tables and the rows of the registries.

create table public.event_definitions (
  workspace_id uuid not null,
  name text not null,
  description text check (char_length(description) between 1 and 1000),
  owner text check (char_length(owner) between 1 and 200),
  status text check (status in ('expected', 'unexpected')),
  -- A list of property, type, is_required and description. Null: every property is expected.
  properties jsonb check (jsonb_typeof(properties) = 'array' and jsonb_array_length(properties) <= 100),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, name),
  constraint event_definitions_name_fkey foreign key (workspace_id, name)
    references public.event_names (workspace_id, name) on delete cascade
);
comment on table public.event_definitions is
  'Descriptions of event names by people: their meaning, owner, and expected properties.';

create table public.event_samples (
  workspace_id uuid not null,
  name text not null,
  -- The next sample; infinity until there are new events.
  due_at timestamptz not null,
  sampled_at timestamptz,
  -- Events up to then are not sampled again.
  sampled_until timestamptz not null default '-infinity',
  -- How many events the figures of public.event_properties are about.
  sampled bigint not null default 0,
  primary key (workspace_id, name),
  constraint event_samples_name_fkey foreign key (workspace_id, name)
    references public.event_names (workspace_id, name) on delete cascade
) with (fillfactor = 50);
comment on table public.event_samples is
  'Per event name how many events were sampled, and when the next are.';
create index event_samples_due_at_idx on public.event_samples (due_at) where due_at < 'infinity';

create table public.event_properties (
  workspace_id uuid not null,
  name text not null,
  -- A path like "address.city".
  property text not null check (char_length(property) between 1 and 500),
  -- Sampled events by the type of the value; they add up to the events that have the property.
  strings bigint not null,
  numbers bigint not null,
  booleans bigint not null,
  arrays bigint not null,
  objects bigint not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (workspace_id, name, property),
  constraint event_properties_name_fkey foreign key (workspace_id, name)
    references public.event_names (workspace_id, name) on delete cascade
) with (fillfactor = 50);
comment on table public.event_properties is
  'Properties of sampled events, without their values: at most 100 per event name and 10,000 per workspace.';

alter table public.event_definitions enable row level security;
alter table public.event_samples enable row level security;
alter table public.event_properties enable row level security;

grant select on public.event_definitions, public.event_samples, public.event_properties
  to signalpost_user, signalpost_key;
grant insert (workspace_id, name, description, owner, status, properties),
  update (description, owner, status, properties, updated_at)
  on public.event_definitions to signalpost_user, signalpost_key;

create policy "Members can read event definitions" on public.event_definitions
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read event definitions" on public.event_definitions
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['events:read', 'events:write'])));
create policy "Members can read event samples" on public.event_samples
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read event samples" on public.event_samples
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['events:read', 'events:write'])));
create policy "Members can read event properties" on public.event_properties
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read event properties" on public.event_properties
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['events:read', 'events:write'])));

create policy "Members can define events" on public.event_definitions
  for insert to signalpost_user
  with check (workspace_id = (select private.acting_workspace_id('member')));
create policy "Keys can define events" on public.event_definitions
  for insert to signalpost_key
  with check (workspace_id = (select private.key_workspace_id(array['events:write'])));
create policy "Members can change event definitions" on public.event_definitions
  for update to signalpost_user
  using (workspace_id = (select private.acting_workspace_id('member')))
  with check (workspace_id = (select private.acting_workspace_id('member')));
create policy "Keys can change event definitions" on public.event_definitions
  for update to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['events:write'])))
  with check (workspace_id = (select private.key_workspace_id(array['events:write'])));

-- The name of a property may be an id of a customer.
insert into private.erasure_steps (subject, position, step, function_name)
values ('customer', 18, 'event_properties', 'private.erase_event_properties');

-- After usage was added up, which says which names have new events.
insert into private.periodic_tasks (name, every, position, call, batch_size, max_batches)
values ('sample events', '10 seconds', 15, 'private.sample_events($1, $2)', 10, 2);

insert into private.move_rules (table_name, is_copied, is_taken_out)
values ('public.event_samples', true, true);

create type private.explored_source as (
  since timestamptz,
  until timestamptz,
  -- The share of customers, or without has_customers of events, that is taken; 1 for all.
  share numeric,
  -- About how many events there are.
  count bigint,
  -- A part of the "with" that has private.people_sql; null if this is the only source.
  people text,
  has_customers boolean,
  reads_properties boolean,
  -- Identities that are being erased, for sources without customers.
  erased_ids bigint[]
);
comment on type private.explored_source is 'The events that an exploration reads: see private.explored_sql.';

create type private.path_start as (customer_id uuid, occurred_at timestamptz, id uuid);
comment on type private.path_start is 'The event at which a path of a customer starts.';
