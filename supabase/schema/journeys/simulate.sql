-- Purpose: the parts of a simulation, which runs in one transaction that is rolled back.
-- Risk:    only for the function automation: a simulation that is committed is a real run.

create or replace function private.start_simulation(p_workspace_id uuid, p_journey_id uuid, p_options jsonb)
returns uuid
language plpgsql
volatile
-- Definer: as for private.claim_runs.
security definer
set search_path = ''
set jit = 'off'
as $$
declare
  v_customer_id uuid := (p_options ->> 'customer_id')::uuid;
  v_customer public.customers;
begin
  if not exists (
    select from public.journeys as j where j.workspace_id = p_workspace_id and j.id = p_journey_id
  ) then
    raise sqlstate 'SP404' using message = 'Journey does not exist';
  end if;
  insert into public.journey_versions (workspace_id, journey_id, version, definition, plan, published_at)
  values (
    p_workspace_id, p_journey_id, 2147483647, p_options -> 'definition',
    private.plan_journey(p_options -> 'definition'), clock_timestamp()
  );
  if v_customer_id is null then
    v_customer_id := gen_random_uuid();
    v_customer.workspace_id := p_workspace_id;
    v_customer.id := v_customer_id;
    v_customer.attributes := '{}';
    v_customer.created_at := clock_timestamp();
    v_customer.updated_at := v_customer.created_at;
    v_customer.last_seen_at := v_customer.created_at;
    perform private.store_customer(private.change_fields(
      v_customer, (p_options -> 'profile') - 'attributes', p_options #> '{profile,attributes}'
    ));
    insert into public.identities (workspace_id, customer_id, kind, value)
    values (p_workspace_id, v_customer_id, 'external', 'simulation-' || v_customer_id);
  elsif not exists (
    select from public.customers as c where c.workspace_id = p_workspace_id and c.id = v_customer_id
  ) then
    raise sqlstate 'SP404' using message = 'Customer does not exist';
  end if;
  -- As if the customer had never been inside.
  delete from public.journey_runs as r
  where r.workspace_id = p_workspace_id and r.journey_id = p_journey_id and r.customer_id = v_customer_id;
  delete from private.journey_entries as e
  where e.workspace_id = p_workspace_id and e.journey_id = p_journey_id and e.customer_id = v_customer_id;
  return v_customer_id;
end
$$;
comment on function private.start_simulation(uuid, uuid, jsonb) is
  'Prepares a simulation of {definition, customer_id or profile}: a version for it and, with a profile, a customer. Returns the customer. The caller rolls it back. Raises SP404 for an unknown journey or customer.';
grant execute on function private.start_simulation(uuid, uuid, jsonb) to signalpost_automation;

create or replace function private.simulate_entry(p_run jsonb, p_now timestamptz)
returns text
language plpgsql
volatile
-- Definer: as for private.claim_runs.
security definer
set search_path = ''
set jit = 'off'
as $$
begin
  return (
    select coalesce(e.reason, 'entered')
    from private.enter_runs((p_run ->> 'workspace_id')::uuid, array[row(
      (p_run ->> 'journey_id')::uuid, 2147483647, (p_run ->> 'customer_id')::uuid, p_now,
      (p_run ->> 'event_id')::uuid, coalesce(p_run -> 'trigger', '{}'), '{"simulation": true}', 0
    )::private.journey_entry], p_now) as e
  );
end
$$;
comment on function private.simulate_entry(jsonb, timestamptz) is
  'Lets the customer of a simulation {workspace_id, journey_id, customer_id, trigger?, event_id?} enter. Returns entered, or the reason why not.';
grant execute on function private.simulate_entry(jsonb, timestamptz) to signalpost_automation;

create or replace function private.simulate_event(p_run jsonb, p_event jsonb)
returns text
language plpgsql
volatile
-- Definer: as for private.claim_runs.
security definer
set search_path = ''
set jit = 'off'
as $$
declare
  v_workspace_id uuid := (p_run ->> 'workspace_id')::uuid;
  v_at timestamptz := (p_event ->> 'at')::timestamptz;
  v_id uuid := private.uuid_v7(v_at, (p_event ->> 'place')::integer);
  v_trigger jsonb := (
    select v.definition -> 'trigger' from public.journey_versions as v
    where v.workspace_id = v_workspace_id and v.journey_id = (p_run ->> 'journey_id')::uuid
      and v.version = 2147483647
  );
  v_is_trigger boolean := false;
