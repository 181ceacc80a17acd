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

grant select on public.rejected_entries to signalpost_user, signalpost_key;

create policy "Members can read rejected entries" on public.rejected_entries
  for select to signalpost_user
  using (workspace_id in (select private.member_workspace_ids()));
create policy "Keys can read rejected entries" on public.rejected_entries
  for select to signalpost_key
  using (workspace_id = (select private.key_workspace_id(array['events:read', 'track:write'])));

insert into private.partition_policies (table_name, step, ahead, keep)
values ('rejected_entries', 'day', 3, '7 days');
select private.ensure_partitions();

create function private.count_rejections(p_workspace_ids uuid[], p_day timestamptz)
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  insert into public.rejected_entry_stats as s (workspace_id, day)
  select w.id, p_day
  from public.workspaces as w
  where w.id = any (p_workspace_ids)
  order by w.id
  -- Locks the row: two callers would otherwise both keep what only one of them may.
  on conflict (workspace_id, day) do update set kept = s.kept
$$;
comment on function private.count_rejections(uuid[], timestamptz) is
  'Makes and locks the counters of a day, in the order of the workspaces.';

create function private.reject_entries(p_entries text, p_receipt_id uuid default null)
returns void
language plpgsql
volatile
-- Definer: the roles that ingest may execute this and read or write no table.
security definer
set search_path = ''
set jit = 'off'
as $$
declare
  v_at timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_day timestamptz := date_trunc('day', v_at, 'UTC');
begin
  perform private.count_rejections(
    array(select distinct (e ->> 'workspace_id')::uuid from jsonb_array_elements(p_entries::jsonb) as e),
    v_day
  );
  with sent as materialized (
    select
      e.*,
      octet_length(e.entry) as bytes,
      row_number() over sent_before as place,
      sum(octet_length(e.entry)) over sent_before as bytes_so_far
    from rows from (
      jsonb_to_recordset(p_entries::jsonb) as (
        workspace_id uuid, door text, source_id uuid, entry text,
        is_truncated boolean, part smallint, headers jsonb, message_id text, code text, error text,
        field text, request_id uuid
      )
    ) with ordinality as e (
      workspace_id, door, source_id, entry, is_truncated, part, headers, message_id, code, error,
      field, request_id, i
    )
    window sent_before as (partition by e.workspace_id order by e.i)
  ),
  room as materialized (
    select
      w.id as workspace_id, p.rejected_entries_per_day - s.kept as entries,
      p.rejected_bytes_per_day - s.kept_bytes as bytes
    from public.rejected_entry_stats as s
    join public.workspaces as w on w.id = s.workspace_id
    join public.plans as p on p.id = w.plan_id
    where s.workspace_id in (select t.workspace_id from sent as t) and s.day = v_day
  ),
  kept as (
    insert into public.rejected_entries (
      workspace_id, id, rejected_at, door, source_id, receipt_id, entry, is_truncated, part,
      headers, message_id, code, error, field, request_id
    )
    select
      e.workspace_id, private.uuid_v7(v_at, e.i::integer), v_at, e.door, e.source_id, p_receipt_id,
      e.entry, coalesce(e.is_truncated, false), e.part, coalesce(e.headers, '{}'),
      e.message_id, e.code, e.error, e.field, e.request_id
    from sent as e
    join room as r on r.workspace_id = e.workspace_id
    where e.place <= r.entries and e.bytes_so_far <= r.bytes
    returning workspace_id
  ),
  counts as (
    select
      e.workspace_id, count(*) as sent,
      (select count(*) from kept as k where k.workspace_id = e.workspace_id) as kept,
      sum(e.bytes) filter (where e.place <= r.entries and e.bytes_so_far <= r.bytes) as kept_bytes
    from sent as e
    join room as r on r.workspace_id = e.workspace_id
    group by e.workspace_id
  )
  update public.rejected_entry_stats as s
  set
    kept = s.kept + c.kept, kept_bytes = s.kept_bytes + coalesce(c.kept_bytes, 0),
    not_kept = s.not_kept + c.sent - c.kept
  from counts as c
  where s.workspace_id = c.workspace_id and s.day = v_day;
end
$$;
comment on function private.reject_entries(text, uuid) is
  'Keeps refused entries (a JSON array) with their reasons, as many as the plan keeps a day, and counts the others; p_receipt_id is the receipt they came with.';
