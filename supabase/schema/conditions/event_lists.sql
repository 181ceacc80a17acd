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
     where e.workspace_id = $1 and (e.received_at, e.id) < ($2, $3)
       and e.received_at >= $5 and e.received_at < $6 and %s and %s and %s
     order by e.received_at desc, e.id desc
     limit $4',
    case when p_page ->> 'name' is null then 'true' else format('e.name = %L', p_page ->> 'name') end,
    case when p_page ->> 'without_names' is null then 'true' else format(
      '(e.name = any (array(select jsonb_array_elements_text(%L::jsonb)))) is not true',
      p_page ->> 'without_names'
    ) end,
    case when p_page ->> 'customer_id' is null then 'true' else format(
      'e.identity_id = any (array(
         select i.id from public.identities as i where i.workspace_id = $1 and i.customer_id = %L::uuid
       ))', p_page ->> 'customer_id'
    ) end
  )
  using
    p_workspace_id, coalesce((p_page ->> 'before_received_at')::timestamptz, 'infinity'),
    coalesce((p_page ->> 'before_id')::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), p_limit,
    coalesce((p_page ->> 'since')::timestamptz, '-infinity'),
    coalesce((p_page ->> 'until')::timestamptz, 'infinity');
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
  'Those of the events that match a condition, with their customers, in the given order.';

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
  'Returns the events of a list that match a condition, newest first. Stops at the page limit or at the time p_until. Adds a final row with is_last when the list has no more events.';

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
  'Events that match a condition, newest first. p_page: before_received_at, before_id, limit, name, without_names, customer_id, since, until.';
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
  'Counts the events that match a condition: count and is_exact. A count that is not exact is a lower limit: the events that were found among the newest within a second and a half.';
grant execute on function private.count_events(uuid, jsonb, jsonb, timestamptz)
  to signalpost_user, signalpost_key;