begin
  insert into public.events (
    workspace_id, id, kind, identity_id, external_id, name, occurred_at, received_at, properties
  )
  select v_workspace_id, v_id, 'event', i.id, i.value, p_event ->> 'name', v_at, v_at,
    coalesce(p_event -> 'properties', '{}')
  from public.identities as i
  where i.workspace_id = v_workspace_id and i.customer_id = (p_run ->> 'customer_id')::uuid
  order by i.id
  limit 1;
  update public.journey_runs as r set due_at = v_at
  where r.workspace_id = v_workspace_id and r.journey_id = (p_run ->> 'journey_id')::uuid
    and r.customer_id = (p_run ->> 'customer_id')::uuid and r.state = 'active';
  if v_trigger ->> 'event' = p_event ->> 'name' then
    execute format('select %s', private.where_sql(coalesce(v_trigger -> 'where', '[]'), '$1'))
    into v_is_trigger using coalesce(p_event -> 'properties', '{}');
  end if;
  if not v_is_trigger then
    return null;
  end if;
  return private.simulate_entry(
    p_run || jsonb_build_object('event_id', v_id, 'trigger', coalesce(p_event -> 'properties', '{}')), v_at
  );
end
$$;
comment on function private.simulate_event(jsonb, jsonb) is
  'Gives the customer of a simulation an event {name, at, place, properties?}. Returns what private.simulate_entry does if it triggers the journey, else null.';
grant execute on function private.simulate_event(jsonb, jsonb) to signalpost_automation;

create or replace function private.claim_simulated(p_run jsonb, p_now timestamptz)
returns table (
  claim uuid, workspace_id uuid, run_id uuid, journey_id uuid, journey_name text, version integer,
  customer_id uuid, step text, visit integer, stepped_at timestamptz, stepped_id uuid, entered_at timestamptz,
  goal_at timestamptz, is_passed_by boolean, trigger jsonb, depth integer, wakes integer, facts jsonb
)
language plpgsql
volatile
-- Definer: as for private.claim_runs.
security definer
set search_path = ''
set jit = 'off'
as $$
declare
  v_runs public.journey_runs[];
begin
  with taken as (
    update public.journey_runs as r set claim = gen_random_uuid()
    where r.workspace_id = (p_run ->> 'workspace_id')::uuid and r.journey_id = (p_run ->> 'journey_id')::uuid
      and r.customer_id = (p_run ->> 'customer_id')::uuid and r.state = 'active' and r.due_at <= p_now
    returning r as run
  )
  select coalesce(array_agg(t.run), '{}') into v_runs from taken as t;
  return query
  select
    r.claim, r.workspace_id, r.id, r.journey_id, f.journey_name, r.version, r.customer_id, r.step, r.visit,
    r.stepped_at, r.stepped_id, r.entered_at, r.goal_at, r.is_passed_by, r.trigger, r.depth::integer, r.wakes,
    f.facts
  from unnest(v_runs) as r
  join private.run_facts(v_runs, p_now) as f on f.run_id = r.id;
end
$$;
comment on function private.claim_simulated(jsonb, timestamptz) is
  'The run of a simulation if it is due, as private.claim_runs returns it.';
grant execute on function private.claim_simulated(jsonb, timestamptz) to signalpost_automation;

create or replace function private.simulated_run(p_run jsonb)
returns table (state text, reason text, step text, wake_at timestamptz, due_at timestamptz)
language sql
stable
-- Definer: as for private.claim_runs.
security definer
set search_path = ''
set jit = 'off'
as $$
  select r.state, r.reason, r.step, r.wake_at, nullif(r.due_at, 'infinity')
  from public.journey_runs as r
  where r.workspace_id = (p_run ->> 'workspace_id')::uuid and r.journey_id = (p_run ->> 'journey_id')::uuid
    and r.customer_id = (p_run ->> 'customer_id')::uuid
  order by r.id desc
  limit 1
$$;
comment on function private.simulated_run(jsonb) is 'The state and place of the run of a simulation; nothing before it entered.';
grant execute on function private.simulated_run(jsonb) to signalpost_automation;

create or replace function private.template_contents(p_workspace_id uuid, p_template_id uuid)
returns table (subject text, html text, text text, strict boolean, workspace_name text)
language sql
stable
-- Definer: as for private.claim_runs.
security definer
set search_path = ''
set jit = 'off'
as $$
  select v.subject, v.html, v.text, t.strict, w.name
  from public.templates as t
  join public.template_versions as v
    on v.workspace_id = t.workspace_id and v.template_id = t.id and v.version = t.version
  join public.workspaces as w on w.id = t.workspace_id
  where t.workspace_id = p_workspace_id and t.id = p_template_id
$$;
comment on function private.template_contents(uuid, uuid) is 'The newest version of a template, to render in a simulation.';
grant execute on function private.template_contents(uuid, uuid) to signalpost_automation;
