-- Purpose: how times are written in JSON.

create or replace function private.rfc3339(p_at timestamptz)
returns text
-- In SQL, it would be planned again for each statement that calls it.
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
end
$$;
comment on function private.rfc3339(timestamptz) is
  'RFC 3339 in UTC with milliseconds and Z: the form of every time in JSON.';
grant execute on function private.rfc3339(timestamptz) to signalpost_user, signalpost_key;