revoke execute on function private.reject_entries(text, uuid) from public;
grant execute on function private.reject_entries(text, uuid) to signalpost_ingest;

create function private.number_pattern(p_traces text[])
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  -- A short number is in every entry as a count or a price: there the name has to tell more.
  select string_agg(format('%s"\s*:\s*(?:%s)\s*[,}]', n.name, n.ids), '|')
  from (
    select
      '"(?:(?:external|anon|anonymous|previous|user|customer)_?id|user|customer)' as name,
      string_agg(t.value, '|') as ids
    from unnest(p_traces) as t (value)
    where t.value ~ '^[0-9]+$'
    union all
    select 'id', string_agg(t.value, '|')
    from unnest(p_traces) as t (value)
    where t.value ~ '^[0-9]{5,}$'
  ) as n
  where n.ids is not null
$$;
comment on function private.number_pattern(text[]) is
  'Finds ids of digits that an entry has as a number, in a field that names an id; null when there are none. Case is not to count.';

create function private.phone_pattern(p_traces text[])
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  -- Not by format(), which makes nothing of null: that would find everything.
  select '[:"][\s\u00a0.()\[\]+-]*(?:'
    || string_agg(regexp_replace(substr(t.value, 2), '(.)', '\1[\\s\\u00a0.()\\[\\]-]*', 'g'), '|')
    || ')[",}]'
  from unnest(p_traces) as t (value)
  where t.value ~ '^\+[0-9]+$'
$$;
comment on function private.phone_pattern(text[]) is
  'Finds phone numbers in an entry, whatever people put between the digits; null when there are none.';

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
  -- As whole JSON strings, or the id "1" would be found in every number.
  v_ids text[] := array(select to_json(t)::text from unnest(p_erasure.traces) as t);
  -- Ids that differ in case are of different people; addresses are not.
  v_emails text[] := array(
    select lower(to_json(t)::text) from unnest(p_erasure.traces) as t where t like '%@%'
  );
  v_numbers text := private.number_pattern(p_erasure.traces);
  v_phones text := private.phone_pattern(p_erasure.traces);
  -- The work is one of bytes: half a second of it.
  v_bytes integer := 10000::bigint * p_limit / (10 + cardinality(p_erasure.traces));
begin
  with found as materialized (
    select r.rejected_at, r.id, r.entry
    from public.rejected_entries as r
    where r.workspace_id = p_erasure.workspace_id
      and (r.rejected_at, r.id) > (private.uuid_v7_time(v_after), v_after)
      -- For the planner, which leaves out no partition because of a comparison of rows.
      and r.rejected_at >= private.uuid_v7_time(v_after)
    order by r.rejected_at, r.id
    -- Even a short one is as much work as ten rows of others.
    limit (p_limit + 9) / 10
  ),
  page as materialized (
    select f.*
    from (
      select
        f.*,
        sum(octet_length(f.entry)) over (order by f.rejected_at, f.id) - octet_length(f.entry)
          as bytes_before
      from found as f
    ) as f
    where f.bytes_before <= v_bytes
  ),
  gone as (
    delete from public.rejected_entries as r
    using page as p
    where r.workspace_id = p_erasure.workspace_id and r.rejected_at = p.rejected_at and r.id = p.id
      and (
        exists (select from unnest(v_ids) as t where strpos(p.entry, t) > 0)
        or exists (select from unnest(v_emails) as t where strpos(lower(p.entry), t) > 0)
        or p.entry ~* v_numbers
        or p.entry ~ v_phones
      )
    returning r.receipt_id
  ),
  -- Its body holds the same, and names the customer only where an entry of it was stored.
  forgotten as (
    update public.inbound_receipts as r
    set body = null
    from gone as g
    where r.workspace_id = p_erasure.workspace_id and r.id = g.receipt_id
      and r.received_at = private.uuid_v7_time(g.receipt_id) and r.body is not null
  )
  select
    case when count(*) = (select count(*) from found) then 10 * count(*) else p_limit end,
    coalesce((array_agg(p.id order by p.rejected_at desc, p.id desc))[1], v_after)::text
  into seen, place
  from page as p;
end
$$;
comment on function private.erase_rejected_entries(private.erasures, integer) is
  'Looks through the refused entries behind the place for those that carry an id, address or number of an erased customer, and erases them with the bodies they came in; returns how many were seen, each as ten of p_limit and never less than that while there are more, and where to go on.';
