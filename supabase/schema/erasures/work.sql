-- Purpose: deletes erased customers and workspaces in batches, step by step.
-- Locks:   an advisory one, so that one worker works on it at a time, and the rows of a batch.

create or replace function private.batch_progress(p_rows integer, p_limit integer)
returns private.erasure_progress
language plpgsql
immutable
security invoker
set search_path = ''
as $$
declare
  v_progress private.erasure_progress;
begin
  v_progress.rows := p_rows;
  v_progress.is_finished := p_rows < p_limit;
  return v_progress;
end
$$;
comment on function private.batch_progress(integer, integer) is
  'The progress of a step that is finished when a batch is not full.';

create or replace function private.next_erasure_step(p_subject text, p_position integer default 0)
returns private.erasure_steps
language sql
stable
security invoker
set search_path = ''
as $$
  select s.*
  from private.erasure_steps as s
  where s.subject = p_subject and s.position > p_position
  order by s.position
  limit 1
$$;
comment on function private.next_erasure_step(text, integer) is
  'The step after a position, the first by default; null after the last.';

create or replace function private.finish_erasure_step(p_erasure private.erasures, p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_next private.erasure_steps := (
    select private.next_erasure_step(s.subject, s.position)
    from private.erasure_steps as s
    where s.step = p_erasure.step
  );
begin
  if v_next.step is null then
    delete from private.erasures as e
    where e.workspace_id = p_erasure.workspace_id and e.id = p_erasure.id;
  else
    update private.erasures as e
    set step = v_next.step, cursor = '', due_at = p_now + v_next.delay
    where e.workspace_id = p_erasure.workspace_id and e.id = p_erasure.id;
  end if;
end
$$;
comment on function private.finish_erasure_step(private.erasures, timestamptz) is
  'Moves an erasure on to its next step; deletes it after the last.';

create or replace function private.work_erasure(
  p_erasure private.erasures,
  p_limit integer,
  p_now timestamptz
)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_function text := (
    select s.function_name from private.erasure_steps as s where s.step = p_erasure.step
  );
  v_progress private.erasure_progress;
begin
  execute format('select * from %s($1, $2, $3)', v_function)
  into v_progress using p_erasure, p_limit, p_now;
  if v_progress.is_finished then
    perform private.finish_erasure_step(p_erasure, p_now);
  elsif not v_progress.is_finished then
    update private.erasures as e
    set
      cursor = coalesce(v_progress.cursor, e.cursor),
      due_at = coalesce(v_progress.due_at, p_now)
    where e.workspace_id = p_erasure.workspace_id and e.id = p_erasure.id;
  end if;
  return greatest(1, v_progress.rows);
end
$$;
comment on function private.work_erasure(private.erasures, integer, timestamptz) is
  'Works on one batch of an erasure, and then puts it behind all others of its workspace that are due. Returns the number of rows, at least 1.';

create or replace function private.work_workspace(p_workspace_id uuid, p_limit integer, p_now timestamptz)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_erasure private.erasures;
  v_id uuid := (
    select e.id
    from private.erasures as e
    where e.workspace_id = p_workspace_id and e.due_at <= p_now
    order by e.due_at, e.id
    limit 1
  );
  v_count integer := 0;
begin
  while v_count < p_limit loop
    select * into v_erasure
    from private.erasures as e
    where e.workspace_id = p_workspace_id and e.id = v_id and e.due_at <= p_now;
    exit when not found;
    begin
      v_count := v_count + private.work_erasure(v_erasure, p_limit - v_count, p_now);
    exception when others then
      -- An erasure that fails must not hold up the next ones.
      raise warning 'Cannot continue with erasure "%": %', v_id, sqlerrm;
      update private.erasures as e set due_at = p_now + interval '1 minute'
      where e.workspace_id = p_workspace_id and e.id = v_id;
      v_count := v_count + 1;
    end;
  end loop;
  return v_count;
end
$$;
comment on function private.work_workspace(uuid, integer, timestamptz) is
  'Works on the erasure of a workspace that has been due the longest, step after step, until it has to wait or p_limit rows are done. Returns the number of rows.';

create or replace function private.work_erasures(
  p_limit integer default 5000,
  p_now timestamptz default clock_timestamp(),
  p_until timestamptz default 'infinity'
)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_workspace_id uuid;
  v_count integer := 0;
begin
  -- Two at once would look for the same keys.
  if not pg_try_advisory_xact_lock(hashtextextended('signalpost.erasures', 0)) then
    return 0;
  end if;
  -- In random order, so that no workspace is always the last when time is short.
  for v_workspace_id in
    select e.workspace_id
    from private.erasures as e
    where e.due_at <= p_now
    group by e.workspace_id
    order by random()
  loop
    exit when v_count > 0 and clock_timestamp() >= p_until;
    v_count := v_count + private.work_workspace(v_workspace_id, p_limit, p_now);
  end loop;
  return v_count;
end
$$;
comment on function private.work_erasures(integer, timestamptz, timestamptz) is
  'Works on p_limit rows of each workspace with an erasure that is due, until p_until. Returns the number of rows, 0 if nothing is due.';

create or replace function private.run_erasures(p_now timestamptz, p_until timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  loop
    exit when private.work_erasures(5000, p_now, p_until) = 0 or clock_timestamp() >= p_until;
  end loop;
end
$$;
comment on function private.run_erasures(timestamptz, timestamptz) is
  'Works on erasures until none is due, or the time is p_until.';
