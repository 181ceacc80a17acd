-- Purpose: the rows that a batch adds: idempotency keys, events, and messages about them.
-- Locks:   new idempotency keys, by key; customers are touched only where nobody holds them.

create or replace function private.delete_expired_idempotency_keys(p_limit integer default 10000)
returns integer
language sql
volatile
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
  with forgotten as (
    delete from private.idempotency_keys as k
    -- By ctid alone: any other condition would let the planner read all keys instead.
    where k.ctid = any (array(
      select e.ctid from private.idempotency_keys as e
      where e.created_at < now() - interval '24 hours'
      order by e.created_at
      limit p_limit
      for update skip locked
    ))
    returning 1
  )
  select count(*)::integer from forgotten
$$;
comment on function private.delete_expired_idempotency_keys(integer) is
  'Deletes up to p_limit idempotency keys older than 24 hours and returns the number deleted. Runs every 10 seconds.';

create or replace function private.replace_keys(p_entries private.ingest_entry[], p_at timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_wanted integer;
  v_won integer;
begin
  with wanted as (
    select c.workspace_id, c.idempotency_key as key, c.event_id, c.customer_id
    from unnest(p_entries) as c
    where c.idempotency_key is not null and not c.is_duplicate and c.repeats is null
      and c.refused_code is null
  ),
  won as (
    insert into private.idempotency_keys as k (workspace_id, key, event_id, customer_id, created_at)
    select w.workspace_id, w.key, w.event_id, w.customer_id, p_at
    from wanted as w
    order by w.workspace_id, w.key
    on conflict (workspace_id, key) do update
    set event_id = excluded.event_id, customer_id = excluded.customer_id, created_at = p_at
    where k.created_at <= p_at - interval '24 hours'
    returning 1
  )
  select (select count(*) from wanted), (select count(*) from won) into v_wanted, v_won;

  if v_won < v_wanted then
    raise exception 'Cannot remember idempotency keys: another call was first' using errcode = '40001';
  end if;
end
$$;
comment on function private.replace_keys(private.ingest_entry[], timestamptz) is
  'Claims the idempotency keys of the batch, expired ones included; 40001 when another transaction claimed one meanwhile.';

create or replace function private.remember_keys(p_entries private.ingest_entry[], p_at timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  insert into private.idempotency_keys (workspace_id, key, event_id, customer_id, created_at)
  select c.workspace_id, c.idempotency_key, c.event_id, c.customer_id, p_at
  from unnest(p_entries) as c
  where c.idempotency_key is not null and not c.is_duplicate and c.repeats is null
    and c.refused_code is null
  order by c.workspace_id, c.idempotency_key;
exception when unique_violation then
  -- Few keys are there already. Expecting that for each row costs two fifths of the whole.
  perform private.replace_keys(p_entries, p_at);
end
$$;
comment on function private.remember_keys(private.ingest_entry[], timestamptz) is
  'Claims the idempotency keys of the batch; 40001 when another transaction claimed one meanwhile.';

create or replace function private.is_activity(p_input jsonb)
returns boolean
language sql
immutable
security invoker
set search_path = ''
as $$
  select coalesce(
    p_input ->> 'name' not in ('email_sent', 'email_failed', 'email_delivered', 'email_bounced', 'email_complained'),
    true
  )
$$;
comment on function private.is_activity(jsonb) is
  'False for an entry that reports what became of an email: the customer has done nothing.';

create or replace function private.touch_customers(
  p_entries private.ingest_entry[],
  p_inputs jsonb,
  p_at timestamptz
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_due record;
begin
  -- A minute is exact enough, and skipping locked rows keeps this outside the order of locks.
  select array_agg(d.workspace_id) as workspace_ids, array_agg(d.id) as ids into v_due
  from (
    select p.workspace_id, p.id, c.ordinality
    from unnest(p_entries) with ordinality as c
    join public.customers as p on p.workspace_id = c.workspace_id and p.id = c.customer_id
    where not c.is_duplicate and c.refused_code is null and p.last_seen_at < p_at - interval '1 minute'
    -- Otherwise, the check below would run for each entry.
    offset 0
  ) as d
  where private.is_activity(p_inputs -> (d.ordinality - 1)::integer);
  -- In most batches, all were seen within the last minute.
  if v_due.ids is null then
    return;
  end if;
  with due as (
    select p.workspace_id, p.id
    from public.customers as p
    join unnest(v_due.workspace_ids, v_due.ids) as d (workspace_id, id)
      on p.workspace_id = d.workspace_id and p.id = d.id
    where p.last_seen_at < p_at - interval '1 minute'
    for no key update of p skip locked
  ),
  touched as (
    update public.customers as p
    set last_seen_at = p_at
    from due as d
    where p.workspace_id = d.workspace_id and p.id = d.id
    returning p.workspace_id, p.id
  )
  insert into private.signals (workspace_id, kind, customer_id)
  select t.workspace_id, 'seen', t.id
  from touched as t
  where exists (
    select from private.segment_parts as s
    where s.workspace_id = t.workspace_id and s.kind = 'field' and s.ref = 'last_seen_at'
  );
end
$$;
comment on function private.touch_customers(private.ingest_entry[], jsonb, timestamptz) is
  'Sets last_seen_at of the customers who did something in the batch where it is over a minute old, and notes it for segments that ask.';

create or replace function private.store_events(
  p_entries private.ingest_entry[],
  p_inputs jsonb,
  p_at timestamptz,
  out o_workspace_ids uuid[],
  out o_names text[]
)
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  with stored as (
    insert into public.events (
      workspace_id, id, kind, identity_id, external_id, anon_id, name, occurred_at, received_at,
      properties, context
    )
    select
      c.workspace_id, c.event_id, c.kind, c.identity_id, c.external_id, c.anon_id, c.name,
      coalesce(date_trunc('milliseconds', c.occurred_at), p_at), p_at,
      case c.kind
        when 'event' then coalesce(c.properties, '{}')
        when 'alias' then jsonb_build_object('previous_id', c.previous_id)
        else coalesce(c.profile, '{}')
          || case when c.attributes is null then '{}'
               else jsonb_build_object('attributes', c.attributes) end
      end,
      coalesce(c.context, '{}')
    from rows from (
      unnest(p_entries),
      jsonb_to_recordset(p_inputs) as (
        name text, occurred_at timestamptz, properties jsonb, context jsonb, profile jsonb,
        attributes jsonb
      )
    ) as c
    where not c.is_duplicate and c.repeats is null and c.refused_code is null
    returning
      workspace_id, name, pg_column_size(properties) + pg_column_size(context) as bytes
  ),
  counted as (
    insert into private.usage_deltas (workspace_id, at, name, events, bytes)
    select s.workspace_id, p_at, s.name, count(*), sum(s.bytes)
    from stored as s
    group by s.workspace_id, s.name
    returning workspace_id, name
  )
  select array_agg(c.workspace_id), array_agg(c.name)
  into o_workspace_ids, o_names
  from counted as c
  where c.name is not null;
end
$$;
comment on function private.store_events(private.ingest_entry[], jsonb, timestamptz) is
  'Stores the entries of the batch that are neither duplicates nor refused, and notes how many for the usage figures. Returns the names of events that each workspace got.';

create or replace function private.event_messages(
  p_entries private.ingest_entry[],
  p_inputs jsonb,
  p_subscriptions private.subscription[],
  p_at timestamptz
)
returns private.new_message[]
language plpgsql
volatile
security invoker
set search_path = ''
-- A nested loop over subscriptions and events would be the product of both.
set enable_nestloop = 'off'
as $$
declare
  v_received_at text := private.rfc3339(p_at);
begin
  return array(
    select row(
      c.workspace_id, c.name,
      jsonb_build_object(
        'event_id', c.event_id,
        'customer_id', c.customer_id,
        'external_id', c.external_id,
        'anon_id', c.anon_id,
        'name', c.name,
        'occurred_at', case when c.occurred_at is null then v_received_at
          else private.rfc3339(c.occurred_at) end,
        'received_at', v_received_at,
        'properties', coalesce(c.properties, '{}'),
        'context', coalesce(c.context, '{}')
      ),
      c.customer_id, null
    )::private.new_message
    from rows from (
      unnest(p_entries),
      jsonb_to_recordset(p_inputs) as (
        name text, occurred_at timestamptz, properties jsonb, context jsonb
      )
    ) with ordinality as c
    join (select distinct s.workspace_id, s.event_type from unnest(p_subscriptions) as s) as w
      on w.workspace_id = c.workspace_id and w.event_type = c.name
    where c.kind = 'event' and not c.is_duplicate and c.repeats is null
    order by c.ordinality
  );
end
$$;
comment on function private.event_messages(private.ingest_entry[], jsonb, private.subscription[], timestamptz) is
  'One message for each event of the batch that is stored and that a destination wants.';
