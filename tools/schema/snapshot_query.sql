-- One line of text an object, in an order that only the schema itself decides.
-- Partitions by date are left out: which of them exist depends on the day.
with schemas as (
  select n.oid, n.nspname, n.nspacl, n.nspowner
  from pg_catalog.pg_namespace as n
  where n.nspname in ('public', 'private', 'ops')
),
relations as (
  select
    c.*,
    format('%s.%s', n.nspname, c.relname) as path,
    case c.relkind
      when 'r' then 'table' when 'p' then 'table' when 'v' then 'view'
      when 'm' then 'materialized view' when 'S' then 'sequence' else 'type'
    end as kind
  from pg_catalog.pg_class as c
  join schemas as n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'c', 'S')
    and not (c.relispartition and c.relname ~ '_[0-9]{8}$')
),
functions as (
  select
    p.*,
    format('%s.%s(%s)', n.nspname, p.proname, pg_catalog.pg_get_function_identity_arguments(p.oid)) as path
  from pg_catalog.pg_proc as p
  join schemas as n on n.oid = p.pronamespace
),
acls as (
  select 'schema' as kind, nspname::text as path, nspacl as acl, nspowner as owner from schemas
  union all
  select kind, path, relacl, relowner from relations
  union all
  select 'function', path, coalesce(proacl, acldefault('f', proowner)), proowner from functions
),
lines (section, path, place, line) as (
  select 1, r.rolname::text, 0, format(
    'role %s:%s%s%s', r.rolname,
    case when r.rolcanlogin then ' login' else ' nologin' end,
    case when r.rolinherit then ' inherit' else ' noinherit' end,
    case when r.rolbypassrls then ' bypassrls' else '' end
  )
  from pg_catalog.pg_roles as r
  where r.rolname like 'signalpost%' or r.rolname in ('anon', 'authenticated', 'service_role')
  union all
  select 2, n.nspname::text, 0, format('schema %s', n.nspname) from schemas as n
  union all
  select 2, coalesce(n.nspname, '*')::text, 1, format(
    'default privileges in %s on %s: %s',
    coalesce(n.nspname, 'every schema'), d.defaclobjtype, d.defaclacl
  )
  from pg_catalog.pg_default_acl as d
  left join schemas as n on n.oid = d.defaclnamespace
  union all
  select 3, r.path, 0, format(
    '%s%s %s%s%s', case r.relpersistence when 'u' then 'unlogged ' else '' end, r.kind, r.path,
    coalesce(' partition by ' || pg_catalog.pg_get_partkeydef(r.oid), ''),
    coalesce(' with (' || array_to_string(r.reloptions, ', ') || ')', '')
  )
  from relations as r
  where r.kind <> 'sequence'
  union all
  select 3, r.path, 1, format(
    '  column %s %s%s%s', a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod),
    case when a.attnotnull then ' not null' else '' end,
    case
      when a.attidentity <> '' then ' identity'
      when a.attgenerated <> '' then
        format(' generated as (%s)', pg_catalog.pg_get_expr(d.adbin, d.adrelid))
      else coalesce(' default ' || pg_catalog.pg_get_expr(d.adbin, d.adrelid), '')
    end
  )
  from relations as r
  join pg_catalog.pg_attribute as a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
  left join pg_catalog.pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where r.kind <> 'sequence'
  union all
  -- Postgres 18 also lists "not null" here, which the column line tells already.
  select 3, r.path, 2, format('  constraint %s %s', c.conname, pg_catalog.pg_get_constraintdef(c.oid))
  from relations as r
  join pg_catalog.pg_constraint as c on c.conrelid = r.oid and c.contype <> 'n'
  union all
  select 3, r.path, 3, format('  index %s', pg_catalog.pg_get_indexdef(i.indexrelid))
  from relations as r
  join pg_catalog.pg_index as i on i.indrelid = r.oid
  union all
  select 3, r.path, 4, format(
    '  row level security %s%s', case when r.relrowsecurity then 'enabled' else 'DISABLED' end,
    case when r.relforcerowsecurity then ' forced' else '' end
  )
  from relations as r
  where r.kind = 'table'
  union all
  select 3, r.path, 5, format(
    '  policy %I for %s to %s%s%s', p.policyname, lower(p.cmd), array_to_string(p.roles, ', '),
    coalesce(' using ' || p.qual, ''), coalesce(' with check ' || p.with_check, '')
  )
  from relations as r
  join schemas as n on n.oid = r.relnamespace
  join pg_catalog.pg_policies as p on p.schemaname = n.nspname and p.tablename = r.relname
  union all
  select 3, r.path, 6, format('  trigger %s', pg_catalog.pg_get_triggerdef(t.oid))
  from relations as r
  join pg_catalog.pg_trigger as t on t.tgrelid = r.oid and not t.tgisinternal
  union all
  select 3, r.path, 7, pg_catalog.pg_get_viewdef(r.oid)
  from relations as r
  where r.kind in ('view', 'materialized view')
  union all
  select 3, r.path, 8, format(
    '  grant %s (%s) to %s', lower(x.privilege_type), a.attname, x.grantee::regrole
  )
  from relations as r
  join pg_catalog.pg_attribute as a on a.attrelid = r.oid and a.attacl is not null
  cross join lateral aclexplode(a.attacl) as x
  union all
  select 4, format('%s.%s', n.nspname, t.typname), 0, format(
    'type %s.%s enum (%s)', n.nspname, t.typname,
    (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder)
     from pg_catalog.pg_enum as e where e.enumtypid = t.oid)
  )
  from pg_catalog.pg_type as t
  join schemas as n on n.oid = t.typnamespace
  where t.typtype = 'e'
  union all
  select 4, format('%s.%s', n.nspname, t.typname), 0, format(
    'domain %s.%s %s%s %s', n.nspname, t.typname, pg_catalog.format_type(t.typbasetype, t.typtypmod),
    case when t.typnotnull then ' not null' else '' end,
    (select string_agg(pg_catalog.pg_get_constraintdef(c.oid), ' ' order by c.conname)
     from pg_catalog.pg_constraint as c where c.contypid = t.oid and c.contype <> 'n')
  )
  from pg_catalog.pg_type as t
  join schemas as n on n.oid = t.typnamespace
  where t.typtype = 'd'
  union all
  select 5, f.path, 0, case f.prokind
    when 'a' then format('aggregate %s', f.path)
    else rtrim(pg_catalog.pg_get_functiondef(f.oid), E'\n')
  end
  from functions as f
  union all
  select
    case a.kind when 'schema' then 2 when 'function' then 5 else 3 end, a.path, 8, format(
      '  grant %s on %s to %s',
      string_agg(lower(x.privilege_type), ', ' order by x.privilege_type), a.kind,
      case x.grantee when 0 then 'public' else x.grantee::regrole::text end
    )
  from acls as a
  cross join lateral aclexplode(a.acl) as x
  where x.grantee <> a.owner
  group by a.kind, a.path, x.grantee
  union all
  select
    case d.classoid when 'pg_proc'::regclass then 5 when 'pg_namespace'::regclass then 2 else 3 end,
    coalesce(r.path, f.path, n.nspname), 9, format(
      '  comment%s: %s', coalesce(' on ' || a.attname, ''), d.description
    )
  from pg_catalog.pg_description as d
  left join relations as r on d.classoid = 'pg_class'::regclass and r.oid = d.objoid
  left join functions as f on d.classoid = 'pg_proc'::regclass and f.oid = d.objoid
  left join schemas as n on d.classoid = 'pg_namespace'::regclass and n.oid = d.objoid
  left join pg_catalog.pg_attribute as a
    on r.oid is not null and a.attrelid = r.oid and a.attnum = d.objsubid and d.objsubid > 0
  where coalesce(r.path, f.path, n.nspname) is not null
)
select section, path, line
from lines
order by
  section, path collate "C", place,
  -- Columns come in their own order only by name: adding one in the middle moves nothing else.
  line collate "C"
