-- Purpose: the rows of a workspace that moves, by table; everything is read from the catalog.

create or replace function private.moved_tables()
returns table (
  name regclass,
  workspace_column text,
  is_copied boolean,
  is_taken_out boolean,
  skips text[]
)
language sql
stable
security invoker
set search_path = ''
as $$
  select
    t.name, case t.name when 'public.workspaces'::regclass then 'id' else 'workspace_id' end,
    coalesce(r.is_copied, false), coalesce(r.is_taken_out, false), coalesce(r.skips, '{}')
  from (
    select t as name from private.tenant_tables() as t
    union all
    values ('private.erasures'::regclass), ('public.workspaces'::regclass)
  ) as t
  join pg_catalog.pg_class as c on c.oid = t.name
  left join private.move_rules as r on to_regclass(r.table_name) = t.name
  -- Unlogged tables do not survive a crash either.
  where c.relpersistence = 'p'
    and t.name <> all (array[
      'private.moved_addresses', 'private.directory', 'private.workspace_moves'
    ]::regclass[])
  order by t.name::text
$$;
comment on function private.moved_tables() is
  'Every table whose rows move with their workspace, and how: see private.move_rules.';

create or replace function private.list_columns(p_table regclass)
returns text
language sql
stable
security invoker
set search_path = ''
as $$
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
  from pg_catalog.pg_attribute as a
  where a.attrelid = p_table and a.attnum > 0 and not a.attisdropped
    and a.attgenerated = '' and a.attidentity = ''
$$;
comment on function private.list_columns(regclass) is
  'The columns of a table that an insert writes, as a list in SQL.';

create or replace function private.export_rows(p_table regclass, p_column text, p_workspace_id uuid)
returns jsonb
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_rows jsonb;
begin
  execute format(
    'select coalesce(jsonb_agg(to_jsonb(t)), ''[]'') from %s as t where %I = $1', p_table, p_column
  ) into v_rows using p_workspace_id;
  return v_rows;
end
$$;
comment on function private.export_rows(regclass, text, uuid) is
  'All rows of a workspace in a table, as JSON.';

create or replace function private.import_rows(p_table regclass, p_rows jsonb)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  execute format(
    'insert into %1$s (%2$s) select %2$s from jsonb_populate_recordset(null::%1$s, $1)',
    p_table, private.list_columns(p_table)
  ) using p_rows;
end
$$;
comment on function private.import_rows(regclass, jsonb) is
  'Inserts rows of private.export_rows; identity columns get new values.';

create or replace function private.has_rows(p_table regclass, p_column text, p_workspace_id uuid)
returns boolean
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_has boolean;
begin
  execute format('select exists (select from %s where %I = $1)', p_table, p_column)
  into v_has using p_workspace_id;
  return v_has;
end
$$;
comment on function private.has_rows(regclass, text, uuid) is
  'True when a table has a row of the workspace.';

create or replace function private.delete_moved_rows(p_workspace_id uuid, p_limit integer)
returns integer
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_table record;
  v_left integer := p_limit;
  v_deleted integer;
begin
  -- Without triggers: nothing is announced, and no fence is in the way.
  perform set_config('session_replication_role', 'replica', true);
  for v_table in select m.name, m.workspace_column from private.moved_tables() as m loop
    -- A ctid may match rows of another partition: the workspace excludes those of others.
    execute format(
      'delete from %1$s where %2$I = $1
         and ctid = any (array(select ctid from %1$s where %2$I = $1 limit $2))',
      v_table.name, v_table.workspace_column
    ) using p_workspace_id, v_left;
    get diagnostics v_deleted = row_count;
    v_left := v_left - v_deleted;
    exit when v_left <= 0;
  end loop;
  perform set_config('session_replication_role', 'origin', true);
  return p_limit - v_left;
end
$$;
comment on function private.delete_moved_rows(uuid, integer) is
  'Deletes up to about p_limit rows of a workspace that left this cell or has not arrived yet, and returns the number deleted.';
