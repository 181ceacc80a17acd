-- Purpose: how conditions read times and durations.

create or replace function private.read_time(p_value jsonb)
returns timestamptz
language sql
stable
security invoker
set search_path = ''
set timezone = 'UTC'
as $$
  -- Checked before the cast, which raises an error for anything else.
  select case
    when jsonb_typeof(p_value) = 'string' and (p_value #>> '{}') ~ (
      '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
      || '([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?(Z|[+-](0[0-9]|1[0-4]):?[0-5][0-9])?)?$'
    ) and left(p_value #>> '{}', 4) <> '0000' then
      case when substr(p_value #>> '{}', 9, 2)::integer <= extract(
        day from (left(p_value #>> '{}', 7) || '-01')::date + interval '1 month' - interval '1 day'
      ) then (p_value #>> '{}')::timestamptz end
  end
$$;
comment on function private.read_time(jsonb) is
  'The instant that a JSON text names. A date without a time, or a time without a zone, is in UTC. Null for any other value.';

create or replace function private.read_duration(p_text text)
returns interval
language sql
immutable
security invoker
set search_path = ''
as $$
  select make_interval(secs => left(p_text, -1)::bigint * case right(p_text, 1)
    when 's' then 1 when 'm' then 60 when 'h' then 3600 when 'd' then 86400 when 'w' then 604800
  end)
$$;
comment on function private.read_duration(text) is
  'The length of a duration such as "30s", "15m", "36h", "7d" or "2w", a day of 24 hours.';

create or replace function private.known_zone(p_zone text, p_default text)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  perform now() at time zone p_zone;
  return coalesce(p_zone, p_default);
exception when invalid_parameter_value then
  -- The functions may know a zone that this server does not.
  return case when p_default = 'UTC' then 'UTC' else private.known_zone(p_default, 'UTC') end;
end
$$;
comment on function private.known_zone(text, text) is
  'The zone, or the default when it is null or unknown to this server.';

create or replace function private.start_of_day(p_day date, p_zone text)
returns timestamptz
language sql
stable
security invoker
set search_path = ''
as $$
  -- When a local time occurs twice, "at time zone" takes the second.
  select min(t.at)
  from (
    select (p_day::timestamp at time zone p_zone) - b.back as at
    from (values (interval '0'), (interval '30 minutes'), (interval '1 hour'), (interval '2 hours')) as b (back)
  ) as t
  where (t.at at time zone p_zone)::date >= p_day
$$;
comment on function private.start_of_day(date, text) is
  'The first instant of a day in a zone, or of the first day after it that the zone has.';

create or replace function private.anniversary(p_born date, p_year integer)
returns date
language sql
immutable
security invoker
set search_path = ''
as $$
  select make_date(
    p_year, extract(month from p_born)::integer,
    case
      when to_char(p_born, 'MMDD') = '0229'
        and not (p_year % 4 = 0 and (p_year % 100 <> 0 or p_year % 400 = 0))
      then 28 else extract(day from p_born)::integer
    end
  )
$$;
comment on function private.anniversary(date, integer) is
  'The anniversary of a day in a year; that of 29 February is 28 February in other years.';

create or replace function private.find_anniversary(
  p_value jsonb,
  p_zone text,
  p_now timestamptz,
  out holds boolean,
  out until timestamptz
)
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_today date := (p_now at time zone p_zone)::date;
  v_year integer := extract(year from v_today);
  v_born date := case
    when length(p_value #>> '{}') = 10 then (private.read_time(p_value) at time zone 'UTC')::date
    else (private.read_time(p_value) at time zone p_zone)::date
  end;
  v_next date;
begin
  holds := coalesce(private.anniversary(v_born, v_year) = v_today, false);
  until := 'infinity';
  if holds then
    until := private.start_of_day(v_today + 1, p_zone);
  elsif v_born is not null then
    v_next := private.anniversary(v_born, v_year);
    if v_next < v_today then
      v_next := private.anniversary(v_born, v_year + 1);
    end if;
    until := private.start_of_day(v_next, p_zone);
  end if;
end
$$;
comment on function private.find_anniversary(jsonb, text, timestamptz) is
  'Finds out if today, in the zone, is an anniversary of the date, and when that changes. A date with a time is read in the zone.';

create or replace function private.pick_bucket(p_salt text, p_customer_id uuid)
returns numeric
language sql
immutable
security invoker
set search_path = ''
as $$
  select (
    'x' || lpad(left(encode(sha256(convert_to(p_salt || ':' || p_customer_id, 'UTF8')), 'hex'), 8), 16, '0')
  )::bit(64)::bigint * 100 / 4294967296.0
$$;
comment on function private.pick_bucket(text, uuid) is
  'A number from 0 to below 100 that is stable for a customer and a salt.';
