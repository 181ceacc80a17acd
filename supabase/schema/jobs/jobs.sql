-- Purpose: durable jobs: replay of deliveries, recovery and discarding of missed messages.

create or replace function private.queue_again(
  p_destination public.destinations,
  p_message_ids uuid[],
  p_is_manual boolean,
  p_now timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
begin
  with queued as (
    insert into private.webhook_queue as q (
      workspace_id, destination_id, message_id, message_created_at, due_at, attempts, trigger, is_manual
    )
    select
      m.workspace_id, p_destination.id, m.id, m.created_at, p_now,
      coalesce((
        select max(d.attempt_number)
        from public.deliveries as d
        where d.workspace_id = m.workspace_id and d.message_id = m.id
          and d.destination_id = p_destination.id and d.attempted_at >= m.attempts_start
      ), 0),
      'replay', p_is_manual
    from unnest(p_message_ids) as i (id)
    cross join lateral (
      select
        n.workspace_id, n.id, n.created_at, private.attempts_start(n.created_at) as attempts_start
      from public.webhook_messages as n
      where n.workspace_id = p_destination.workspace_id and n.id = i.id
        and n.created_at = private.uuid_v7_time(i.id) and n.body is not null
      limit 1
    ) as m
    -- A waiting row becomes due now; a claimed one starts again after its attempt.
    on conflict (workspace_id, destination_id, message_id) do update
    set
      due_at = case when q.claim is null then excluded.due_at else q.due_at end,
      trigger = case when q.claim is null then 'replay' else q.trigger end,
      tries = case when q.claim is null then 0 else q.tries end,
      is_manual = q.is_manual or excluded.is_manual,
      is_replayed = q.claim is not null
    returning q.is_manual
  )
  -- The trigger has noted inserted rows, but not the waiting rows that became due.
  insert into private.lane_arrivals (workspace_id, destination_ids, due_at, is_manual)
  select distinct p_destination.workspace_id, array[p_destination.id], p_now, q.is_manual
  from queued as q;
  perform private.wake_dispatcher();
end
$$;
comment on function private.queue_again(public.destinations, uuid[], boolean, timestamptz) is
  'Queues existing messages for a new run of attempts with trigger replay.';

create or replace function private.failed_messages(
  p_job public.jobs,
  p_limit integer,
  out message_ids uuid[],
  out attempts integer,
  out cursor_at timestamptz,
  out cursor_id uuid
)
language sql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
-- The index has the order: sorting would read all failed attempts for every page.
set enable_sort = 'off'
as $$
  with page as materialized (
    select d.message_id, d.message_created_at, d.attempted_at, d.id, d.trigger
    from public.deliveries as d
    where d.workspace_id = p_job.workspace_id and d.destination_id = p_job.destination_id
      and d.attempted_at >= greatest(p_job.since, p_job.cursor_at) and d.attempted_at < p_job.until
      and (d.attempted_at, d.id) > (p_job.cursor_at, p_job.cursor_id)
      and not d.ok
    order by d.attempted_at, d.id
    limit p_limit
  ),
  newest as materialized (
    select distinct on (p.message_id)
      p.message_id, p.attempted_at, p.id, private.attempts_start(p.message_created_at) as since
    from page as p
    where p.trigger <> 'test'
    order by p.message_id, p.attempted_at desc, p.id desc
  )
  select
    array(
      select l.message_id
      from newest as l
      -- Each message counts once, at its last failure, and only if it was not delivered since.
      left join lateral (
        select true as is_over
        from public.deliveries as n
        where n.workspace_id = p_job.workspace_id and n.message_id = l.message_id
          and n.destination_id = p_job.destination_id
          and n.attempted_at >= l.since
          and (
            n.ok
            or ((n.attempted_at, n.id) > (l.attempted_at, l.id) and n.attempted_at < p_job.until)
          )
        limit 1
      ) as o on true
      where o.is_over is null
      order by l.attempted_at, l.id
    ),
    count(*)::integer,
    max(p.attempted_at),
    (array_agg(p.id order by p.attempted_at desc, p.id desc))[1]
  from page as p
$$;
comment on function private.failed_messages(public.jobs, integer) is
  'Reads the next p_limit failed attempts of a replay job, from its cursor on. Returns the messages that have not been delivered since, the number of attempts, and the last of them.';

create or replace function private.take_job(
  p_now timestamptz default clock_timestamp(),
  out workspace_id uuid,
  out job_id uuid
)
returns setof record
language sql
volatile
-- Definer: the dispatcher's role may execute this and read or write no table.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
  with next as materialized (
    select o.workspace_id, o.id
    from public.jobs as o
    where o.finished_at is null
    order by o.worked_at
    limit 1
    for update skip locked
  )
  update public.jobs as j
  set worked_at = p_now
  from next as n
  where j.workspace_id = n.workspace_id and j.id = n.id
  returning j.workspace_id, j.id
$$;
comment on function private.take_job(timestamptz) is
  'Takes the job that has waited the longest, and puts it behind all others. Commit it before work_job, so that a failing job does not hold up the others.';
grant execute on function private.take_job(timestamptz) to signalpost_dispatch;

create or replace function private.note_canceled(
  p_job public.jobs,
  p_message_ids uuid[],
  p_now timestamptz
)
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  insert into public.canceled_messages (
    workspace_id, destination_id, message_id, message_created_at, canceled_at
  )
  select
    p_job.workspace_id, p_job.destination_id, m.id, private.uuid_v7_time(m.id),
    date_trunc('milliseconds', p_now)
  from unnest(p_message_ids) as m (id)
  on conflict do nothing
$$;
comment on function private.note_canceled(public.jobs, uuid[], timestamptz) is
  'Records messages that a job has discarded.';

create or replace function private.work_job(
  p_workspace_id uuid,
  p_job_id uuid,
  p_limit integer default 1000,
  p_now timestamptz default clock_timestamp()
)
returns integer
language plpgsql
volatile
-- Definer: as for take_job.
security definer
set search_path = ''
set enable_seqscan = 'off'
set jit = 'off'
as $$
declare
  v_job public.jobs;
  v_destination public.destinations;
  v_message_ids uuid[];
  v_examined integer;
  v_is_over boolean;
begin
  select * into v_job
  from public.jobs as j
  where j.workspace_id = p_workspace_id and j.id = p_job_id and j.finished_at is null
  for update skip locked;
  if not found then
    return 0;
  end if;

  if v_job.kind in ('recover', 'discard') then
    with recovered as (
      delete from public.missed_messages as m
      using (
        select o.message_created_at, o.message_id
        from public.missed_messages as o
        where o.workspace_id = v_job.workspace_id and o.destination_id = v_job.destination_id
          and o.message_created_at >= v_job.since and o.message_created_at < v_job.until
        order by o.message_created_at, o.message_id
        limit p_limit
      ) as o
      where m.workspace_id = v_job.workspace_id and m.destination_id = v_job.destination_id
        and m.message_created_at = o.message_created_at and m.message_id = o.message_id
      returning m.message_id
    )
    select coalesce(array_agg(r.message_id), '{}'), count(*) into v_message_ids, v_examined
    from recovered as r;
  else
    select
      f.message_ids, f.attempts,
      coalesce(f.cursor_at, v_job.cursor_at), coalesce(f.cursor_id, v_job.cursor_id)
    into v_message_ids, v_examined, v_job.cursor_at, v_job.cursor_id
    from private.failed_messages(v_job, p_limit) as f;
  end if;

  select * into v_destination from public.destinations as d
  where d.workspace_id = v_job.workspace_id and d.id = v_job.destination_id;
  -- Missed messages may still wait in a fan-out.
  v_is_over := v_examined < p_limit and not (v_job.kind <> 'replay' and exists (
    select from private.fan_outs as f
    where f.workspace_id = v_job.workspace_id and f.message_created_at < v_job.until
  ));
  if v_job.kind = 'discard' then
    perform private.note_canceled(v_job, v_message_ids, p_now);
  else
    perform private.queue_again(v_destination, v_message_ids, false, p_now);
  end if;
  update public.jobs as j
  set
    done = j.done + cardinality(v_message_ids),
    -- A replay may cover more messages than were counted at its start.
    total = greatest(j.total, j.done + cardinality(v_message_ids)),
    cursor_at = v_job.cursor_at,
    cursor_id = v_job.cursor_id,
    state = case when v_is_over then 'done' else 'running' end,
    finished_at = case when v_is_over then p_now end
  where j.workspace_id = v_job.workspace_id and j.id = v_job.id;
  return cardinality(v_message_ids);
end
$$;
comment on function private.work_job(uuid, uuid, integer, timestamptz) is
  'Works on one batch of a job, up to p_limit missed messages or failed attempts. Returns the number of messages queued or discarded, 0 also if another dispatcher works on the job.';
grant execute on function private.work_job(uuid, uuid, integer, timestamptz) to signalpost_dispatch;

create or replace function private.create_job(p_job public.jobs)
returns uuid
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_id uuid;
begin
  insert into public.jobs (workspace_id, kind, destination_id, since, until, total)
  values (p_job.workspace_id, p_job.kind, p_job.destination_id, p_job.since, p_job.until, p_job.total)
  returning id into v_id;
  perform private.wake_dispatcher();
  return v_id;
end
$$;
comment on function private.create_job(public.jobs) is
  'Stores a job and wakes a dispatcher for it. Returns its id.';
