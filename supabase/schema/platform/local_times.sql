-- Purpose: instants of local times. For a local time that occurs twice, "at time zone" alone
--          takes the second one; for a time that a zone leaves out, it takes a later one.

create or replace function private.zone_offset(p_at timestamptz, p_zone text)
returns interval
language sql
stable
security invoker
set search_path = ''
as $$
  select (p_at at time zone p_zone) - (p_at at time zone 'UTC')
$$;
comment on function private.zone_offset(timestamptz, text) is
  'The time by which the clocks of a zone are ahead of UTC at an instant.';

create or replace function private.first_instant(p_local timestamp, p_zone text)
returns timestamptz
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_utc timestamptz := p_local at time zone 'UTC';
  -- Offsets are below 16 hours: the clocks change at most once between the two instants.
  v_before interval := private.zone_offset(v_utc - interval '16 hours', p_zone);
  v_after interval := private.zone_offset(v_utc + interval '16 hours', p_zone);
  v_low timestamptz := v_utc - v_after;
  v_high timestamptz := v_utc - v_before;
  v_middle timestamptz;
begin
  if v_high at time zone p_zone = p_local then
    return v_high;
  elsif v_low at time zone p_zone = p_local then
    return v_low;
  end if;
  -- The zone leaves the time out: the clocks change between v_low and v_high, at a whole second.
  v_low := date_trunc('second', v_low);
  v_high := date_trunc('second', v_high) + interval '1 second';
  while v_high - v_low > interval '1 second' loop
    v_middle := date_trunc('second', v_low + (v_high - v_low) / 2);
    if private.zone_offset(v_middle, p_zone) = v_before then
      v_low := v_middle;
    else
      v_high := v_middle;
    end if;
  end loop;
  return v_high;
end
$$;
comment on function private.first_instant(timestamp, text) is
  'The first instant at which the clocks of a zone show a local time; for a time that they leave out, the first instant after the gap.';

create or replace function private.next_local_time(p_time time, p_zone text, p_from timestamptz)
returns timestamptz
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_day date := (p_from at time zone p_zone)::date;
  v_at timestamptz := private.first_instant(v_day + p_time, p_zone);
begin
  if v_at < p_from then
    v_at := private.first_instant(v_day + 1 + p_time, p_zone);
  end if;
  return v_at;
end
$$;
comment on function private.next_local_time(time, text, timestamptz) is
  'The first instant from p_from on at which it is a time of day in a zone.';
