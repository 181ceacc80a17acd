-- Purpose: the work of the pg_cron job that folds segments.

create or replace function private.fold_command(p_seconds numeric)
returns text
language sql
immutable
security invoker
set search_path = ''
as $$
  -- A function cannot commit: each fold is a transaction of its own.
  select format(
    'do $fold$
     declare
       v_until timestamptz := clock_timestamp() + make_interval(secs => %s);
       v_done integer := 1;
       v_is_busy boolean := false;
     begin
       loop
         v_done := private.fold_segments();
         commit;
         v_is_busy := v_is_busy or v_done > 0;
         exit when not v_is_busy or clock_timestamp() > v_until;
         if v_done = 0 then
           perform pg_sleep(0.02);
         end if;
       end loop;
     end
     $fold$',
    p_seconds
  )
$$;
comment on function private.fold_command(numeric) is
  'The command that folds segments until nothing is due, or for this many seconds if something was. The local stack has its own loop.';
