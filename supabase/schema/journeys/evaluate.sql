-- Purpose: answers about runs and those who may enter: conditions, and events that they wait
--          for.
-- Risk:    reads everything that a condition is about, for the customers named.

create or replace function private.evaluate_items(
  p_workspace_id uuid,
  p_condition jsonb,
  p_customer_ids uuid[],
  p_triggers jsonb[],
  p_now timestamptz
)
returns table (place bigint, is_true boolean, changes_at timestamptz)
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
  return query execute private.condition_select(
    private.compile_condition(private.stored_scope(p_workspace_id), p_condition),
    'c.place, root.holds, root.until',
    '(select o.*, k.trigger, k.place from unnest($3, $4) with ordinality as k (customer_id, trigger, place)
      cross join lateral (
        select x.* from public.customers as x where x.workspace_id = $1 and x.id = k.customer_id limit 1
      ) as o)'
  ) using p_workspace_id, p_now, p_customer_ids, p_triggers;
end
$$;
comment on function private.evaluate_items(uuid, jsonb, uuid[], jsonb[], timestamptz) is
  'The answer of a condition for each customer with the trigger at the same place, and when time alone can change it; customers who do not exist are left out.';

create or replace function private.match_sql(p_match jsonb)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  select coalesce(string_agg(format(
    'coalesce(%s = %s, false)',
    private.path_sql('x.properties', m ->> 'property'),
    case
      when m ->> 'same_as' = 'run.id' then 'to_jsonb(r.id::text)'
      else private.path_sql('r.trigger', substr(m ->> 'same_as', length('trigger.') + 1))
    end
  ), ' and '), 'true')
  from jsonb_array_elements(coalesce(p_match, '[]')) as m
$$;
comment on function private.match_sql(jsonb) is
  'SQL of the properties that an event x must share with a run r.';

create or replace function private.find_run_events(
  p_workspace_id uuid,
  p_wanted jsonb,
  p_runs public.journey_runs[]
)
returns table (run_id uuid, event_id uuid, received_at timestamptz)
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
declare
  v_since text := case when p_wanted ->> 'since' = 'step' then 'stepped' else 'entered' end;
begin
  return query execute format(
    'select r.id, e.id, e.received_at
     from unnest($2) as r
     cross join lateral (
       select x.id, x.received_at
       from public.identities as i
       join public.events as x on x.workspace_id = i.workspace_id and x.identity_id = i.id
       where i.workspace_id = $1 and i.customer_id = r.customer_id
         and x.kind = ''event'' and x.name = %1$L
         and x.received_at >= r.%2$s_at and (x.received_at, x.id) > (r.%2$s_at, r.%2$s_id)
         and x.received_at < coalesce(r.stepped_at + %3$L::interval, r.entered_at + %6$L::interval, ''infinity'')
         and %4$s and %5$s and %7$s
       order by x.received_at, x.id
       limit 1
     ) as e',
    p_wanted ->> 'event', v_since,
    private.read_duration(p_wanted ->> 'timeout'),
    private.where_sql(
      private.leaf_feature(jsonb_build_object(
        'event', p_wanted -> 'event', 'where', coalesce(p_wanted -> 'where', '[]')
      )) -> 'conditions', 'x.properties'
    ),
    private.match_sql(p_wanted -> 'match'),
    private.read_duration(p_wanted ->> 'within'),
    private.as_of_sql('x.received_at')
  ) using p_workspace_id, p_runs;
end
$$;
comment on function private.find_run_events(uuid, jsonb, public.journey_runs[]) is
  'The first event of each run''s customer that matches {event, where, match, since: step | entry, timeout | within}, after the run''s position or entry.';
