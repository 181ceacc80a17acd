-- Purpose: transactions that act as if it were earlier: rehearsals, which are rolled back.
-- Risk:    in such a transaction nothing is announced and no message is stored: never commit one.

create or replace function private.as_of()
returns timestamptz
-- In SQL, it would be planned again for each statement that calls it.
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return nullif(current_setting('signalpost.as_of', true), '')::timestamptz;
end
$$;
comment on function private.as_of() is
  'The time as of which this transaction acts: later events do not exist for it. Null in all but rehearsals.';

create or replace function private.act_as_of(p_at timestamptz)
returns void
language sql
volatile
security invoker
set search_path = ''
as $$
  select set_config('signalpost.as_of', private.rfc3339(p_at), true)
$$;
comment on function private.act_as_of(timestamptz) is
  'Lets this transaction act as of a time; it must be rolled back.';

create or replace function private.as_of_sql(p_received_at text)
returns text
language sql
stable
security invoker
set search_path = ''
as $$
  select case
    when private.as_of() is null then 'true'
    else format('%s <= %L::timestamptz', p_received_at, private.as_of())
  end
$$;
comment on function private.as_of_sql(text) is
  'SQL that is true for an event, received at p_received_at (SQL), that exists as of the time of this transaction.';
