-- Purpose: the parts of the rehearsal of one customer, in a transaction that is rolled back.
--          They call the functions that real runs, entries and merges use, as of a time in the
--          past.
-- Locks:   the customer first, as a merge does, where runs or merges are undone; then as those
--          functions.
-- Risk:    only for the function automation, which never commits.

create or replace function private.rehearsal_version()
returns integer
language sql
immutable
security invoker
set search_path = ''
as $$
  select 2147483646
$$;
comment on function private.rehearsal_version() is 'The number that a definition has while it is rehearsed.';

create or replace function private.undo_merges(p_workspace_id uuid, p_customer_id uuid, p_since timestamptz)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_merge public.customer_merges;
  v_survivor_id uuid;
  v_merges jsonb := '[]';
begin
  for v_merge in
    select m.* from public.customer_merges as m
    where m.workspace_id = p_workspace_id and m.customer_id = p_customer_id and m.merged_at > p_since
    order by m.merged_at desc, m.id desc
    limit 200
  loop
    -- The newest merges are undone already: this is the customer that it was merged into then.
    v_survivor_id := (
      select i.customer_id from public.identities as i
      where i.workspace_id = p_workspace_id and i.id = v_merge.identity_ids[1]
    );
    continue when v_survivor_id is null;
    perform private.store_customer(jsonb_populate_record(
      null::public.customers,
      v_merge.profile || jsonb_build_object('workspace_id', p_workspace_id, 'id', v_merge.merged_customer_id)
    ));
    update public.identities as i set customer_id = v_merge.merged_customer_id
    where i.workspace_id = p_workspace_id and i.id = any (v_merge.identity_ids);
    delete from public.customer_merges as m where m.workspace_id = p_workspace_id and m.id = v_merge.id;
    v_merges := v_merges || jsonb_build_array(jsonb_build_object(
      'at', private.rfc3339(v_merge.merged_at), 'id', v_merge.id, 'kind', 'merge', 'cause', v_merge.cause,
      'customer_id', v_survivor_id, 'merged_id', v_merge.merged_customer_id
    ));
  end loop;
  return v_merges;
end
$$;
comment on function private.undo_merges(uuid, uuid, timestamptz) is
  'Brings back the customers that were merged into this one since a time, each with its identities and the profile it had. Returns the merges as happenings.';

create or replace function private.rehearsed_events(p_rehearsal jsonb, p_customer_ids uuid[], p_limit integer)
returns table (at timestamptz, id uuid, kind text)
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  select
    e.received_at, e.id,
    case when e.name = p_rehearsal #>> '{definition,trigger,event}' then 'trigger' else 'news' end
  from public.identities as i
  cross join lateral (
    select x.received_at, x.id, x.name
    from public.events as x
    where x.workspace_id = i.workspace_id and x.identity_id = i.id and x.kind = 'event'
      and x.received_at > (p_rehearsal ->> 'since')::timestamptz
      and x.received_at <= (p_rehearsal ->> 'until')::timestamptz
      and (x.name = p_rehearsal #>> '{definition,trigger,event}' or x.name in (
        select n.ref from private.run_interests(p_rehearsal -> 'definition') as n where n.kind = 'event'
      ))
  ) as e
  where i.workspace_id = (p_rehearsal ->> 'workspace_id')::uuid and i.customer_id = any (p_customer_ids)
  order by e.received_at, e.id
  limit p_limit
$$;
comment on function private.rehearsed_events(jsonb, uuid[], integer) is
  'The events of customers that can begin runs of a rehearsal (trigger) or move them (news).';

