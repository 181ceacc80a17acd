-- Purpose: rehearsals as jobs: started by a caller, worked customer by customer, and kept for a while.
-- Locks:   the row of the rehearsal; a worker that lost its claim records nothing.

create or replace function private.rehearsal_limit()
returns integer
language sql
immutable
security invoker
set search_path = ''
as $$
  select 20000
$$;
comment on function private.rehearsal_limit() is 'The maximum number of customers in one rehearsal.';

create or replace function private.rehearse_journey(p_workspace_id uuid, p_journey_id uuid, p_options jsonb)
returns uuid
language plpgsql
volatile
-- Definer: as for private.create_journey.
security definer
set search_path = ''
as $$
declare
  v_id uuid;
begin
  perform private.require_writer(p_workspace_id, 'member', 'journeys:write');
  perform from public.journeys as j
  where j.workspace_id = p_workspace_id and j.id = p_journey_id
  for no key update;
  if not found then
    raise sqlstate 'SP404' using message = 'Journey does not exist';
  elsif p_options #> '{definition,trigger}' ? 'api' then
    raise sqlstate 'SP409' using
      message = 'Cannot rehearse journey: customers enter it only through the API, and history does not record who would have entered';
  elsif exists (
    select from public.rehearsals as h
    where h.workspace_id = p_workspace_id and h.journey_id = p_journey_id and h.finished_at is null
  ) then
    raise sqlstate 'SP409' using message = 'Cannot rehearse journey: another rehearsal of it is not finished';
  end if;
  insert into public.rehearsals (workspace_id, journey_id, version, definition, since, until)
  values (
    p_workspace_id, p_journey_id, (p_options ->> 'version')::integer, p_options -> 'definition',
    (p_options ->> 'since')::timestamptz, date_trunc('milliseconds', clock_timestamp())
  )
  returning id into v_id;
  perform private.wake_worker('automation');
  return v_id;
end
$$;
comment on function private.rehearse_journey(uuid, uuid, jsonb) is
  'Starts a rehearsal of {definition, version?, since}, with ids instead of keys, up to now. Returns its id. Raises SP404 for an unknown journey, SP409 for one that calls enter or that is being rehearsed, SPLIM over the limit of the plan.';
grant execute on function private.rehearse_journey(uuid, uuid, jsonb) to signalpost_user, signalpost_key;

create or replace function private.rehearsal_customers(p_rehearsal public.rehearsals, p_limit integer)
returns uuid[]
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
declare
  v_trigger jsonb := p_rehearsal.definition -> 'trigger';
  v_events bigint;
  v_ids uuid[];
