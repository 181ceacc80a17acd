-- Purpose: keeps entries that were refused, until their cause is fixed.

create or replace function private.count_rejections(p_workspace_ids uuid[], p_day timestamptz)
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
  -- Locks the row: otherwise two callers would both keep the last entry that the plan allows.
  on conflict (workspace_id, day) do update set kept = s.kept
$$;
comment on function private.count_rejections(uuid[], timestamptz) is
  'Creates and locks the counters of a day, in the order of the workspaces.';

create or replace function private.field_in_entry(p_field text)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  -- A path can be too long for an index.
  select left(regexp_replace(p_field, '^(events|batch)\[\d+\]\.?', ''), 200)
$$;
comment on function private.field_in_entry(text) is
  'The path of a field within its entry, without the place of the entry in a bulk: at most 200 characters.';

create or replace function private.rejection_reason(p_error text)
returns text
-- In SQL, it would run as a statement for each entry.
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  -- Without the place of an entry in a bulk, and the id that no customer has.
  return regexp_replace(
    regexp_replace(
      regexp_replace(p_error, '^(Body|Field "(events|batch)\[\d+\]") ', 'Entry '),
      '"(events|batch)\[\d+\]\.?', '"', 'g'
    ),
    '(no customer has the \w+ )".*"$', '\1"…"'
  );
end
$$;
comment on function private.rejection_reason(text) is
  'The part of an error that errors of other entries share; contract/read_reason.ts does the same.';
grant execute on function private.rejection_reason(text) to signalpost_user, signalpost_key;

create or replace function private.reject_entries(p_entries text, p_receipt_id uuid default null)
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
        workspace_id uuid, origin text, source_id uuid, entry text,
        is_truncated boolean, part smallint, headers jsonb, message_id text, code text, error text,
        field text, request_id uuid
      )
    ) with ordinality as e (
      workspace_id, origin, source_id, entry, is_truncated, part, headers, message_id, code, error,
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
      workspace_id, id, rejected_at, origin, source_id, receipt_id, entry, is_truncated, part,
      headers, message_id, code, error, field, field_in_entry, reason_hash, request_id
    )
    select
      e.workspace_id, private.uuid_v7(v_at, e.i::integer), v_at, e.origin, e.source_id, p_receipt_id,
      e.entry, coalesce(e.is_truncated, false), e.part, coalesce(e.headers, '{}'),
      e.message_id, e.code, e.error, e.field, private.field_in_entry(e.field),
      hashtextextended(private.rejection_reason(e.error), 0), e.request_id
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
  'Keeps refused entries (a JSON array) with their reasons, as many per day as the plan allows, and counts the others; p_receipt_id is the receipt they came with.';
revoke execute on function private.reject_entries(text, uuid) from public;
grant execute on function private.reject_entries(text, uuid) to signalpost_ingest;
