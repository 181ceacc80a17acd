-- Purpose: the message about a deletion goes last, when it was delivered or given up.

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
  'Whether a destination waits for the message or could recover it.';

create or replace function private.farewell_due_at(p_created_at timestamptz, p_now timestamptz)
returns timestamptz
language sql
immutable
security invoker
set search_path = ''
as $$
  -- Those of a disabled destination may wait for a month.
  select p_now + least(interval '1 hour', greatest(interval '1 minute', (p_now - p_created_at) / 4))
$$;
comment on function private.farewell_due_at(timestamptz, timestamptz) is
  'When to look again whether the news of an erasure was delivered: in a minute, and in an hour when it has waited for long.';

create or replace function private.postpone_farewells(p_limit integer, p_now timestamptz)
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
    where e.due_at <= p_now and e.step = 'farewell'
    order by e.due_at
    limit p_limit
  ),
  postponed as (
    update private.erasures as e
    set due_at = private.farewell_due_at(e.created_at, p_now)
    from due as d
    where e.workspace_id = d.workspace_id and e.id = d.id
      and private.is_awaited(e.workspace_id, e.farewell_id)
    returning 1
  )
  select count(*)::integer from postponed
$$;
comment on function private.postpone_farewells(integer, timestamptz) is
  'Looks at up to p_limit erasures whose news is on its way, all at once, so that those which wait take no turn from others; returns how many wait on.';

create or replace function private.erase_farewell(p_erasure private.erasures)
returns boolean
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  if private.is_awaited(p_erasure.workspace_id, p_erasure.farewell_id) then
    return false;
  end if;
  update public.webhook_messages as m
  set body = null
  where m.workspace_id = p_erasure.workspace_id and m.id = p_erasure.farewell_id
    and m.created_at = private.uuid_v7_time(p_erasure.farewell_id);
  update public.deliveries as d
  set response_snippet = null
  where d.workspace_id = p_erasure.workspace_id and d.message_id = p_erasure.farewell_id;
  return true;
end
$$;
comment on function private.erase_farewell(private.erasures) is
  'Erases the message that told of the deletion once no destination waits for it or could recover it; whether that was so.';
