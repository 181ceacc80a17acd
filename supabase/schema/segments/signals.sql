-- Purpose: what ingest and others note for the next fold.
-- Locks:   none: rows are only added.

create or replace function private.segmented_workspaces(
  p_workspace_ids uuid[],
  out o_segmented uuid[],
  out o_followed uuid[]
)
language plpgsql
stable
security invoker
set search_path = ''
-- Planning a small batch again, for its sizes, takes longer than looking it up.
set plan_cache_mode = 'force_generic_plan'
as $$
begin
  select coalesce(array_agg(l.workspace_id), '{}'),
    coalesce(array_agg(l.workspace_id) filter (where l.follows_customers), '{}')
  into o_segmented, o_followed
  from unnest(p_workspace_ids) as w (id)
  cross join lateral (
    select x.workspace_id, x.follows_customers from private.segment_lanes as x
    where x.workspace_id = w.id limit 1
  ) as l;
end
$$;
comment on function private.segmented_workspaces(uuid[]) is
  'The workspaces that have segments or journeys: the others need no signals. And those of them where customers are noted too.';

create or replace function private.wake_folder()
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- A rehearsal would keep the slots from others until it is rolled back.
  if private.as_of() is not null then
    return;
  end if;
  -- Skips slots that another transaction has locked, so nobody waits here.
  update private.fold_wakes as w
  set notified_at = clock_timestamp()
  where w.slot = (
    select f.slot
    from private.fold_wakes as f
    where f.heard_until > clock_timestamp() and f.notified_at <= clock_timestamp() - interval '10 milliseconds'
    limit 1
    for update skip locked
  );
  if found then
    perform pg_notify('segments', '');
  end if;
end
$$;
comment on function private.wake_folder() is
  'Wakes the listeners for signals at commit, unless that was done three times within the last 10 ms.';

create or replace function private.hear_signals(p_for interval)
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  update private.fold_wakes as w set heard_until = clock_timestamp() + p_for
$$;
comment on function private.hear_signals(interval) is
  'Notes that the caller listens to the channel "segments" for this long. The job of pg_cron does not.';

create or replace function private.note_events(
  p_entries private.ingest_entry[],
  p_inputs jsonb,
  p_workspace_ids uuid[],
  p_at timestamptz
)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
-- By hash: a nested loop would look up each event's name.
set enable_nestloop = 'off'
as $$
declare
  v_count integer;
begin
  insert into private.signals (workspace_id, kind, identity_id, event_id, received_at, name, at, depth)
  select
    c.workspace_id, 'event', c.identity_id, c.event_id, p_at, c.name,
    least(coalesce(date_trunc('milliseconds', c.occurred_at), p_at), p_at), coalesce(c.depth, 0)
  from rows from (
    unnest(p_entries), jsonb_to_recordset(p_inputs) as (name text, occurred_at timestamptz, depth smallint)
  ) with ordinality as c
  join private.event_interests as i
    on i.workspace_id = any (p_workspace_ids) and i.workspace_id = c.workspace_id and i.event = c.name
  where c.kind = 'event' and not c.is_duplicate and c.repeats is null and c.refused_code is null
  order by c.ordinality;
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
comment on function private.note_events(private.ingest_entry[], jsonb, uuid[], timestamptz) is
  'Notes the events of a batch that a segment depends on, and returns their number.';

create or replace function private.follow_customers(p_workspace_id uuid)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  update private.segment_lanes as l set follows_customers = true
  where l.workspace_id = p_workspace_id and not l.follows_customers;
  if found then
    -- Waits for the calls of ingest that began before, and note no customers.
    perform pg_advisory_xact_lock(private.workspace_lock(p_workspace_id));
  end if;
end
$$;
comment on function private.follow_customers(uuid) is
  'Lets ingest note new and changed customers from the end of this transaction on. The caller holds the lane of the workspace.';

create or replace function private.note_customers(p_workspace_id uuid, p_kind text, p_customer_ids uuid[])
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  insert into private.signals (workspace_id, kind, customer_id)
  select p_workspace_id, p_kind, c.id
  from unnest(p_customer_ids) as c (id)
  where exists (select from private.segment_lanes as l where l.workspace_id = p_workspace_id);
  if found then
    perform private.wake_folder();
  end if;
end
$$;
comment on function private.note_customers(uuid, text, uuid[]) is
  'Notes for the next fold what happened to customers: profile, created, removed or consent.';

create or replace function private.note_entries(
  p_entries private.ingest_entry[],
  p_created private.created_identity[],
  p_workspace_ids uuid[]
)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_count integer;
begin
  if cardinality(p_workspace_ids) = 0 then
    return 0;
  end if;
  insert into private.signals (workspace_id, kind, customer_id)
  select distinct c.workspace_id, k.kind, c.customer_id
  from unnest(p_entries) as c
  cross join lateral (
    select case
      when c.identity_id in (select n.identity_id from unnest(p_created) as n) then 'created'
      when c.kind <> 'event' then 'profile'
    end as kind
  ) as k
  where c.workspace_id = any (p_workspace_ids) and k.kind is not null and c.customer_id is not null
    and not c.is_duplicate and c.repeats is null;
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
comment on function private.note_entries(private.ingest_entry[], private.created_identity[], uuid[]) is
  'Notes the customers that a batch created, and those whose profile or ids it may have changed, in the given workspaces. Returns their number.';

create or replace function private.note_merge(p_workspace_id uuid, p_survivor_id uuid, p_merged_id uuid)
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  insert into private.signals (workspace_id, kind, customer_id, event_id)
  select p_workspace_id, 'merge', p_survivor_id, p_merged_id
  where exists (select from private.segment_lanes as l where l.workspace_id = p_workspace_id)
$$;
comment on function private.note_merge(uuid, uuid, uuid) is
  'Notes that a customer was merged into another.';

create or replace function private.note_segment_change(
  p_workspace_id uuid,
  p_segment_id uuid,
  p_customer_ids uuid[]
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  insert into private.signals (workspace_id, kind, customer_id, name)
  select p_workspace_id, 'segment', c.id, p_segment_id::text
  from unnest(p_customer_ids) as c (id)
  where exists (
    select from private.segment_parts as p
    where p.workspace_id = p_workspace_id and p.kind = 'segment' and p.ref = p_segment_id::text
  ) or exists (
    select from private.journey_interests as i
    where i.workspace_id = p_workspace_id and i.kind = 'segment' and i.ref = p_segment_id::text
  );
  if found then
    perform private.wake_folder();
  end if;
end
$$;
comment on function private.note_segment_change(uuid, uuid, uuid[]) is
  'Notes that the membership of customers changed outside of a fold, if another segment or a journey names this one.';
