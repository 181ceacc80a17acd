-- Purpose: what an operator does in SQL, for members and keys: test, replay, recover.

create or replace function private.require_destination(p_workspace_id uuid, p_destination_id uuid)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'member', 'destinations:write');
  perform from public.destinations as d where d.workspace_id = p_workspace_id and d.id = p_destination_id;
  if not found then
    raise sqlstate 'SP404' using message = 'Destination does not exist';
  end if;
end
$$;
comment on function private.require_destination(uuid, uuid) is
  'Raises SP403 unless the caller may operate destinations of the workspace, and SP404 unless this one exists.';

create or replace function private.replay_failed(
  p_workspace_id uuid,
  p_destination_id uuid,
  p_since timestamptz,
  p_until timestamptz,
  out job_id uuid,
  out matched integer
)
language plpgsql
volatile
-- Definer: creates a job, which callers may not do directly.
security definer
set search_path = ''
as $$
begin
  perform private.require_destination(p_workspace_id, p_destination_id);
  select r.job_id, r.matched into job_id, matched
  from ops.replay_failed(p_destination_id, p_since, coalesce(p_until, clock_timestamp())) as r;
end
$$;
comment on function private.replay_failed(uuid, uuid, timestamptz, timestamptz) is
  'ops.replay_failed for a caller of the workspace.';
grant execute on function private.replay_failed(uuid, uuid, timestamptz, timestamptz)
  to signalpost_user, signalpost_key;

create or replace function private.preview_replay(
  p_workspace_id uuid,
  p_destination_id uuid,
  p_since timestamptz,
  p_until timestamptz,
  out matched integer,
  out is_exact boolean
)
language plpgsql
stable
-- Definer: counts as the replay does, with the same rights.
security definer
set search_path = ''
as $$
declare
  v_job public.jobs;
begin
  perform private.require_destination(p_workspace_id, p_destination_id);
  v_job.workspace_id := p_workspace_id;
  v_job.destination_id := p_destination_id;
  v_job.since := p_since;
  v_job.until := coalesce(p_until, clock_timestamp());
  select c.matched, c.is_exact into matched, is_exact from private.count_failed(v_job) as c;
end
$$;
comment on function private.preview_replay(uuid, uuid, timestamptz, timestamptz) is
  'Counts the messages that replay_failed would resend now, also for a disabled destination.';
grant execute on function private.preview_replay(uuid, uuid, timestamptz, timestamptz)
  to signalpost_user, signalpost_key;

create or replace function private.recover_missed(
  p_workspace_id uuid,
  p_destination_id uuid,
  p_since timestamptz,
  out job_id uuid,
  out matched integer
)
language plpgsql
volatile
-- Definer: creates a job, which callers may not do directly.
security definer
set search_path = ''
as $$
begin
  perform private.require_destination(p_workspace_id, p_destination_id);
  select r.job_id, r.matched into job_id, matched
  from ops.recover_missed(p_destination_id, coalesce(p_since, '-infinity')) as r;
end
$$;
comment on function private.recover_missed(uuid, uuid, timestamptz) is
  'ops.recover_missed for a caller of the workspace; without a time, all of them.';
grant execute on function private.recover_missed(uuid, uuid, timestamptz)
  to signalpost_user, signalpost_key;

create or replace function private.discard_missed(
  p_workspace_id uuid,
  p_destination_id uuid,
  out job_id uuid,
  out matched integer
)
language plpgsql
volatile
-- Definer: creates a job, which callers may not do directly.
security definer
set search_path = ''
as $$
begin
  perform private.require_destination(p_workspace_id, p_destination_id);
  select r.job_id, r.matched into job_id, matched from ops.discard_missed(p_destination_id) as r;
end
$$;
comment on function private.discard_missed(uuid, uuid) is
  'ops.discard_missed for a caller of the workspace: everything that was missed until now.';
grant execute on function private.discard_missed(uuid, uuid) to signalpost_user, signalpost_key;

create or replace function private.replay_delivery(p_workspace_id uuid, p_delivery_id uuid)
returns uuid
language plpgsql
volatile
-- Definer: queues, which callers may not do directly.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'member', 'deliveries:write');
  perform from public.deliveries as d
  where d.workspace_id = p_workspace_id and d.id = p_delivery_id
    and d.attempted_at = private.uuid_v7_time(p_delivery_id);
  if not found then
    raise sqlstate 'SP404' using message = 'Delivery does not exist';
  end if;
  return private.send_again(p_workspace_id, p_delivery_id);
end
$$;
comment on function private.replay_delivery(uuid, uuid) is
  'ops.replay_delivery for a caller of the workspace; returns the message''s id.';
grant execute on function private.replay_delivery(uuid, uuid) to signalpost_user, signalpost_key;
