-- Purpose: the time up to which all events are visible. Events of a transaction that is under
--          way were received, but are not visible yet.
-- Locks:   an advisory one per transaction, shared, that nobody takes exclusively. Its key is a
--          time.

create or replace function private.start_ingest()
returns timestamptz
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock_shared(
    private.ingest_lock_class(),
    (floor(extract(epoch from clock_timestamp()) * 1000)::bigint % 2147483648)::integer
  );
  -- Not before the time in the key.
  return date_trunc('milliseconds', clock_timestamp());
end
$$;
comment on function private.start_ingest() is
  'The time of receipt of a batch. Until the end of its transaction, private.ingest_lag() shows that it is under way.';

create or replace function private.ingest_lock_class()
returns integer
language sql
immutable
security invoker
set search_path = ''
as $$
  select 9107
$$;
comment on function private.ingest_lock_class() is
  'The class of the advisory locks whose other half is the millisecond in which an ingest began, modulo 2^31.';

create or replace function private.ingest_lag()
returns interval
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  -- Read before the locks: what begins after it is received after it.
  v_now bigint := floor(extract(epoch from clock_timestamp()) * 1000)::bigint;
begin
  return (
    select coalesce(max(a.age), 0) * interval '1 millisecond'
    from pg_catalog.pg_locks as l
    cross join lateral (
      select ((v_now - l.objid::bigint) % 2147483648) as age
    ) as a
    where l.locktype = 'advisory' and l.classid::bigint = private.ingest_lock_class() and l.objsubid = 2
      and l.database = (select d.oid from pg_catalog.pg_database as d where d.datname = current_database())
      -- One that began since looks like weeks ago. A transaction that hangs holds nothing up for longer.
      and a.age < 60000
  );
end
$$;
comment on function private.ingest_lag() is
  'For how long the oldest transaction that stores events has been under way, at most a minute: a statement that begins now sees all events that were received before that.';
