-- Purpose: rows about an erased customer.
-- Locks:   the lane of the workspace, so that no step of a computation writes them again.

create or replace function private.erase_segment_rows(
  p_erasure private.erasures,
  p_limit integer,
  p_now timestamptz
)
returns private.erasure_progress
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_rows integer := 0;
  v_count integer;
begin
  perform from private.segment_lanes as l where l.workspace_id = p_erasure.workspace_id for update;
  delete from private.segment_checks as k
  where k.workspace_id = p_erasure.workspace_id and k.customer_id = any (p_erasure.customer_ids);
  delete from private.signals as s
  where s.workspace_id = p_erasure.workspace_id and s.kind <> 'removed'
    and s.customer_id = any (p_erasure.customer_ids);
  delete from private.feature_marks as m
  where m.workspace_id = p_erasure.workspace_id and m.identity_id = any (p_erasure.identity_ids);
  delete from public.segment_members as m
  where m.workspace_id = p_erasure.workspace_id and m.customer_id = any (p_erasure.customer_ids);
  with doomed as materialized (
    select c.at, c.id from public.segment_changes as c
    where c.workspace_id = p_erasure.workspace_id and c.customer_id = any (p_erasure.customer_ids)
    limit p_limit
  )
  delete from public.segment_changes as c
  using doomed as d
  where c.workspace_id = p_erasure.workspace_id and c.at = d.at and c.id = d.id;
  get diagnostics v_rows = row_count;
  with doomed as materialized (
    select b.feature_id, b.identity_id, b.hour from private.feature_buckets as b
    where b.workspace_id = p_erasure.workspace_id and b.identity_id = any (p_erasure.identity_ids)
    limit p_limit
  )
  delete from private.feature_buckets as b
  using doomed as d
  where b.workspace_id = p_erasure.workspace_id and b.feature_id = d.feature_id
    and b.identity_id = d.identity_id and b.hour = d.hour;
  get diagnostics v_count = row_count;
  return private.batch_progress(greatest(v_rows, v_count), p_limit);
end
$$;
comment on function private.erase_segment_rows(private.erasures, integer, timestamptz) is
  'Deletes memberships, timers, changes and event state of an erased customer, up to p_limit rows of what can be many.';
