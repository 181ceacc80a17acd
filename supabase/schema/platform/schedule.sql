-- Purpose: the jobs of pg_cron.

create or replace function private.delete_old_cron_runs(p_now timestamptz default clock_timestamp())
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_since timestamptz := p_now - interval '2 days';
begin
  -- A run that crashed has no end time, and one that crashed early has no start time either.
  delete from cron.job_run_details as r
  where coalesce(r.end_time, r.start_time) < v_since
    or (
      r.start_time is null
      and r.runid < (select min(k.runid) from cron.job_run_details as k where k.start_time >= v_since)
    );
end
$$;
comment on function private.delete_old_cron_runs(timestamptz) is
  'Deletes the log entries of pg_cron about runs over two days old.';

create or replace function private.schedule_work(p_step text)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  -- A job of its own: other tasks may take long or be cancelled, and a wake-up leaves at commit.
  perform cron.schedule('signalpost-wake', p_step, 'select private.wake_if_due()');
  perform cron.schedule('signalpost-wake-sends', p_step, 'select private.wake_sends_if_due()');
  if p_step = '10 seconds' then
    perform cron.schedule('signalpost-segments', '1 second', private.fold_command(0.9));
    perform cron.schedule('signalpost-campaigns', '1 second', private.campaign_command(0.9));
  else
    perform cron.schedule('signalpost-campaigns', p_step, private.campaign_command(58));
    perform cron.schedule('signalpost-segments', p_step, private.fold_command(58));
  end if;
  perform cron.schedule(
    'signalpost-wake-automation', case p_step when '10 seconds' then '1 second' else p_step end,
    'select private.wake_automation_if_due()'
  );
  perform cron.schedule('signalpost-frequent-tasks', p_step, 'select private.run_frequent_tasks()');
  perform cron.schedule('signalpost-hourly-tasks', '7 * * * *', 'select ops.run_hourly_tasks()');
  perform cron.schedule('signalpost-delete-cron-runs', '23 3 * * *', 'select private.delete_old_cron_runs()');
end
$$;
comment on function private.schedule_work(text) is
  'Creates or updates the jobs of pg_cron. p_step: how often to look for work.';

create or replace function private.connect_cron(out state text, out to_do text)
returns record
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_problem text;
begin
  if to_regprocedure('cron.schedule(text, text, text)') is null then
    v_problem := private.create_extension('pg_cron');
  end if;
  state := 'missing';
  if to_regprocedure('cron.schedule(text, text, text)') is null then
    to_do := format('Enable the extension pg_cron, then call ops.connect_platform(): %s', v_problem);
    return;
  end if;
  begin
    perform private.schedule_work('10 seconds');
    state := 'every 10 seconds';
  exception when invalid_parameter_value then
    -- pg_cron supports seconds since version 1.5.
    perform private.schedule_work('* * * * *');
    state := 'every minute';
    to_do := 'Update pg_cron to 1.5 or later, then call ops.connect_platform(): retries are sent up to a minute late';
  end;
exception when others then
  state := 'broken';
  to_do := format('Repair the extension pg_cron, then call ops.connect_platform(): %s', sqlerrm);
end
$$;
comment on function private.connect_cron() is
  'Schedules the periodic tasks if pg_cron is there. Returns how often they run and what the operator has to do.';
