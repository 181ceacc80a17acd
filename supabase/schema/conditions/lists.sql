-- Purpose: counts and lists of the customers and events that match a condition.
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
  -- Reads blocks of the table, which hold rows of other workspaces too: more than needed, then cut
  -- off in random order.
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
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
-- As for private.evaluate_compiled.
set join_collapse_limit = 1
set from_collapse_limit = 1
as $$
declare
  v_matches uuid[];
begin
  -- Reads the customers in one scan: looking each up by its id takes three times as long.
  execute 'select array_agg(s.id) from (' || private.condition_select(
    p_compiled, 'c.id, root.holds',
    '(select x.* from public.customers as x where x.workspace_id = $1)'
  ) || ') as s where s.holds' into v_matches using p_workspace_id, p_now;
  return coalesce(v_matches, '{}');
end
$$;
comment on function private.count_exactly(private.compiled_condition, uuid, timestamptz) is
  'All customers of a workspace that match a condition.';

create or replace function private.is_quickly_counted(
  p_compiled private.compiled_condition,
  p_workspace_id uuid,
  p_total bigint,
  p_now timestamptz
)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  -- Beyond that, finding some at random reads too much of the index.
  v_ids uuid[] := case when p_total between 1 and 500000 then array(
    select c.id from public.customers as c
    where c.workspace_id = p_workspace_id and random() < 1000.0 / p_total
    limit 500
  ) end;
  v_started_at timestamptz := clock_timestamp();
begin
  if v_ids is null or v_ids = '{}' then
    return false;
  end if;
  perform private.evaluate_compiled(p_compiled, p_workspace_id, v_ids, p_now);
  return extract(epoch from clock_timestamp() - v_started_at) / cardinality(v_ids) * p_total < 1.2;
end
$$;
comment on function private.is_quickly_counted(private.compiled_condition, uuid, bigint, timestamptz) is
  'True if all p_total customers of a workspace are likely counted within 1.2 s, judged by up to 500 of them.';

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
  v_ids uuid[];
  v_step integer := 500;
  v_from integer := 1;
  v_sampled_at timestamptz;
  v_spent double precision;
  v_matches uuid[] := '{}';
  v_is_exact boolean;
begin
  if private.is_quickly_counted(v_compiled, p_workspace_id, v_total, p_now) then
    v_matches := private.count_exactly(v_compiled, p_workspace_id, p_now);
    return jsonb_build_object(
      'count', cardinality(v_matches), 'is_exact', true, 'examples', to_jsonb(v_matches[1:10])
    );
  end if;
  v_ids := private.sample_customers(p_workspace_id, v_total, 50000);
  v_sampled_at := clock_timestamp();
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
    -- The rest takes as long per customer as the part that was done. If there is time, all of it is
    -- done.
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
  'Counts the customers that match a condition, with ten of them: count, is_exact, examples. An estimate from a random sample when all of them would take over about a second.';

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
  'Counts the customers that match a condition: count, is_exact.';
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
    -- Few match, so the steps get larger.
    v_step := least(v_step * 4, 20000);
  end loop;
  return query select m from unnest(v_matches[1:p_limit]) as m;
end
$$;
comment on function private.filter_customers(uuid, jsonb, uuid, integer, timestamptz) is
  'The newest customers that match a condition and whose id is below p_before (null: all), newest first; under p_limit only at the end.';
grant execute on function private.filter_customers(uuid, jsonb, uuid, integer, timestamptz)
  to signalpost_user, signalpost_key;
