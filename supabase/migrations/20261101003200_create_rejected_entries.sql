-- Purpose: what any door refused, entry by entry, until its cause is mended.
-- Locks:   none on existing tables.
-- Risk:    no foreign keys on the hot path. Kept for 7 days.
-- Undo:    drop the table with its row of private.partition_policies, and the function.

create table public.rejected_entries (
  workspace_id uuid not null,
  id uuid not null,
  rejected_at timestamptz not null,
  door text not null check (door in ('track', 'segment', 'inbound')),
  source_id uuid,
  receipt_id uuid,
  -- Text, not jsonb: what was refused may hold what jsonb cannot.
  entry text not null,
  is_truncated boolean not null default false,
  part smallint,
  headers jsonb not null default '{}',
  message_id text,
  code text not null,
  error text not null,
  field text,
  request_id uuid not null,
  resent_at timestamptz,
  resent_event_id uuid,
  primary key (workspace_id, rejected_at, id),
  constraint rejected_entries_source_check check ((door = 'inbound') = (source_id is not null))
) partition by range (rejected_at);
comment on table public.rejected_entries is
  'Entries that were refused, as they were sent, and why. Of inbound: an item of the payload, and which of the entries it became.';
create index rejected_entries_source_id_idx
  on public.rejected_entries (workspace_id, source_id, rejected_at desc, id desc)
  where source_id is not null;
create index rejected_entries_door_idx
  on public.rejected_entries (workspace_id, door, rejected_at desc, id desc);
create index rejected_entries_resent_idx
  on public.rejected_entries (workspace_id, rejected_at desc, id desc) where resent_at is not null;

create table private.rejected_entries_default partition of public.rejected_entries default;
alter table public.rejected_entries enable row level security;
alter table private.rejected_entries_default enable row level security;

grant select on public.rejected_entries to authenticated, signalpost_key, service_role;

create policy "Members can read rejected entries" on public.rejected_entries
  for select to authenticated
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read rejected entries" on public.rejected_entries
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['events:read', 'track:write'])));

insert into private.partition_policies (table_name, step, ahead, keep)
values ('rejected_entries', 'day', 3, '7 days');
select private.ensure_partitions();

create function private.reject_entries(p_entries text, p_receipt_id uuid default null)
returns void
language plpgsql
volatile
-- Definer: the roles that ingest may execute this and read or write no table.
security definer
set search_path = ''
as $$
declare
  v_at timestamptz := date_trunc('milliseconds', clock_timestamp());
begin
  insert into public.rejected_entries (
    workspace_id, id, rejected_at, door, source_id, receipt_id, entry, is_truncated, part,
    headers, message_id, code, error, field, request_id
  )
  select
    e.workspace_id, private.uuid_v7(v_at, e.i::integer), v_at, e.door, e.source_id, p_receipt_id,
    e.entry, coalesce(e.is_truncated, false), e.part, coalesce(e.headers, '{}'),
    e.message_id, e.code, e.error, e.field, e.request_id
  from rows from (
    jsonb_to_recordset(p_entries::jsonb) as (
      workspace_id uuid, door text, source_id uuid, entry text,
      is_truncated boolean, part smallint, headers jsonb, message_id text, code text, error text,
      field text, request_id uuid
    )
  ) with ordinality as e (
    workspace_id, door, source_id, entry, is_truncated, part, headers, message_id, code, error,
    field, request_id, i
  );
end
$$;
comment on function private.reject_entries(text, uuid) is
  'Keeps refused entries (a JSON array) with their reasons; p_receipt_id is the receipt they came with.';
revoke execute on function private.reject_entries(text, uuid) from public;
grant execute on function private.reject_entries(text, uuid) to signalpost_ingest;

create function private.erase_rejected_entries(
  p_erasure private.erasures,
  p_limit integer,
  out seen integer,
  out place text
)
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_after uuid := coalesce(nullif(p_erasure.place, ''), '00000000-0000-0000-0000-000000000000')::uuid;
begin
  with page as materialized (
    select r.rejected_at, r.id, r.entry
    from public.rejected_entries as r
    where r.workspace_id = p_erasure.workspace_id
      and (r.rejected_at, r.id) > (private.uuid_v7_time(v_after), v_after)
      -- For the planner, which leaves out no partition because of a comparison of rows.
      and r.rejected_at >= private.uuid_v7_time(v_after)
    order by r.rejected_at, r.id
    limit p_limit
  ),
  gone as (
    delete from public.rejected_entries as r
    using page as p
    where r.workspace_id = p_erasure.workspace_id and r.rejected_at = p.rejected_at and r.id = p.id
      -- As a whole JSON string, or the id "1" would be found in every number.
      and exists (
        select from unnest(p_erasure.traces) as t (value)
        where strpos(p.entry, to_json(t.value)::text) > 0
      )
  )
  select count(*), coalesce((array_agg(p.id order by p.rejected_at desc, p.id desc))[1], v_after)::text
  into seen, place
  from page as p;
end
$$;
comment on function private.erase_rejected_entries(private.erasures, integer) is
  'Looks through up to p_limit refused entries behind the place for those that carry an id, address or number of an erased customer; returns how many were seen, and where to go on.';
