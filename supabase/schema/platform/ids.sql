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

create or replace function private.uuids_v7(p_at timestamptz, p_count integer)
returns uuid[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_milliseconds text := lpad(to_hex(floor(extract(epoch from p_at) * 1000)::bigint), 12, '0');
  -- Hashing one random value with a number takes a fraction of the time of drawing one for each id.
  v_seed bytea := uuid_send(gen_random_uuid());
  -- Eight bytes for each id: a hash is enough for eight of them.
  v_random bytea := (
    select string_agg(sha512(v_seed || int4send(i)), '' order by i) from generate_series(0, p_count / 8) as i
  );
begin
  return array(
    select (
      v_milliseconds || to_hex(28672 + i % 4096) || '80'
        || encode(substring(v_random from 8 * i - 7 for 7), 'hex')
    )::uuid
    from generate_series(1, p_count) as i
  );
end
$$;
comment on function private.uuids_v7(timestamptz, integer) is
  'Version 7 UUIDs of the given moment, p_count of them, in order for up to 4095.';

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
