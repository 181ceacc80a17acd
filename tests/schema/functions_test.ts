import assert from "node:assert/strict";
import { createTestDatabase } from "../../testing/postgres/database.ts";

const callers = [
  "anon",
  "authenticated",
  "signalpost_user",
  "signalpost_key",
  "signalpost_ingest",
  "signalpost_dispatch",
  "signalpost_send",
  "signalpost_automation",
  "signalpost_links",
];

Deno.test("functions with definer rights are in private, with an empty path and no default grants", async () => {
  await using db = await createTestDatabase();
  const rows = await db.sql<{ name: string; schema: string; config: string; is_public: boolean }[]>`
    select
      p.oid::regprocedure::text as name, n.nspname as schema,
      array_to_string(p.proconfig, ',') as config,
      exists (
        select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as a
        where a.grantee = 0
      ) as is_public
    from pg_proc as p
    join pg_namespace as n on n.oid = p.pronamespace
    where p.prosecdef and n.nspname in ('public', 'private', 'ops')`;
  assert(rows.length > 20);
  for (const { name, schema, config, is_public } of rows) {
    assert.equal(schema, "private", name);
    assert.match(config, /search_path=""/, name);
    assert.equal(is_public, false, name);
  }
});

Deno.test("no statement of ingest and dispatch is compiled, even if that is the server's default", async () => {
  await using db = await createTestDatabase();
  const rows = await db.sql<{ name: string; config: string | null }[]>`
    select p.oid::regprocedure::text as name, array_to_string(p.proconfig, ',') as config
    from pg_proc as p
    join pg_namespace as n on n.oid = p.pronamespace
    where n.nspname in ('private', 'ops')
      and (
        has_function_privilege('signalpost_ingest', p.oid, 'execute')
        or has_function_privilege('signalpost_dispatch', p.oid, 'execute')
        or has_function_privilege('signalpost_send', p.oid, 'execute')
        or has_function_privilege('signalpost_automation', p.oid, 'execute')
        or has_function_privilege('signalpost_links', p.oid, 'execute')
        or p.proname in ('run_tasks', 'run_frequent_tasks', 'run_hourly_tasks')
      )`;
  assert(rows.length > 15);
  for (const { name, config } of rows) assert.match(config ?? "", /jit=off/, name);
});

Deno.test("lookups of ingest, claims, results and folds are planned once per connection", async () => {
  await using db = await createTestDatabase();
  const names = [
    "claim_deliveries",
    "complete_deliveries",
    "fold_segments",
    "match_subscriptions",
    "resolve_entries",
    "segmented_workspaces",
  ];
  const rows = await db.sql<{ name: string }[]>`
    select p.proname as name
    from pg_proc as p
    where p.pronamespace = 'private'::regnamespace
      and p.proname in ${db.sql(names)}
      and 'plan_cache_mode=force_generic_plan' = any (p.proconfig)
    order by 1`;
  assert.deepEqual(rows.map(({ name }) => name), names);
});

Deno.test("anon executes no function, and no caller executes any in ops", async () => {
  await using db = await createTestDatabase();
  for (const role of callers) {
    const rows = await db.sql<{ name: string }[]>`
      select p.oid::regprocedure::text as name
      from pg_proc as p
      join pg_namespace as n on n.oid = p.pronamespace
      where n.nspname in ('public', 'private', 'ops')
        and (n.nspname = 'ops' or ${role} = 'anon')
        and has_function_privilege(${role}, p.oid, 'execute')
        and has_schema_privilege(${role}, n.oid, 'usage')`;
    assert.deepEqual(rows.map(({ name }) => name), [], role);
  }
});

Deno.test("every table has row-level security, a comment and an index for each foreign key", async () => {
  await using db = await createTestDatabase();
  const rows = await db.sql<{ name: string; problem: string }[]>`
    with tables as (
      select c.* from pg_class as c
      where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
        and c.relkind in ('r', 'p')
    )
    select c.oid::regclass::text as name, 'no row-level security' as problem
    from tables as c where not c.relrowsecurity
    union all
    select c.oid::regclass::text, 'no comment'
    from tables as c where not c.relispartition and obj_description(c.oid, 'pg_class') is null
    union all
    select f.conrelid::regclass::text, 'no index for ' || f.conname
    from pg_constraint as f
    join tables as c on c.oid = f.conrelid
    where f.contype = 'f' and not exists (
      select from pg_index as i
      where i.indrelid = f.conrelid
        and (i.indkey::smallint[])[0:cardinality(f.conkey) - 1] @> f.conkey
    )`;
  assert.deepEqual(rows.map(({ name, problem }) => `${name}: ${problem}`), []);
});

Deno.test("every index ascends: before the newest row, pages would stay half empty", async () => {
  await using db = await createTestDatabase();
  const rows = await db.sql<{ name: string }[]>`
    select distinct i.indexrelid::regclass::text as name
    from pg_index as i
    join pg_class as c on c.oid = i.indrelid
    cross join unnest(i.indoption::smallint[]) as o (flags)
    where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      and o.flags & 1 = 1
    order by 1`;
  // Its list has the newest name first, and names of the same moment in alphabetical order.
  assert.deepEqual(rows.map(({ name }) => name), ["event_names_first_seen_at_idx"]);
});
