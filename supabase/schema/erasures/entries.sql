-- Purpose: erases a customer from the refused entries and the ignored requests that are kept.

create or replace function private.number_pattern(p_search_terms text[])
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  -- Short numbers occur in every entry as counts or prices: their field names must be specific.
  select string_agg(format('%s"\s*:\s*(?:%s)\s*[,}]', n.name, n.ids), '|')
  from (
    select
      '"(?:(?:external|anon|anonymous|previous|user|customer)_?id|user|customer)' as name,
      string_agg(t.value, '|') as ids
    from unnest(p_search_terms) as t (value)
    where t.value ~ '^[0-9]+$'
    union all
    select 'id', string_agg(t.value, '|')
    from unnest(p_search_terms) as t (value)
    where t.value ~ '^[0-9]{5,}$'
  ) as n
  where n.ids is not null
$$;
comment on function private.number_pattern(text[]) is
  'A pattern that finds ids of digits that an entry has as a number, in a field whose name is that of an id, ignoring case; null when there are none.';

create or replace function private.phone_pattern(p_search_terms text[])
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  -- Not with format(), which turns null into an empty pattern that finds everything.
  select '[:"][\s\u00a0.()\[\]+-]*(?:'
    || string_agg(regexp_replace(substr(t.value, 2), '(.)', '\1[\\s\\u00a0.()\\[\\]-]*', 'g'), '|')
    || ')[",}]'
  from unnest(p_search_terms) as t (value)
  where t.value ~ '^\+[0-9]+$'
$$;
comment on function private.phone_pattern(text[]) is
  'A pattern that finds phone numbers in an entry, with any separators between the digits; null when there are none.';

create or replace function private.mentions(
  p_text text,
  p_ids text[],
  p_emails text[],
  p_numbers text,
  p_phones text
)
returns boolean
language sql
immutable
security invoker
set search_path = ''
as $$
  select
    exists (select from unnest(p_ids) as t where strpos(p_text, t) > 0)
    or exists (select from unnest(p_emails) as t where strpos(lower(p_text), t) > 0)
    or coalesce(p_text ~* p_numbers, false)
    or coalesce(p_text ~ p_phones, false)
$$;
comment on function private.mentions(text, text[], text[], text, text) is
  'True if a JSON text has one of the ids, of the addresses in lower case, or what one of the patterns finds.';

create or replace function private.mentions_any(p_text text, p_search_terms text[])
returns boolean
language sql
immutable
security invoker
set search_path = ''
as $$
  select private.mentions(
    p_text,
    -- As whole JSON strings, or the id "1" would be found in every number.
    array(select to_json(t)::text from unnest(p_search_terms) as t),
    -- Ids that differ in case are of different people; addresses are not.
    array(select lower(to_json(t)::text) from unnest(p_search_terms) as t where t like '%@%'),
    private.number_pattern(p_search_terms), private.phone_pattern(p_search_terms)
  )
$$;
comment on function private.mentions_any(text, text[]) is
  'True if a JSON text mentions one of the search terms of an erasure.';

create or replace function private.erase_ignored_receipts(
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
  v_after uuid := coalesce(nullif(p_erasure.cursor, ''), '00000000-0000-0000-0000-000000000000')::uuid;
  v_ids text[] := array(select to_json(t)::text from unnest(p_erasure.search_terms) as t);
  v_emails text[] := array(
    select lower(to_json(t)::text) from unnest(p_erasure.search_terms) as t where t like '%@%'
  );
  v_numbers text := private.number_pattern(p_erasure.search_terms);
  v_phones text := private.phone_pattern(p_erasure.search_terms);
  v_progress private.erasure_progress;
  v_bytes integer := 10000::bigint * p_limit / (10 + cardinality(p_erasure.search_terms));
begin
  with found as materialized (
    select
      r.received_at, r.id, r.ignored > 0 and r.body is not null as is_searched,
      case when r.ignored > 0 and r.body is not null then r.body_bytes else 0 end as bytes
    from public.inbound_receipts as r
    where r.workspace_id = p_erasure.workspace_id
      and (r.received_at, r.id) > (private.uuid_v7_time(v_after), v_after)
      and r.received_at >= private.uuid_v7_time(v_after)
    order by r.received_at, r.id
    limit p_limit
  ),
  page as materialized (
    select f.*
    from (
      select f.*, sum(f.bytes) over (order by f.received_at, f.id) - f.bytes as bytes_before
      from found as f
    ) as f
    where f.bytes_before <= v_bytes
  ),
  erased as (
    update public.inbound_receipts as r
    set body = null
    from page as p
    where p.is_searched and r.workspace_id = p_erasure.workspace_id
      and r.received_at = p.received_at and r.id = p.id
      and private.mentions(r.body, v_ids, v_emails, v_numbers, v_phones)
  )
  select
    case when count(*) = (select count(*) from found) then count(*) else p_limit end,
    coalesce((array_agg(p.id order by p.received_at desc, p.id desc))[1], v_after)::text
  into v_progress.rows, v_progress.cursor
  from page as p;
  v_progress.is_finished := v_progress.rows < p_limit;
  return v_progress;
end
$$;
comment on function private.erase_ignored_receipts(private.erasures, integer, timestamptz) is
  'Searches the inbound requests after the cursor of which something was ignored, so that it leads to no customer, for an id, address or number of an erased customer. Removes their bodies.';

create or replace function private.erase_rejected_entries(
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
  v_after uuid := coalesce(nullif(p_erasure.cursor, ''), '00000000-0000-0000-0000-000000000000')::uuid;
  -- As whole JSON strings, or the id "1" would be found in every number.
  v_ids text[] := array(select to_json(t)::text from unnest(p_erasure.search_terms) as t);
  -- Ids that differ in case are of different people; addresses are not.
  v_emails text[] := array(
    select lower(to_json(t)::text) from unnest(p_erasure.search_terms) as t where t like '%@%'
  );
  v_numbers text := private.number_pattern(p_erasure.search_terms);
  v_phones text := private.phone_pattern(p_erasure.search_terms);
  v_progress private.erasure_progress;
  -- The time depends on the bytes: these take half a second.
  v_bytes integer := 10000::bigint * p_limit / (10 + cardinality(p_erasure.search_terms));
begin
  with found as materialized (
    select r.rejected_at, r.id, r.entry
    from public.rejected_entries as r
    where r.workspace_id = p_erasure.workspace_id
      and (r.rejected_at, r.id) > (private.uuid_v7_time(v_after), v_after)
      -- For the planner, which does not prune partitions by a comparison of rows.
      and r.rejected_at >= private.uuid_v7_time(v_after)
    order by r.rejected_at, r.id
    -- Even a short entry costs as much as ten rows of other steps.
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
      and private.mentions(p.entry, v_ids, v_emails, v_numbers, v_phones)
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
  into v_progress.rows, v_progress.cursor
  from page as p;
  v_progress.is_finished := v_progress.rows < p_limit;
  if v_progress.is_finished then
    -- The deletion message may wait for a month, and these must not wait with it.
    update private.erasures as e
    set search_terms = '{}'
    where e.workspace_id = p_erasure.workspace_id and e.id = p_erasure.id;
  end if;
  return v_progress;
end
$$;
comment on function private.erase_rejected_entries(private.erasures, integer, timestamptz) is
  'Searches the refused entries after the cursor for an id, address or number of an erased customer. Erases those entries, and the bodies they came in. Each entry counts as ten of p_limit, and a batch as at least p_limit while there are more.';
