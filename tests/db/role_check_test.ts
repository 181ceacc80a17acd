import assert from "node:assert/strict";
import { connectDatabase } from "../../supabase/functions/_shared/db/connect.ts";
import { createRoleCheck } from "../../supabase/functions/_shared/db/role_check.ts";
import { createTrackWorld, type TrackInstance } from "../../testing/service/app.ts";

const event = { external_id: "user-1", name: "viewed" };

/** A world whose logins are gone at its end. */
async function createLoginWorld() {
  const world = await createTrackWorld();
  const { sql, url } = world.db;
  const logins: string[] = [];
  return {
    ...world,
    /** Makes a login and an instance of the function that uses it, as it would behind a pooler. */
    async startAs(attributes: string, timeout = "10s") {
      const name = `login_${crypto.randomUUID().replaceAll("-", "")}`;
      logins.push(name);
      await sql.unsafe(`
        create role ${name} login password 'x' ${attributes};
        alter role ${name} set statement_timeout = '${timeout}';
      `);
      const address = new URL(url);
      Object.assign(address, { username: name, password: "x" });
      const instance = world.startInstance({ url: address.href, pooler: "session" });
      return { name, instance };
    },
    async [Symbol.asyncDispose]() {
      for (const name of logins) await sql.unsafe(`drop role ${name}`);
      await world[Symbol.asyncDispose]();
    },
  };
}

/** The error that the function logged for the call that it refused. */
async function refusal(instance: TrackInstance): Promise<string> {
  const response = await instance.send(event);
  assert.deepEqual([response.status, response.body.code], [503, "unavailable"]);
  assert.equal(response.body.error, "Database is unavailable: nothing was stored");
  const { level, error } = JSON.parse(instance.logged.at(-1)!);
  assert.equal(level, "error");
  return error;
}

const expected = 'Expected "signalpost_ingest", or behind a pooler (set DATABASE_POOLER) ' +
  'a login with only the rights of "signalpost_ingest" and a statement timeout';

Deno.test("a function refuses to serve as the owner of the database", async () => {
  await using world = await createTrackWorld();
  const instance = world.startInstance({ pooler: "session" });
  const said = await refusal(instance);
  assert.equal(
    said,
    `SUPABASE_DB_URL leads to role "postgres", which is a superuser. ${expected}`,
  );
  const [row] = await world.db.sql`select count(*)::integer as events from public.events`;
  assert.equal(row?.events, 0);
});

const loginNames = {
  "that bypasses row-level security": [
    "bypassrls in role signalpost_ingest",
    "bypasses row-level security",
  ],
  "that may create roles": [
    "createrole in role signalpost_ingest",
    "may create roles or databases or replicate",
  ],
  "without the role's rights": ["", 'lacks the rights of "signalpost_ingest"'],
  "that does not inherit them": [
    "noinherit in role signalpost_ingest",
    'lacks the rights of "signalpost_ingest"',
  ],
  "with rights of another role": [
    "in role signalpost_ingest, signalpost_dispatch",
    'also has the rights of "signalpost_dispatch"',
  ],
} as const;

for (const [which, [attributes, problem]] of Object.entries(loginNames)) {
  Deno.test(`a function refuses to serve with a login ${which}`, async () => {
    await using world = await createLoginWorld();
    const { name, instance } = await world.startAs(attributes);
    const said = await refusal(instance);
    assert.equal(said, `SUPABASE_DB_URL leads to role "${name}", which ${problem}. ${expected}`);
  });
}

Deno.test("a function refuses to serve without a statement timeout, until there is one", async () => {
  await using world = await createLoginWorld();
  const { name, instance } = await world.startAs("in role signalpost_ingest", "0");
  assert.match(await refusal(instance), /has no "statement_timeout"/);
  await world.db.sql.unsafe(`alter role ${name} set statement_timeout = '10s'`);
  // A pooler would do this in its own time.
  await world.db.sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where usename = ${name}`;
  const first = await instance.send(event);
  // It may not know yet that its connection has ended.
  const response = first.status === 503 ? await instance.send(event) : first;
  assert.equal(response.status, 200);
});

Deno.test("a function serves with a login that has only the rights of its role", async () => {
  await using world = await createLoginWorld();
  const { instance } = await world.startAs("in role signalpost_ingest");
  assert.equal((await instance.send(event)).status, 200);
});

Deno.test("a function says which startup parameter was refused", async () => {
  await using world = await createTrackWorld();
  const sql = connectDatabase({ url: world.db.url, role: "nobody", applicationName: "test" });
  await assert.rejects(
    async () => await createRoleCheck(sql)(),
    ({ cause }) =>
      /^SUPABASE_DB_URL was refused: .*role "nobody" does not exist\. Expected "nobody"/.test(
        cause.message,
      ),
  );
  await sql.end();
});

Deno.test("a role is checked once for any number of waiting calls", async () => {
  await using world = await createTrackWorld();
  const sql = connectDatabase({
    url: world.db.url,
    role: "signalpost_ingest",
    applicationName: "test",
  });
  const check = createRoleCheck(sql);
  const first = check();
  assert.equal(check(), first);
  await first;
  assert.equal(check(), undefined);
  await sql.end();
});
