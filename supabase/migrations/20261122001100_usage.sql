-- Purpose: figures by the hour, and the names of events seen.
-- Risk:    ingest appends a few narrow rows per batch, which nobody else writes or waits for.
-- Undo:    drop the tables and the type.

create table private.usage_deltas (
  workspace_id uuid not null,
  id bigint generated always as identity,
  at timestamptz not null,
  name text,
  events integer not null default 0,
  customers integer not null default 0,
  bytes bigint not null default 0,
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
comment on table private.usage_deltas is
  'Figures that each batch of ingest added, by name of event (null: identifies and aliases), until it is added to the totals.';

create table public.usage_stats (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  hour timestamptz not null,
  events bigint not null,
  customers bigint not null,
  bytes bigint not null default 0,
  busiest_minute bigint not null default 0,
  -- Further deltas add to this minute.
  last_minute timestamptz,
  last_minute_events bigint not null default 0,
  primary key (workspace_id, hour)
) with (fillfactor = 50);
comment on table public.usage_stats is
  'Entries stored, customers created and bytes stored in the hour that starts at hour. busiest_minute: the most entries in one minute.';

create table public.event_names (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  name text not null,
  events bigint not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (workspace_id, name)
) with (fillfactor = 50);
comment on table public.event_names is
  'Names of tracked events, at most 1,000 per workspace: a client that generates names by mistake must not fill the table.';
create index event_names_first_seen_at_idx
  on public.event_names (workspace_id, first_seen_at desc, name);

-- By day: hourly rows for a thousand names would be too many to add up on request.
create table public.event_name_stats (
  workspace_id uuid not null,
  day timestamptz not null,
  name text not null,
  events bigint not null,
  primary key (workspace_id, day, name),
  constraint event_name_stats_name_fkey foreign key (workspace_id, name)
    references public.event_names (workspace_id, name) on delete cascade
) with (fillfactor = 50);
comment on table public.event_name_stats is 'Events of each known name in the UTC day that starts at day.';
create index event_name_stats_name_idx on public.event_name_stats (workspace_id, name, day);

create table public.rejected_entry_stats (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  day timestamptz not null,
  kept integer not null default 0,
  kept_bytes bigint not null default 0,
  not_kept integer not null default 0,
  primary key (workspace_id, day)
) with (fillfactor = 50);
comment on table public.rejected_entry_stats is
  'Refused entries of the UTC day that starts at day: how many are kept, and how many are not because of the plan.';

create table public.throttle_stats (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  hour timestamptz not null,
  bucket text not null check (bucket in ('ingest', 'api')),
  -- The requests or entries per second, or the bytes per day.
  reason text not null check (reason in ('rate', 'bytes')),
  caller_kind text not null check (caller_kind in ('api_key', 'source', 'user')),
  caller_id uuid not null,
  requests bigint not null,
  primary key (workspace_id, hour, bucket, reason, caller_kind, caller_id)
) with (fillfactor = 50);
comment on table public.throttle_stats is
  'Requests of each caller that a quota refused in the hour that starts at hour.';

alter table public.rejected_entry_stats enable row level security;
alter table public.throttle_stats enable row level security;
alter table private.usage_deltas enable row level security;
alter table public.usage_stats enable row level security;
alter table public.event_names enable row level security;
alter table public.event_name_stats enable row level security;

grant select on private.usage_deltas to signalpost_user, signalpost_key;
grant select on public.usage_stats, public.event_names, public.event_name_stats, public.rejected_entry_stats,
  public.throttle_stats
  to signalpost_user, signalpost_key;

do $$
declare
  v_table text;
begin
  foreach v_table in array array[
    'private.usage_deltas', 'public.usage_stats', 'public.event_names', 'public.event_name_stats',
    'public.rejected_entry_stats', 'public.throttle_stats'
  ] loop
    execute format(
      'create policy "Members can read usage" on %s for select to signalpost_user
       using (workspace_id in (select private.member_workspace_ids()))', v_table
    );
    execute format(
      'create policy "Keys can read usage" on %s for select to signalpost_key
       using (workspace_id = (
         select private.key_workspace_id(array[''events:read'', ''events:write'', ''destinations:read''])
       ))', v_table
    );
  end loop;
end
$$;

create type private.usage_delta as (
  workspace_id uuid,
  at timestamptz,
  name text,
  events integer,
  customers integer,
  bytes bigint
);
comment on type private.usage_delta is 'Amounts that a batch of ingest added for one event name.';

insert into private.periodic_tasks (name, every, position, call, batch_size, max_batches)
values
  ('add up usage', '10 seconds', 10, 'private.fold_usage($1)', 20000, 5),
  ('delete old usage', '1 hour', 25, 'private.delete_old_usage($1, $2)', 10000, 20),
  ('delete old counts of refused requests', '1 hour', 26, 'private.delete_old_throttles($1, $2)', 10000, 20);
