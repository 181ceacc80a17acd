-- Purpose: erases the message about a deletion last, once it was delivered or given up.

create or replace function private.is_awaited(p_workspace_id uuid, p_message_id uuid)
returns boolean
language sql
stable
security invoker
set search_path = ''
as $$
  select exists (
    select
    from public.destinations as d
    left join private.webhook_queue as q
      on q.workspace_id = d.workspace_id and q.destination_id = d.id
      and q.message_id = p_message_id
    left join public.missed_messages as m
      on m.workspace_id = d.workspace_id and m.destination_id = d.id
      and m.message_created_at = private.uuid_v7_time(p_message_id)
      and m.message_id = p_message_id
    where d.workspace_id = p_workspace_id
      and (q.message_id is not null or m.message_id is not null)
  ) or exists (
    select from private.fan_outs as f
    where f.workspace_id = p_workspace_id and f.message_id = p_message_id
  )
$$;
comment on function private.is_awaited(uuid, uuid) is
  'True when a destination waits for the message or could recover it.';

create or replace function private.deletion_message_due_at(p_created_at timestamptz, p_now timestamptz)
returns timestamptz
language sql
immutable
security invoker
set search_path = ''
as $$
  -- Those of a disabled destination may wait for a month.
  select p_now + least(interval '1 hour', greatest(interval '1 minute', (p_now - p_created_at) / 4))
$$;
comment on function private.deletion_message_due_at(timestamptz, timestamptz) is
  'When to check again whether the message about a deletion was delivered: in a minute, or in up to an hour when it has waited for long.';

create or replace function private.recheck_deletion_messages(p_limit integer, p_now timestamptz)
returns integer
language sql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  with due as materialized (
    select e.workspace_id, e.id
    from private.erasures as e
    where e.due_at <= p_now and e.step = 'deletion_message'
    order by e.due_at
    limit p_limit
  ),
  postponed as (
    update private.erasures as e
    set due_at = private.deletion_message_due_at(e.created_at, p_now)
    from due as d
    where e.workspace_id = d.workspace_id and e.id = d.id
      and private.is_awaited(e.workspace_id, e.deletion_message_id)
    returning 1
  )
  select count(*)::integer from postponed
$$;
comment on function private.recheck_deletion_messages(integer, timestamptz) is
  'Checks up to p_limit erasures whose deletion message was not delivered yet, all at once, so that they do not delay others. Returns the number that still wait.';

create or replace function private.erase_deletion_message(
  p_erasure private.erasures,
  p_limit integer,
  p_now timestamptz
)
returns private.erasure_progress
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_progress private.erasure_progress;
begin
  v_progress.rows := 1;
  v_progress.is_finished := not private.is_awaited(
    p_erasure.workspace_id, p_erasure.deletion_message_id
  );
  if not v_progress.is_finished then
    v_progress.due_at := private.deletion_message_due_at(p_erasure.created_at, p_now);
    return v_progress;
  end if;
  update public.webhook_messages as m
  set body = null
  where m.workspace_id = p_erasure.workspace_id and m.id = p_erasure.deletion_message_id
    and m.created_at = private.uuid_v7_time(p_erasure.deletion_message_id);
  update public.deliveries as d
  set response_snippet = null, response_headers = null
  where d.workspace_id = p_erasure.workspace_id and d.message_id = p_erasure.deletion_message_id;
  return v_progress;
end
$$;
comment on function private.erase_deletion_message(private.erasures, integer, timestamptz) is
  'Erases the message about the deletion, if there is one, once no destination waits for it or could recover it.';
