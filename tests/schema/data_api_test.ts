import assert from "node:assert/strict";
import { dataApiRoles, tryAs } from "../../testing/access/acting.ts";
import { createApiEntities } from "../../testing/access/api_entities.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";
import { listRelations, listRoutines } from "../../testing/postgres/catalog.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";

const refused = { code: "42501" };

/** Statements whose right is refused before a row is read. */
const statements = {
  table: [
    "select from %",
    "insert into % default values",
    "delete from %",
    "truncate %",
    "lock table %",
  ],
  view: ["select from %", "insert into % default values", "delete from %"],
  sequence: ["select from %", "select nextval('%')"],
};

Deno.test("the Data API's roles read and write no table, view or sequence", async (t) => {
  await using world = await createApiWorld();
  const entities = await createApiEntities(world);
  const userId = await world.createUser();
  await world.sql`
    insert into public.workspace_members (workspace_id, user_id, role)
    values (${entities.workspaceId}, ${userId}, 'owner')`;
  const relations = await listRelations(world.sql);
  assert(relations.length > 50);
  for (const role of dataApiRoles) {
    await t.step(role, async () => {
      const actor = { role, userId, actingWorkspaceId: entities.workspaceId };
      for (const { schema, name, kind } of relations) {
        for (const statement of statements[kind]) {
          const tried = statement.replace("%", `${schema}.${name}`);
          assert.deepEqual(await tryAs(world.sql, actor, tried), refused, `${role}: ${tried}`);
        }
      }
    });
  }
});

Deno.test("the Data API's roles execute no function", async (t) => {
  await using db = await createTestDatabase();
  const routines = await listRoutines(db.sql);
  assert(routines.length > 100);
  for (const role of dataApiRoles) {
    await t.step(role, async () => {
      for (const { call } of routines) {
        assert.deepEqual(await tryAs(db.sql, { role }, call), refused, `${role}: ${call}`);
      }
    });
  }
});

Deno.test("no grant in our schemas names a role of the Data API or everybody", async () => {
  await using db = await createTestDatabase();
  const rows = await db.sql<{ grant: string }[]>`
    with objects (name, schema, acl) as (
      select c.oid::regclass::text, c.relnamespace, c.relacl from pg_class as c
      union all
      select format('%s.%s', c.oid::regclass, a.attname), c.relnamespace, a.attacl
      from pg_attribute as a join pg_class as c on c.oid = a.attrelid
      union all
      select p.oid::regprocedure::text, p.pronamespace, coalesce(p.proacl, acldefault('f', p.proowner))
      from pg_proc as p
      union all
      select n.nspname, n.oid, n.nspacl from pg_namespace as n where n.nspname <> 'public'
    )
    select format('%s on %s to %s', x.privilege_type, o.name, x.grantee::regrole) as grant
    from objects as o, aclexplode(o.acl) as x
    where o.schema::regnamespace::text in ('public', 'private', 'ops')
      and (x.grantee = 0 or x.grantee::regrole::text in ${db.sql(dataApiRoles)})`;
  assert.deepEqual(rows.map(({ grant }) => grant), []);
});

Deno.test("no role of the Data API becomes one of the service, and no policy names one", async () => {
  await using db = await createTestDatabase();
  const members = await db.sql`
    select m.rolname as member, r.rolname as role
    from pg_roles as m, pg_roles as r
    where m.rolname in ${db.sql(dataApiRoles)} and r.rolname like 'signalpost%'
      and pg_has_role(m.oid, r.oid, 'member')`;
  assert.deepEqual([...members], []);
  const policies = await db.sql`
    select schemaname, tablename, policyname from pg_policies
    where schemaname in ('public', 'private', 'ops')
      and roles && array['public', 'anon', 'authenticated', 'service_role']::name[]`;
  assert.deepEqual([...policies], []);
});

Deno.test("what a later migration makes is closed to the Data API", async () => {
  await using db = await createTestDatabase();
  await db.sql.unsafe(`
    create table public.later (id serial primary key);
    create function public.later() returns integer language sql return 1;
  `);
  for (const role of dataApiRoles) {
    for (const statement of ["select from public.later", "select public.later()"]) {
      assert.deepEqual(await tryAs(db.sql, { role }, statement), refused, `${role}: ${statement}`);
    }
  }
});
