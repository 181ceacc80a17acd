import assert from "node:assert/strict";
import postgres from "postgres";
import { applyMigrations } from "../../local/migrate.ts";
import { routes } from "../../supabase/functions/api/routes.ts";
import { createApiEntities } from "../../testing/access/api_entities.ts";
import { createApiKey, createWorkspace } from "../../testing/data/factories.ts";
import type { TestDatabase } from "../../testing/postgres/database.ts";
import { startDebianPostgres } from "../../testing/postgres/debian_postgres.ts";
import { sampleApiCalls } from "../../testing/service/api_calls.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";
import { startTrack } from "../../testing/service/app.ts";
import { createDispatchWorld } from "../../testing/service/dispatch_world.ts";

interface CompilingServer extends AsyncDisposable {
  db: TestDatabase;
  /** A connection of the superuser with the settings of the server. */
  plain: postgres.Sql;
  /** Returns the statements that the server has compiled since the last call. */
  takeCompiled(): Promise<string[]>;
}

/** A migrated database on a server that compiles statements, as Debian's does by default. */
async function startCompilingServer(aboveCost: number): Promise<CompilingServer> {
  const cluster = await startDebianPostgres({
    settings: [
      "jit = on",
      `jit_above_cost = ${aboveCost}`,
      "shared_preload_libraries = 'pg_stat_statements'",
      "pg_stat_statements.track = all",
      "pg_stat_statements.max = 20000",
    ],
  });
  await applyMigrations(cluster.url);
  // The statements of the test itself would only take time.
  const sql = postgres(cluster.url, {
    max: 4,
    fetch_types: false,
    onnotice: () => {},
    connection: { jit: "off" },
  });
  const plain = postgres(cluster.url, { max: 1, fetch_types: false, onnotice: () => {} });
  await sql`create extension pg_stat_statements`;
  return {
    plain,
    db: { sql, url: cluster.url, [Symbol.asyncDispose]: () => sql.end({ timeout: 5 }) },
    async takeCompiled() {
      const rows = await sql<{ query: string }[]>`
        select query from pg_stat_statements where jit_functions > 0 order by query`;
      await sql`select pg_stat_statements_reset()`;
      return rows.map(({ query }) => query);
    },
    async [Symbol.asyncDispose]() {
      await plain.end({ timeout: 5 });
      await sql.end({ timeout: 5 });
      await cluster[Symbol.asyncDispose]();
    },
  };
}

/** Tracks events, identifies and aliases of one call and of a bulk, and a device. */
async function track({ sql, url }: TestDatabase, pooler: "none" | "transaction"): Promise<void> {
  const workspaceId = await createWorkspace(sql);
  await sql`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${workspaceId}, 'Test', 'https://receiver.test', '{*}')`;
  const key = await createApiKey(sql, { workspaceId });
  await using instance = startTrack({ url, key, pooler });
  const event = { anon_id: "visitor", name: "viewed", idempotency_key: "view-1" };
  const bodies = [
    event,
    event,
    { type: "identify", external_id: "ada", anon_id: "visitor", email: "ada@example.com" },
    { type: "identify", external_id: "lovelace", first_name: "Ada" },
    { type: "alias", external_id: "ada", previous_id: "lovelace" },
    { events: Array.from({ length: 50 }, (_, n) => ({ external_id: `c-${n}`, name: "viewed" })) },
  ];
  for (const body of bodies) {
    const response = await instance.send(body);
    assert.equal(response.status, 200, JSON.stringify(response.body));
  }
  const device = { external_id: "ada", token: "token", platform: "ios" };
  assert.equal((await instance.send(device, { path: "/track/devices" })).status, 200);
}

/** Claims, sends and records deliveries, one of which fails. */
async function dispatch(db: TestDatabase): Promise<void> {
  await using world = await createDispatchWorld({
    db: { ...db, [Symbol.asyncDispose]: async () => {} },
  });
  const receiver = await world.receive();
  const { id } = await world.addDestination({ url: `http://127.0.0.1:${receiver.port}/` });
  await world.addDestination({ url: "http://127.0.0.1:1/" });
  await world.publish("order_created", ...Array.from({ length: 5 }, (_, n) => ({ n })));
  await world.dispatch();
  const deliveries = await world.deliveries();
  const sent = deliveries.filter(({ destination_id, ok }) => destination_id === id && ok);
  assert.equal(sent.length, 5);
}

/** Makes every read of the API: with a session, or with a key behind a pooler. */
async function read(db: TestDatabase, pooler: "none" | "transaction"): Promise<void> {
  await using world = await createApiWorld({ db, pooler });
  const entities = await createApiEntities(world);
  const { workspaceId } = entities;
  const allScopes = [...new Set(routes.flatMap(({ scopes }) => scopes))];
  const token = pooler === "none"
    ? await world.signInAs("owner", workspaceId)
    : await world.createKey(allScopes, workspaceId);
  for (const { method, operationId, scopes } of routes) {
    const { entity, path } = sampleApiCalls[operationId]!;
    if (method !== "GET" || pooler !== "none" && scopes.length === 0) continue;
    const response = await world.send({
      path: path(entity?.(entities) ?? "", entities),
      token,
      workspaceId,
    });
    assert.equal(response.status, 200, `${operationId}: ${JSON.stringify(response.body)}`);
  }
}

/** The database as a pooler's login sees it, which has no settings but the timeout. */
async function logIn({ sql, url }: TestDatabase, role: string): Promise<TestDatabase> {
  const login = `login_of_${role}`;
  await sql.unsafe(`
    create role ${login} login password 'test' in role ${role};
    alter role ${login} set statement_timeout = '10s';
  `);
  const own = new URL(url);
  own.username = login;
  own.password = "test";
  return { sql, url: own.href, [Symbol.asyncDispose]: async () => {} };
}

async function assertCompiling({ plain, takeCompiled }: CompilingServer): Promise<void> {
  await takeCompiled();
  await plain`select count(*) from pg_class as a, pg_class as b`;
  assert.equal((await takeCompiled()).length, 1);
}

Deno.test("no statement over a direct connection is compiled, however expensive", async () => {
  await using server = await startCompilingServer(0);
  await assertCompiling(server);

  await track(server.db, "none");
  await dispatch(server.db);
  await read(server.db, "none");

  assert.deepEqual(await server.takeCompiled(), []);
});

Deno.test("no statement behind a pooler, nor of a periodic task, is compiled above a tiny cost", async () => {
  // The calls themselves are cheap; what they run inside of functions is not.
  await using server = await startCompilingServer(100);
  const { db, plain } = server;
  await assertCompiling(server);

  await track(await logIn(db, "signalpost_ingest"), "transaction");
  await read(await logIn(db, "signalpost_key"), "transaction");
  await plain`select private.run_frequent_tasks()`;
  await plain`select ops.run_hourly_tasks()`;

  assert.deepEqual(await server.takeCompiled(), []);
});
