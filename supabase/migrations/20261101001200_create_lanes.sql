-- Purpose: one lane a destination: when it may be claimed from, how much at once, how it fares.
-- Locks:   none on existing tables.
-- Risk:    lanes are locked by claims and completions for milliseconds, never by publishers.
-- Undo:    drop private.lanes with the triggers on public.destinations and their function.

create table private.lanes (
  workspace_id uuid not null,
  destination_id uuid not null,
  -- Copied from the destination; is_enabled is also false once it was deleted.
  is_enabled boolean not null,
  max_concurrency integer not null,
  rate_limit_per_second integer,
  -- What waits: no row is due before this, as far as is known; null for none. Manual ones pass
  -- every gate.
  due_at timestamptz,
  manual_due_at timestamptz,
  -- What is claimed, and the one dispatcher that holds it all.
  in_flight integer not null default 0,
  owner uuid,
  -- Rate limit.
  tokens double precision not null default 1,
  refilled_at timestamptz not null default '-infinity',
  limited_until timestamptz,
  -- Circuit breaker: with probes it is open until open_until, then lets that many through.
  probes integer,
  trips integer not null default 0,
  open_until timestamptz,
  -- Health. Failures are those since the last success.
  failures integer not null default 0,
  failing_since timestamptz,
  is_failing boolean not null default false,
  enabled_at timestamptz not null default clock_timestamp(),
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_error text,
  -- Beyond what may be sent at once, a lane hands out what its answers of late say will be sent
  -- within a quarter of a second: its dispatcher never waits for a claim, and little waits there.
  ahead integer not null default 0,
  capacity integer not null generated always as (
    coalesce(probes, least(max_concurrency * (1 + ahead), 500))
  ) stored,
  -- From when on there is something to claim, the lanes served last coming last; null for never.
  ready_at timestamptz generated always as (
    least(
      case when in_flight < 1000 then manual_due_at end,
      case
        when is_enabled and due_at is not null
          and in_flight < coalesce(probes, least(max_concurrency * (1 + ahead), 500))
        then greatest(due_at, open_until, limited_until, refilled_at)
      end
    )
  ) stored,
  -- An index on ready_at itself would fill with dead entries, and every claim walk over them.
  is_waiting boolean not null generated always as (
    (in_flight < 1000 and manual_due_at is not null)
    or (
      is_enabled and due_at is not null
      and in_flight < coalesce(probes, least(max_concurrency * (1 + ahead), 500))
    )
  ) stored,
  primary key (workspace_id, destination_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
comment on table private.lanes is
  'One row a destination; outlives a deleted one until the rest of its queue is gone.';
create index lanes_waiting_idx on private.lanes (workspace_id, destination_id) where is_waiting;
alter table private.lanes enable row level security;

create function private.follow_destination()
returns trigger
language plpgsql
volatile
-- Definer: members change destinations, and none of them may touch a lane or publish.
security definer
set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    update private.lanes as l set is_enabled = false, manual_due_at = null
    where l.workspace_id = old.workspace_id and l.destination_id = old.id;
    return null;
  end if;

  insert into private.lanes as l (
    workspace_id, destination_id, is_enabled, max_concurrency, rate_limit_per_second
  )
  values (new.workspace_id, new.id, new.enabled, new.max_concurrency, new.rate_limit_per_second)
  on conflict (workspace_id, destination_id) do update
  set
    is_enabled = excluded.is_enabled,
    max_concurrency = excluded.max_concurrency,
    rate_limit_per_second = excluded.rate_limit_per_second,
    limited_until = null;

  if tg_op = 'UPDATE' and new.enabled and not old.enabled then
    -- A second chance starts from nothing; is_failing stays, so that a recovery is told of.
    update private.lanes as l
    set failures = 0, failing_since = null, probes = null, trips = 0, open_until = null,
      enabled_at = clock_timestamp()
    where l.workspace_id = new.workspace_id and l.destination_id = new.id;
    perform private.wake_dispatcher();
  elsif tg_op = 'UPDATE' and old.enabled and not new.enabled then
    update private.lanes as l set is_failing = true
    where l.workspace_id = new.workspace_id and l.destination_id = new.id;
    perform private.announce_destination(new, 'destination.disabled', new.disabled_reason);
  end if;
  return null;
end
$$;
comment on function private.follow_destination() is
  'Keeps the lane in step with its destination, and tells the workspace''s other destinations when it is disabled.';
create trigger destinations_follow after insert or delete
  or update of enabled, max_concurrency, rate_limit_per_second on public.destinations
  for each row execute function private.follow_destination();
