-- Purpose: who is in a segment, and changes of static segments by hand.
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
  'The customers that a list of ids, external ids and e-mail addresses names; null for one that belongs to nobody.';

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
    raise sqlstate 'SP409' using message = 'Cannot change the members of a live segment: its condition decides who is in it';
  end if;
end
$$;
comment on function private.require_list(uuid, uuid, jsonb) is
  'Locks a static segment whose members the caller may change; SP403, SP404, SP409 or SP413 otherwise.';

create or replace function private.note_list_change(
  p_workspace_id uuid,
  p_segment_id uuid,
  p_customer_ids uuid[],
  p_are_added boolean
)
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
  perform private.record_flips(p_workspace_id, array[p_segment_id], array(
    select row(p_segment_id, i.id, 'list', p_are_added, null)::private.segment_truth
    from unnest(p_customer_ids) as i (id)
  ), clock_timestamp());
  perform private.note_segment_change(p_workspace_id, p_segment_id, p_customer_ids);
end
$$;
comment on function private.note_list_change(uuid, uuid, uuid[], boolean) is
  'Counts a static segment again after customers were added or removed, and has the segments that name it follow.';

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
  perform private.note_list_change(p_workspace_id, p_segment_id, v_added, true);
  return private.list_result(p_workspace_id, p_ids, cardinality(v_added));
end
$$;
comment on function private.add_to_segment(uuid, uuid, jsonb) is
  'Adds customers to a static segment by {customer_ids, external_ids, emails}, at most 10,000. Returns changed, unchanged, unknown.';
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
  perform private.note_list_change(p_workspace_id, p_segment_id, v_removed, false);
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
  'Explains why a customer is or is not in a segment: member, since, at, changes_at and tree. Returns null if one of them does not exist.';
grant execute on function private.explain_segment(uuid, uuid, uuid, timestamptz)
  to signalpost_user, signalpost_key;
