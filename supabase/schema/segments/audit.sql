-- Purpose: compares what the folds made with the model.

create or replace function private.lasting_features(p_workspace_id uuid, p_segment_id uuid, p_keep interval)
returns bigint[]
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return array(
    with recursive named as (
      select p_segment_id as id
      union
      select p.ref::uuid
      from named as n
      join private.segment_parts as p
        on p.workspace_id = p_workspace_id and p.segment_id = n.id and p.kind = 'segment'
    )
    select f.id
    from named as n
    join public.segments as s on s.workspace_id = p_workspace_id and s.id = n.id
    cross join lateral private.condition_leaves(s.condition) as l
    join private.features as f on f.workspace_id = p_workspace_id and f.hash = private.leaf_hash(l.leaf)
    where p_keep is not null and l.leaf ? 'event'
      and not coalesce(private.read_duration(l.leaf ->> 'within') + interval '1 hour' <= p_keep, false)
  );
end
$$;
comment on function private.lasting_features(uuid, uuid, interval) is
  'The features of a segment, and of those it names, that count events older than p_keep; none when it is null.';

create or replace function private.audit_segment(
  p_workspace_id uuid,
  p_segment_id uuid,
  p_customer_ids uuid[],
  p_now timestamptz
)
returns table (customer_id uuid, is_member boolean, is_true boolean)
language plpgsql
stable
security invoker
set search_path = ''
set enable_seqscan = 'off'
as $$
declare
  v_segment public.segments;
  v_keep interval := (select p.keep from private.partition_policies as p where p.table_name = 'events');
  v_lasting bigint[] := private.lasting_features(p_workspace_id, p_segment_id, v_keep);
begin
  select s.* into v_segment
  from public.segments as s
  where s.workspace_id = p_workspace_id and s.id = p_segment_id;
  return query
  select e.customer_id, m.is_member, e.is_true
  from private.evaluate_condition(p_workspace_id, v_segment.condition, p_customer_ids, p_now) as e
  cross join lateral (
    select exists (
      select from public.segment_members as n
      where n.workspace_id = p_workspace_id and n.segment_id = p_segment_id
        and n.version = v_segment.version and n.customer_id = e.customer_id
    ) as is_member
  ) as m
  where m.is_member <> e.is_true
    -- A signal that waits for a fold in the same snapshot explains a difference.
    and not exists (
      select from private.signals as g
      where g.workspace_id = p_workspace_id and (
        g.customer_id = e.customer_id or g.identity_id in (
          select i.id from public.identities as i
          where i.workspace_id = p_workspace_id and i.customer_id = e.customer_id
        )
      )
    )
    and not exists (
      select from private.segment_checks as k
      where k.workspace_id = p_workspace_id and k.customer_id = e.customer_id and k.check_at <= clock_timestamp()
    )
    -- The state remembers events that may have been deleted since: history cannot contradict it.
    and not exists (
      select
      from public.identities as i
      cross join lateral (
        select f.marks[cardinality(f.marks)] as at from private.feature_marks as f
        where f.workspace_id = i.workspace_id and f.feature_id = any (v_lasting) and f.identity_id = i.id
        union all
        select b.hour from private.feature_buckets as b
        where b.workspace_id = i.workspace_id and b.feature_id = any (v_lasting) and b.identity_id = i.id
      ) as t
      where i.workspace_id = p_workspace_id and i.customer_id = e.customer_id and t.at < p_now - v_keep
    );
end
$$;
comment on function private.audit_segment(uuid, uuid, uuid[], timestamptz) is
  'Finds customers whose membership of a live segment differs from what all rows say. Leaves out customers for whom a fold is due, and those with a counted event that has expired.';

