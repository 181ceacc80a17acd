-- Purpose: how many rows of each kind a workspace may have, as its plan says.
-- Locks:   the row of the workspace (no key update), while something limited is created.
-- Risk:    an exception in the triggers refuses what is over the limit, to operators as well.

create or replace function private.require_room(p_kind text, p_workspace_id uuid, p_owner_id uuid)
returns void
language plpgsql
volatile
-- Definer: callers who create one row may not count the rows of others.
security definer
set search_path = ''
as $$
declare
  v_kind private.limited_kinds;
  v_plan_id text;
  v_limit bigint;
  v_count bigint;
begin
  select k.* into v_kind from private.limited_kinds as k where k.kind = p_kind;
  select p.id, (to_jsonb(p) ->> ('max_' || p_kind))::bigint into v_plan_id, v_limit
  from public.workspaces as w
  join public.plans as p on p.id = w.plan_id
  where w.id = p_workspace_id;
  execute format(
    'select count(*) from %s where workspace_id = $1 and %I = $2 and (%s)',
    v_kind.table_name, v_kind.owner_column, v_kind.condition
  ) into v_count using p_workspace_id, p_owner_id;
  if v_count > v_limit then
    raise sqlstate 'SPLIM' using message = format(
      'Cannot %s: the plan "%s" allows %s %s', v_kind.action, v_plan_id, v_limit,
      -- "1 destination", "1 live secret per source".
      case v_limit when 1 then regexp_replace(v_kind.noun, 's( per |$)', '\1') else v_kind.noun end
    );
  end if;
end
$$;
comment on function private.require_room(text, uuid, uuid) is
  'Raises SPLIM when an owner has more rows of a kind than the plan of the workspace allows. The caller holds a lock that keeps others from adding rows.';

create or replace function private.check_limit()
returns trigger
language plpgsql
volatile
-- Definer: callers may not lock the workspace.
security definer
set search_path = ''
as $$
declare
  v_added record;
begin
  -- Without the lock, two callers who each create the last one would both be within the limit.
  perform from public.workspaces as w
  where w.id in (select a.workspace_id from added as a)
  order by w.id
  for no key update;
  for v_added in execute format(
    'select distinct a.workspace_id, a.%I as owner_id from added as a', tg_argv[1]
  ) loop
    perform private.require_room(tg_argv[0], v_added.workspace_id, v_added.owner_id);
  end loop;
  return null;
end
$$;
comment on function private.check_limit() is
  'Refuses rows over the limit of the plan; its arguments are the kind and the owner column.';

create or replace function private.limit_kind(
  p_kind text,
  p_table_name text,
  p_action text,
  p_noun text,
  p_condition text default 'true',
  p_owner_column text default 'workspace_id'
)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  insert into private.limited_kinds (kind, table_name, owner_column, condition, action, noun)
  values (p_kind, p_table_name, p_owner_column, p_condition, p_action, p_noun);
  execute format(
    'create trigger %I after insert on %s referencing new table as added
     for each statement execute function private.check_limit(%L, %L)',
    p_kind || '_limit', p_table_name, p_kind, p_owner_column
  );
end
$$;
comment on function private.limit_kind(text, text, text, text, text, text) is
  'Limits the rows of a table to the column max_<kind> of the plan. Called once by the migration that creates the table.';

create or replace function private.workspace_use(p_workspace_id uuid)
returns jsonb
language plpgsql
stable
-- Definer: every member may know how many keys there are; only admins may list them.
security definer
set search_path = ''
as $$
declare
  v_kind private.limited_kinds;
  v_count bigint;
  v_use jsonb := '{}';
begin
  if not exists (select from private.member_workspace_ids() as m (id) where m.id = p_workspace_id) then
    return null;
  end if;
  for v_kind in
    select k.* from private.limited_kinds as k where k.owner_column = 'workspace_id'
  loop
    execute format(
      'select count(*) from %s where workspace_id = $1 and (%s)', v_kind.table_name, v_kind.condition
    ) into v_count using p_workspace_id;
    v_use := v_use || jsonb_build_object(v_kind.kind, v_count);
  end loop;
  return v_use;
end
$$;
comment on function private.workspace_use(uuid) is
  'Counts per limited kind what a workspace of the calling user has (a JSON object); null for any other workspace.';
grant execute on function private.workspace_use(uuid) to signalpost_user;
