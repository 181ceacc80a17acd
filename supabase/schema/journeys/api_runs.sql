-- Purpose: runs of a customer, for readers of customers.

create or replace function private.customer_runs(
  p_workspace_id uuid,
  p_customer_id uuid,
  p_before uuid,
  p_limit integer
)
returns table (
  id uuid,
  journey_id uuid,
  journey_key text,
  journey_name text,
  version integer,
  customer_id uuid,
  key text,
  state text,
  step text,
  wake_at timestamptz,
  entered_at timestamptz,
  exited_at timestamptz,
  reason text,
  goal_at timestamptz
)
language plpgsql
stable
-- Definer: readers of customers may see a customer's journeys without the scope journeys:read.
security definer
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  if private.is_readable(p_workspace_id, array['customers:read', 'journeys:read']) then
    return query
    select
      r.id, r.journey_id, j.key, j.name, r.version, r.customer_id, r.key, r.state, r.step, r.wake_at,
      r.entered_at, r.exited_at, r.reason, r.goal_at
    from public.journey_runs as r
    left join public.journeys as j on j.workspace_id = r.workspace_id and j.id = r.journey_id
    where r.workspace_id = p_workspace_id and r.customer_id = p_customer_id
      and r.id < coalesce(p_before, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    order by r.id desc
    limit p_limit;
  end if;
end
$$;
comment on function private.customer_runs(uuid, uuid, uuid, integer) is
  'Runs of a customer with an id below p_before (null: all), newest first, with the names of their journeys.';
grant execute on function private.customer_runs(uuid, uuid, uuid, integer)
  to signalpost_user, signalpost_key;

create or replace function private.find_entrant(
  p_workspace_id uuid,
  p_customer_id uuid,
  p_external_id text
)
returns uuid
language plpgsql
stable
-- Definer: callers that let customers enter need no right to read them.
security definer
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  perform private.require_writer(p_workspace_id, 'member', 'journeys:write');
  if p_customer_id is not null then
    return (
      select c.id from public.customers as c
      where c.workspace_id = p_workspace_id and c.id = p_customer_id
    );
  end if;
  return (
    select i.customer_id from public.identities as i
    where i.workspace_id = p_workspace_id and i.kind = 'external' and i.value = p_external_id
  );
end
$$;
comment on function private.find_entrant(uuid, uuid, text) is
  'The customer with this id, or with this external id; null if there is none. Raises SP403 for callers who may not let customers enter journeys.';
grant execute on function private.find_entrant(uuid, uuid, text) to signalpost_user, signalpost_key;