create or replace function private.audit_workspace(
  p_workspace_id uuid,
  p_share double precision,
  p_now timestamptz
)
returns table (workspace_id uuid, segment_id uuid, customer_id uuid, is_member boolean, is_true boolean)
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_ids uuid[];
begin
  v_ids := array(
    select c.id from public.customers as c where c.workspace_id = p_workspace_id and random() < p_share
    limit 10000
  );
  return query
  select p_workspace_id, s.id, a.customer_id, a.is_member, a.is_true
  from public.segments as s
  cross join lateral private.audit_segment(p_workspace_id, s.id, v_ids, p_now) as a
  where s.workspace_id = p_workspace_id and s.kind = 'live' and s.state = 'ready'
    -- A segment that is computed shows its old members to those that name it.
    and not exists (
      with recursive named as (
        select p.ref from private.segment_parts as p
        where p.workspace_id = p_workspace_id and p.segment_id = s.id and p.kind = 'segment'
        union
        select p.ref
        from named as n
        join private.segment_parts as p
          on p.workspace_id = p_workspace_id and p.segment_id::text = n.ref and p.kind = 'segment'
      )
      select
      from named as n
      join public.segments as d on d.workspace_id = p_workspace_id and d.id::text = n.ref
      where d.state = 'computing'
    );
  update private.segment_lanes as l set audited = l.audited + cardinality(v_ids)
  where l.workspace_id = p_workspace_id;
end
$$;
comment on function private.audit_workspace(uuid, double precision, timestamptz) is
  'Compares a share (0 to 1) of the customers of a workspace with the model, at most 10,000. Takes no lock: each segment is compared within one statement.';

create or replace function ops.audit_segments(
  p_share double precision,
  p_now timestamptz default clock_timestamp()
)
returns table (workspace_id uuid, segment_id uuid, customer_id uuid, is_member boolean, is_true boolean)
language plpgsql
volatile
security invoker
set search_path = ''
set jit = 'off'
as $$
declare
  v_workspace_id uuid;
  v_difference record;
begin
  for v_workspace_id in select l.workspace_id from private.segment_lanes as l order by random() loop
    for v_difference in select a.* from private.audit_workspace(v_workspace_id, p_share, p_now) as a loop
      raise warning 'Segment "%" differs from the model for customer "%": member %, true %',
        v_difference.segment_id, v_difference.customer_id, v_difference.is_member, v_difference.is_true;
      update private.segment_lanes as l set differences = l.differences + 1
      where l.workspace_id = v_workspace_id;
      return query select
        v_difference.workspace_id, v_difference.segment_id, v_difference.customer_id,
        v_difference.is_member, v_difference.is_true;
    end loop;
  end loop;
end
$$;
comment on function ops.audit_segments(double precision, timestamptz) is
  'Compares a share (0 to 1) of all customers with what all rows say about each live segment; returns, logs and counts the differences.';

create or replace function private.run_segment_audit(p_now timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform from ops.audit_segments(0.001, clock_timestamp());
  delete from public.segment_stats as s where s.hour < p_now - interval '400 days';
end
$$;
comment on function private.run_segment_audit(timestamptz) is
  'Audits one customer in a thousand, and deletes hourly figures older than 400 days. Runs every hour.';

create or replace view ops.segment_lag with (security_invoker = true) as
select
  l.workspace_id,
  q.signals,
  q.oldest_at,
  (select count(*) from private.segment_checks as k
   where k.workspace_id = l.workspace_id and k.check_at <= clock_timestamp()) as due_timers,
  nullif(l.next_check_at, 'infinity') as next_check_at,
  (select count(*) from public.segments as s
   where s.workspace_id = l.workspace_id and s.state = 'computing') as computing,
  nullif(l.folded_at, '-infinity') as folded_at,
  l.last_error,
  l.audited,
  l.differences
from private.segment_lanes as l
cross join lateral (
  select count(*) as signals, min(s.received_at) as oldest_at
  from private.signals as s where s.workspace_id = l.workspace_id
) as q;
comment on view ops.segment_lag is
  'For each workspace with segments: signals and timers that wait for a fold, computations in progress, the last failure, and the result of the audits.';