create or replace function private.rehearsed_changes(p_rehearsal jsonb, p_customer_ids uuid[], p_limit integer)
returns table (at timestamptz, id uuid, customer_id uuid, is_current boolean)
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  with changes as materialized (
    select c.at, c.id, c.customer_id, c.change
    from public.segment_changes as c
    where c.workspace_id = (p_rehearsal ->> 'workspace_id')::uuid and c.customer_id = any (p_customer_ids)
      and c.segment_id::text = p_rehearsal #>> '{definition,trigger,segment}'
      and c.at > (p_rehearsal ->> 'since')::timestamptz and c.at <= (p_rehearsal ->> 'until')::timestamptz
    order by c.at, c.id
    limit p_limit
  )
  select c.at, c.id, c.customer_id, false
  from changes as c
  where (c.change = 'entered') = (p_rehearsal #>> '{definition,trigger,on}' = 'enter')
  union all
  -- Members at the start: those who left first, and members now who did not enter since.
  select (p_rehearsal ->> 'since')::timestamptz, '00000000-0000-0000-0000-000000000000', k.id, true
  from unnest(p_customer_ids) as k (id)
  where (p_rehearsal #>> '{definition,entry,include_current}')::boolean
    and coalesce(
      (select c.change = 'left' from changes as c where c.customer_id = k.id order by c.at, c.id limit 1),
      exists (
        select
        from public.segments as g
        join public.segment_members as m
          on m.workspace_id = g.workspace_id and m.segment_id = g.id and m.version = g.version
        where g.workspace_id = (p_rehearsal ->> 'workspace_id')::uuid
          and g.id::text = p_rehearsal #>> '{definition,trigger,segment}' and m.customer_id = k.id
      )
    )
$$;
comment on function private.rehearsed_changes(jsonb, uuid[], integer) is
  'When customers entered or left the segment that triggers a rehearsal, or were in it at its start.';

create or replace function private.start_rehearsed(p_rehearsal jsonb, p_customer_id uuid, p_limit integer)
returns jsonb
language plpgsql
volatile
-- Definer: as for private.claim_runs.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
declare
  v_workspace_id uuid := (p_rehearsal ->> 'workspace_id')::uuid;
  v_journey_id uuid := (p_rehearsal ->> 'journey_id')::uuid;
  v_merges jsonb;
  v_ids uuid[];
begin
  perform private.act_as_of((p_rehearsal ->> 'since')::timestamptz);
  perform from public.customers as c where c.workspace_id = v_workspace_id and c.id = p_customer_id;
  if not found then
    return '{"customer_ids": [], "happenings": []}';
  end if;
  -- A merge locks the customer before the rows below.
  perform from public.customers as c
  where c.workspace_id = v_workspace_id and c.id = p_customer_id and (
    exists (
      select from public.customer_merges as m
      where m.workspace_id = v_workspace_id and m.customer_id = p_customer_id
    ) or exists (
      select from public.journey_runs as r
      where r.workspace_id = v_workspace_id and r.journey_id = v_journey_id and r.customer_id = p_customer_id
    )
  )
  for update;
  insert into public.journey_versions (workspace_id, journey_id, version, definition, plan, published_at)
  values (
    v_workspace_id, v_journey_id, private.rehearsal_version(), p_rehearsal -> 'definition',
    private.plan_journey(p_rehearsal -> 'definition'), clock_timestamp()
  );
  v_merges := private.undo_merges(v_workspace_id, p_customer_id, (p_rehearsal ->> 'since')::timestamptz);
  v_ids := array[p_customer_id] || array(
    select (m ->> 'merged_id')::uuid from jsonb_array_elements(v_merges) as m
  );
  -- As if the journey had begun at this time.
  delete from public.journey_runs as r
  where r.workspace_id = v_workspace_id and r.journey_id = v_journey_id and r.customer_id = any (v_ids);
  delete from private.journey_entries as e
  where e.workspace_id = v_workspace_id and e.journey_id = v_journey_id and e.customer_id = any (v_ids);
  return jsonb_build_object('customer_ids', v_ids, 'happenings', (
    select coalesce(jsonb_agg(h.happening order by h.at, h.id), '[]')
    from (
      select (m ->> 'at')::timestamptz as at, (m ->> 'id')::uuid as id, m as happening
      from jsonb_array_elements(v_merges) as m
      union all
      select e.at, e.id, jsonb_build_object('at', private.rfc3339(e.at), 'id', e.id, 'kind', e.kind)
      from private.rehearsed_events(p_rehearsal, v_ids, p_limit) as e
      union all
      select c.at, c.id, jsonb_build_object(
        'at', private.rfc3339(c.at), 'id', c.id, 'kind', 'segment', 'customer_id', c.customer_id,
        'is_current', c.is_current
      )
      from private.rehearsed_changes(p_rehearsal, v_ids, p_limit) as c
    ) as h
  ));
end
$$;
comment on function private.start_rehearsed(jsonb, uuid, integer) is
  'Prepares the rehearsal {workspace_id, journey_id, definition, since, until} of a customer: {customer_ids, happenings}, with those who were merged into the customer later, and up to p_limit events, changes of the segment and merges, in their order. The caller rolls it back.';
grant execute on function private.start_rehearsed(jsonb, uuid, integer) to signalpost_automation;

create or replace function private.rehearsed_dates(p_rehearsal jsonb, p_customer_ids uuid[])
returns table (customer_id uuid, value jsonb, zone text, workspace_zone text)
language sql
stable
-- Definer: as for private.claim_runs.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
  select
    c.id,
    case p_rehearsal #>> '{definition,trigger,date}'
      when 'created_at' then to_jsonb(private.rfc3339(c.created_at))
      else c.attributes #> (string_to_array(p_rehearsal #>> '{definition,trigger,date}', '.'))[2:]
    end,
    c.timezone, w.timezone
  from public.customers as c
  join public.workspaces as w on w.id = c.workspace_id
  where c.workspace_id = (p_rehearsal ->> 'workspace_id')::uuid and c.id = any (p_customer_ids)
$$;
comment on function private.rehearsed_dates(jsonb, uuid[]) is
  'The dates of customers that trigger a rehearsal, as private.due_dates returns them.';
grant execute on function private.rehearsed_dates(jsonb, uuid[]) to signalpost_automation;

create or replace function private.rehearsed_entries(p_version public.journey_versions, p_at timestamptz, p_happenings jsonb)
returns private.journey_entry[]
language sql
stable
security invoker
set search_path = ''
as $$
  select private.entries_of_version(p_version, array(
    select jsonb_populate_record(null::private.signals, jsonb_build_object(
      'workspace_id', e.workspace_id, 'id', h.ordinality, 'kind', 'event', 'identity_id', e.identity_id,
      'event_id', e.id, 'received_at', e.received_at, 'name', e.name, 'at', e.received_at, 'depth', 0
    ))
    from jsonb_array_elements(p_happenings) with ordinality as h
    join public.events as e
      on e.workspace_id = p_version.workspace_id and e.received_at = p_at and e.id = (h.value ->> 'id')::uuid
    where h.value ->> 'kind' = 'trigger' and p_version.definition -> 'trigger' ? 'event'
  )) || array(
    select row(
      p_version.journey_id, p_version.version, (h.value ->> 'customer_id')::uuid,
      coalesce((h.value ->> 'enter_at')::timestamptz, p_at), null,
      case when h.value ->> 'kind' = 'date' then jsonb_build_object('date', h.value -> 'enter_at') else '{}' end,
      case
        when h.value ->> 'kind' = 'date' then
          jsonb_build_object('date', p_version.definition #> '{trigger,date}', 'at', h.value -> 'enter_at')
        else jsonb_build_object(
          'segment', p_version.definition #> '{trigger,segment}',
          case when (h.value ->> 'is_current')::boolean then 'current' else 'on' end,
          case when (h.value ->> 'is_current')::boolean then 'true' else p_version.definition #> '{trigger,on}' end
        )
      end, 0
    )::private.journey_entry
    from jsonb_array_elements(p_happenings) with ordinality as h
    where h.value ->> 'kind' in ('segment', 'date')
    order by h.ordinality
  )
$$;
comment on function private.rehearsed_entries(public.journey_versions, timestamptz, jsonb) is
  'The entries that the happenings of one instant lead to, as the fold and the timers make them.';

create or replace function private.rehearse_happenings(p_rehearsal jsonb, p_at timestamptz, p_happenings jsonb)
returns table (reason text)
language plpgsql
volatile
-- Definer: as for private.claim_runs.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
declare
  v_workspace_id uuid := (p_rehearsal ->> 'workspace_id')::uuid;
  v_ids uuid[] := array(select e::uuid from jsonb_array_elements_text(p_rehearsal -> 'customer_ids') as e);
  v_merge jsonb;
  v_version public.journey_versions;
begin
  perform private.act_as_of(p_at);
  for v_merge in
    select h from jsonb_array_elements(p_happenings) as h where h ->> 'kind' = 'merge'
  loop
    perform private.move_customer((v_merge ->> 'customer_id')::uuid, c, v_merge ->> 'cause', p_at)
    from public.customers as c
    where c.workspace_id = v_workspace_id and c.id = (v_merge ->> 'merged_id')::uuid;
  end loop;
  select v.* into v_version
  from public.journey_versions as v
  where v.workspace_id = v_workspace_id and v.journey_id = (p_rehearsal ->> 'journey_id')::uuid
    and v.version = private.rehearsal_version();
  return query
  select e.reason
  from private.enter_runs(
    v_workspace_id, private.rehearsed_entries(v_version, p_at, p_happenings), p_at
  ) as e;
  update public.journey_runs as r
  set due_at = least(r.due_at, p_at)
  where r.workspace_id = v_workspace_id and r.customer_id = any (v_ids) and r.state = 'active'
    and r.journey_id = v_version.journey_id and r.version = v_version.version;
  perform private.note_goals(array(
    select r from public.journey_runs as r
    where r.workspace_id = v_workspace_id and r.customer_id = any (v_ids) and r.state = 'ended'
      and r.journey_id = v_version.journey_id and r.version = v_version.version
  ));
end
$$;
comment on function private.rehearse_happenings(jsonb, timestamptz, jsonb) is
  'Lets the happenings of one instant take effect in a rehearsal {workspace_id, journey_id, customer_ids}: merges, entries and news. Returns per entry why there is none; null for one.';
grant execute on function private.rehearse_happenings(jsonb, timestamptz, jsonb) to signalpost_automation;

create or replace function private.claim_rehearsed(p_rehearsal jsonb, p_now timestamptz)
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
set enable_seqscan = 'off'
set jit = 'off'
as $$
declare
  v_runs public.journey_runs[];
begin
  perform private.act_as_of(p_now);
  with taken as (
    update public.journey_runs as r set claim = gen_random_uuid()
    where r.workspace_id = (p_rehearsal ->> 'workspace_id')::uuid and r.state = 'active' and r.due_at <= p_now
      and r.customer_id in (select e::uuid from jsonb_array_elements_text(p_rehearsal -> 'customer_ids') as e)
      and r.journey_id = (p_rehearsal ->> 'journey_id')::uuid and r.version = private.rehearsal_version()
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
comment on function private.claim_rehearsed(jsonb, timestamptz) is
  'The runs of a rehearsal that are due, as private.claim_runs returns them.';
grant execute on function private.claim_rehearsed(jsonb, timestamptz) to signalpost_automation;

create or replace function private.next_rehearsed(p_rehearsal jsonb)
returns timestamptz
language sql
stable
-- Definer: as for private.claim_runs.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
  select nullif(min(r.due_at), 'infinity')
  from public.journey_runs as r
  where r.workspace_id = (p_rehearsal ->> 'workspace_id')::uuid and r.state = 'active'
    and r.customer_id in (select e::uuid from jsonb_array_elements_text(p_rehearsal -> 'customer_ids') as e)
    and r.journey_id = (p_rehearsal ->> 'journey_id')::uuid and r.version = private.rehearsal_version()
$$;
comment on function private.next_rehearsed(jsonb) is 'When the next run of a rehearsal is due; null for never.';
grant execute on function private.next_rehearsed(jsonb) to signalpost_automation;
