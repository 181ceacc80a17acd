-- Purpose: a deleted workspace is hidden from everyone immediately and erased in batches.
-- Locks:   the row of the workspace, its sources and destinations by id, then as alerts/rules.sql.
-- Risk:    its rows stay for a minute plus the time its batches take; nobody sees them.

create or replace function private.delete_workspace(p_workspace_id uuid)
returns void
language plpgsql
volatile
-- Definer: deletes what callers may not delete, such as the owner's own membership.
security definer
set search_path = ''
as $$
begin
  perform private.require_writer(p_workspace_id, 'owner', null);
  -- Otherwise a user who accepts an invitation meanwhile would stay a member.
  perform from public.workspaces as w where w.id = p_workspace_id for no key update;
  -- Function instances cache keys for 5 s: what they still store must be erased too.
  insert into private.erasures (workspace_id, step, due_at)
  values (p_workspace_id, 'workspace', clock_timestamp() + interval '1 minute');
  -- Before the first deletion, which locks the alert rules.
  perform from public.inbound_sources as s where s.workspace_id = p_workspace_id order by s.id for update;
  perform from public.destinations as d where d.workspace_id = p_workspace_id order by d.id for update;
  delete from private.api_keys as k where k.workspace_id = p_workspace_id;
  delete from public.inbound_sources as s where s.workspace_id = p_workspace_id;
  delete from public.destinations as d where d.workspace_id = p_workspace_id;
  delete from public.invitations as i where i.workspace_id = p_workspace_id;
  delete from public.workspace_members as m where m.workspace_id = p_workspace_id;
end
$$;
comment on function private.delete_workspace(uuid) is
  'Deletes the keys, sources, destinations and members of a workspace, so that nobody reaches it, and leaves the rest to private.work_erasures.';
grant execute on function private.delete_workspace(uuid) to signalpost_user;

create or replace function private.tenant_tables()
returns setof regclass
language sql
stable
security invoker
set search_path = ''
as $$
  select c.oid::regclass
  from pg_catalog.pg_class as c
  join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attname = 'workspace_id'
  where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
    and c.relkind in ('r', 'p') and not c.relispartition
    and c.oid <> 'private.erasures'::regclass
  -- Referenced rows are deleted last.
  order by exists (
    select from pg_catalog.pg_constraint as f where f.contype = 'f' and f.confrelid = c.oid
  ), c.oid::regclass::text
$$;
comment on function private.tenant_tables() is
  'Every table whose rows belong to a workspace, in an order in which they can be deleted.';

create or replace function private.erase_tenant_rows(
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
  v_table regclass;
  v_progress private.erasure_progress;
begin
  for v_table in select t from private.tenant_tables() as t loop
    -- A ctid may match rows of another partition: workspace_id excludes those of others.
    execute format(
      'delete from %1$s where workspace_id = $1
         and ctid = any (array(select ctid from %1$s where workspace_id = $1 limit $2))',
      v_table
    ) using p_erasure.workspace_id, p_limit;
    get diagnostics v_progress.rows = row_count;
    if v_progress.rows > 0 then
      v_progress.is_finished := false;
      return v_progress;
    end if;
  end loop;
  delete from public.workspaces as w where w.id = p_erasure.workspace_id;
  delete from private.erasures as e where e.workspace_id = p_erasure.workspace_id;
  return v_progress;
end
$$;
comment on function private.erase_tenant_rows(private.erasures, integer, timestamptz) is
  'Deletes a batch of rows of a deleted workspace from the first table that has some; when none has, the workspace itself with all its erasures.';
