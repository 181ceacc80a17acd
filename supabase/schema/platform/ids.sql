-- Purpose: version 7 UUIDs, whose order is that of time.

create or replace function private.uuid_v7(
  p_at timestamptz default clock_timestamp(),
  p_sequence integer default null
)
returns uuid
language sql
volatile
security invoker
set search_path = ''
as $$
  -- 48 bits of milliseconds, version 7, 12 bits of sequence or random, variant, 62 random bits.
  select encode(
    substring(int8send(floor(extract(epoch from p_at) * 1000)::bigint) from 3)
      || int2send((28672 + coalesce(p_sequence % 4096, (random() * 4095)::integer))::smallint)
      || substring(uuid_send(gen_random_uuid()) from 9),
    'hex'
  )::uuid
$$;
comment on function private.uuid_v7(timestamptz, integer) is
  'A version 7 UUID of the given moment. Ids of one moment sort by p_sequence (0 to 4095).';
grant execute on function private.uuid_v7(timestamptz, integer) to signalpost_user, signalpost_key;

create or replace function private.uuid_v7_time(p_id uuid)
returns timestamptz
language sql
immutable
security invoker
set search_path = ''
as $$
  select to_timestamp(
    ('x' || lpad(left(replace(p_id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0
  )
$$;
comment on function private.uuid_v7_time(uuid) is
  'The millisecond in which a version 7 UUID was created: the attempted_at of a delivery, hence its partition.';
grant execute on function private.uuid_v7_time(uuid) to signalpost_user, signalpost_key;