begin
  if v_trigger ? 'event' then
    execute format(
      'select sum(e.events), array_agg(distinct i.customer_id)
       from (
         select k.identity_id, count(*) as events
         from (
           select e.identity_id, e.properties
           from public.events as e
           where e.workspace_id = $1 and e.name = %L and e.received_at > $2 and e.received_at <= $3
           limit 50 * $4
         ) as k
         where %s
         group by k.identity_id
       ) as e
       cross join lateral (
         select n.customer_id from public.identities as n
         where n.workspace_id = $1 and n.id = e.identity_id limit 1
       ) as i',
      v_trigger ->> 'event', private.where_sql(coalesce(v_trigger -> 'where', '[]'), 'k.properties')
    ) into v_events, v_ids
    using p_rehearsal.workspace_id, p_rehearsal.since, p_rehearsal.until, p_limit;
    return case when coalesce(v_events, 0) < 50 * p_limit then coalesce(v_ids, '{}') end;
  elsif v_trigger ? 'segment' then
    return array(
      select coalesce(m.customer_id, k.customer_id)
      from (
        select s.customer_id
        from public.segment_changes as s
        where s.workspace_id = p_rehearsal.workspace_id and s.segment_id::text = v_trigger ->> 'segment'
          and s.at > p_rehearsal.since and s.at <= p_rehearsal.until
        union
        select s.customer_id
        from public.segments as g
        join public.segment_members as s
          on s.workspace_id = g.workspace_id and s.segment_id = g.id and s.version = g.version
        where g.workspace_id = p_rehearsal.workspace_id and g.id::text = v_trigger ->> 'segment'
          and (p_rehearsal.definition #>> '{entry,include_current}')::boolean
      ) as k
      left join lateral (
        select n.customer_id from public.customer_merges as n
        where n.workspace_id = p_rehearsal.workspace_id and n.merged_customer_id = k.customer_id limit 1
      ) as m on true
      group by 1
      limit p_limit
    );
  end if;
  return array(
    select c.id from public.customers as c
    where c.workspace_id = p_rehearsal.workspace_id
      and (v_trigger ->> 'date' = 'created_at'
        or c.attributes #> (string_to_array(v_trigger ->> 'date', '.'))[2:] is not null)
    limit p_limit
  );
end
$$;
comment on function private.rehearsal_customers(public.rehearsals, integer) is
  'The customers who may have entered in the time of a rehearsal, or enough of them to reach p_limit; null if there are too many events to read.';

create or replace function private.plan_rehearsal(p_rehearsal public.rehearsals, p_now timestamptz)
returns public.rehearsals
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_ids uuid[] := private.rehearsal_customers(p_rehearsal, private.rehearsal_limit() + 1);
  v_is_too_large boolean := coalesce(cardinality(v_ids) > private.rehearsal_limit(), true);
begin
  update public.rehearsals as h
  set
    customer_ids = case when v_is_too_large then '{}' else array(select i from unnest(v_ids) as i order by i) end,
    total = case when v_is_too_large then 0 else cardinality(v_ids) end,
    state = case when v_is_too_large then 'failed' when v_ids = '{}' then 'done' else 'running' end,
    error = case when v_is_too_large then format(
      'Cannot rehearse journey: more than %s customers, or too many events, since %s: choose a later time',
      private.rehearsal_limit(), private.rfc3339(p_rehearsal.since)
    ) end,
    finished_at = case when v_is_too_large or v_ids = '{}' then p_now end
  where h.workspace_id = p_rehearsal.workspace_id and h.id = p_rehearsal.id
  returning h.* into p_rehearsal;
  return p_rehearsal;
end
$$;
comment on function private.plan_rehearsal(public.rehearsals, timestamptz) is
  'Records the customers of a rehearsal, or that there are too many.';

create or replace function private.take_rehearsal(p_limit integer, p_now timestamptz default clock_timestamp())
returns table (
  workspace_id uuid, id uuid, claim uuid, journey_id uuid, definition jsonb, since timestamptz, until timestamptz,
  customer_ids jsonb
)
language plpgsql
volatile
-- Definer: as for private.claim_runs.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
declare
  v_rehearsal public.rehearsals;
begin
  select h.* into v_rehearsal
  from public.rehearsals as h
  where h.finished_at is null and coalesce(h.lease_until, h.created_at) <= p_now
  order by coalesce(h.lease_until, h.created_at)
  limit 1
  for update skip locked;
  if not found then
    return;
  elsif v_rehearsal.tries >= 5 then
    update public.rehearsals as h
    set
      state = 'failed', finished_at = p_now, claim = null, lease_until = null,
      error = 'Cannot rehearse journey: the service failed five times, and its log has the reason'
    where h.workspace_id = v_rehearsal.workspace_id and h.id = v_rehearsal.id;
    return;
  elsif v_rehearsal.customer_ids is null then
    v_rehearsal := private.plan_rehearsal(v_rehearsal, p_now);
  end if;
  return query
  update public.rehearsals as h
  set claim = gen_random_uuid(), lease_until = p_now + interval '60 seconds', tries = h.tries + 1
  where h.workspace_id = v_rehearsal.workspace_id and h.id = v_rehearsal.id and h.finished_at is null
  returning h.workspace_id, h.id, h.claim, h.journey_id, h.definition, h.since, h.until,
    to_jsonb(h.customer_ids[h.done + 1:h.done + p_limit]);
end
$$;
comment on function private.take_rehearsal(integer, timestamptz) is
  'Claims the rehearsal that has waited the longest, with its next p_limit customers. Returns nothing if none is due. Five claims without progress end it as failed.';
grant execute on function private.take_rehearsal(integer, timestamptz) to signalpost_automation;

create or replace function private.record_rehearsal(
  p_rehearsal jsonb,
  p_progress jsonb,
  p_now timestamptz default clock_timestamp()
)
returns boolean
language plpgsql
volatile
-- Definer: as for private.claim_runs.
security definer
set search_path = ''
set jit = 'off'
as $$
begin
  update public.rehearsals as h
  set
    done = h.done + (p_progress ->> 'done')::integer,
    counts = (
      select coalesce(jsonb_agg(jsonb_build_object('step', k.step, 'kind', k.kind, 'count', k.count)), '[]')
      from (
        select c.step, c.kind, sum(c.count) as count
        from jsonb_to_recordset(h.counts || (p_progress -> 'counts')) as c (step text, kind text, count bigint)
        group by 1, 2
        order by 1, 2
      ) as k
    ),
    examples = (
      select coalesce(jsonb_agg(e.value order by e.ordinality), '[]')
      from jsonb_array_elements(h.examples || (p_progress -> 'examples')) with ordinality as e
      where e.ordinality <= 10
    ),
    claim = null,
    lease_until = p_now,
    tries = 0,
    state = case when h.done + (p_progress ->> 'done')::integer >= h.total then 'done' else 'running' end,
    finished_at = case when h.done + (p_progress ->> 'done')::integer >= h.total then p_now end
  where h.workspace_id = (p_rehearsal ->> 'workspace_id')::uuid and h.id = (p_rehearsal ->> 'id')::uuid
    and h.claim = (p_rehearsal ->> 'claim')::uuid and h.finished_at is null;
  return found;
end
$$;
comment on function private.record_rehearsal(jsonb, jsonb, timestamptz) is
  'Adds {done, counts, examples} to a claimed rehearsal {workspace_id, id, claim}. Returns false if the claim is gone.';
grant execute on function private.record_rehearsal(jsonb, jsonb, timestamptz) to signalpost_automation;

create or replace function private.delete_old_rehearsals(p_limit integer, p_now timestamptz)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_rows integer;
begin
  delete from public.rehearsals as h
  where (h.workspace_id, h.id) in (
    select o.workspace_id, o.id from public.rehearsals as o
    where o.finished_at < p_now - interval '30 days'
    order by o.finished_at
    limit p_limit
    for update skip locked
  );
  get diagnostics v_rows = row_count;
  return v_rows;
end
$$;
comment on function private.delete_old_rehearsals(integer, timestamptz) is
  'Deletes up to p_limit rehearsals that ended over 30 days ago, and returns the number deleted.';
