import assert from "node:assert/strict";
import type postgres from "postgres";
import { createApiApp } from "../../supabase/functions/api/app.ts";
import { runCancellable } from "../../supabase/functions/api/kernel/run_cancellable.ts";
import { connectDatabase } from "../../supabase/functions/_shared/db/connect.ts";
import { isOutcomeUnknown } from "../../supabase/functions/_shared/db/errors.ts";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/postgres/database.ts";
import { lockIsAwaited, lockTable } from "../../testing/postgres/locks.ts";
import { startTcpProxy } from "../../testing/postgres/tcp_proxy.ts";
import { createApiKey, createWorkspace } from "../../testing/data/factories.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";

const body = JSON.stringify({
  event: { event: "seen" },
  since: "2026-01-01T00:00:00Z",
  until: "2027-01-01T00:00:00Z",
});

/** The api behind a real address, with explorations of counts that take a minute. */
async function serveSlowApi(db: TestDatabase, maxConnections: number) {
  await db.sql.unsafe(`
    create or replace function private.interval_starts(
      p_interval text, p_since timestamptz, p_until timestamptz, p_zone text
    ) returns timestamptz[] language plpgsql as $$ begin perform pg_sleep(60); return null; end $$`);
  return await serveApi(db, maxConnections);
}

/** The api behind a real address. */
async function serveApi({ url }: TestDatabase, maxConnections: number) {
  const pool = connectDatabase({
    url,
    role: "signalpost_key",
    applicationName: "explorer",
    max: maxConnections,
  });
  const app = await createApiApp({
    sql: pool,
    now: () => new Date(),
    log: createLog({ name: "api", write: () => {} }),
    compileMjml: () => Promise.reject(new Error("Not here")),
    testSender: () => Promise.reject(new Error("Not here")),
    simulate: () => Promise.reject(new Error("Not here")),
    lookUpText: () => Promise.resolve([]),
    config: {
      isHosted: false,
      hasInbox: false,
      supabaseUrl: "http://127.0.0.1:1",
      secretsEncryptionKey: btoa(String.fromCharCode(...new Uint8Array(32))),
      allowedRanges: [],
    },
  });
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, app.fetch);
  return {
    baseUrl: `http://127.0.0.1:${server.addr.port}/api`,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await pool.end({ timeout: 1 });
    },
  };
}

/** Waits until so many explorations run in the database. */
async function waitForRunning(sql: postgres.Sql, count: number): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (performance.now() < deadline) {
    const rows = await sql`
      select from pg_stat_activity
      where application_name = 'explorer' and state = 'active' and query like '%explore_counts%'`;
    if (rows.length === count) return;
  }
  assert.fail(`there are not ${count} running explorations`);
}

async function createCaller({ sql }: TestDatabase) {
  const workspaceId = await createWorkspace(sql);
  const token = await createApiKey(sql, { workspaceId, scopes: ["events:read"] });
  return {
    workspaceId,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  };
}

Deno.test("an exploration is cancelled in the database when the caller leaves", async () => {
  await using db = await createTestDatabase();
  await using api = await serveSlowApi(db, 1);
  const { workspaceId, headers } = await createCaller(db);
  await ingestEntries(db.sql, [
    { workspace_id: workspaceId, kind: "event", name: "seen", external_id: "ada" },
  ]);
  const leave = async () => {
    const leaving = new AbortController();
    const left = fetch(`${api.baseUrl}/explore/counts`, {
      method: "POST",
      headers,
      body,
      signal: leaving.signal,
    });
    await waitForRunning(db.sql, 1);
    const startedAt = performance.now();
    leaving.abort();
    await assert.rejects(left, { name: "AbortError" });
    await waitForRunning(db.sql, 0);
    return performance.now() - startedAt;
  };
  // On a busy machine, the cancellation can come as late as the end. Once is enough to see it.
  const took = [await leave()];
  while (took.at(-1)! >= 1500 && took.length < 4) took.push(await leave());
  assert(took.at(-1)! < 1500, `it ran for ${took} ms, as if nobody had left`);
  // The only connection serves the next call, which the cancellation does not reach.
  const next = await fetch(`${api.baseUrl}/events`, { headers });
  assert.equal(next.status, 200);
  assert.equal((await next.json()).data.length, 1);
});

Deno.test("a cancellation that comes late reaches no other call on its connection", async () => {
  await using db = await createTestDatabase();
  const arrived = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const { hostname, port } = new URL(db.url);
  using proxy = startTcpProxy({ hostname, port: Number(port) }, {
    async beforeFirst(bytes) {
      if (!isCancellation(bytes)) return;
      arrived.resolve();
      await goOn.promise;
    },
  });
  const url = new URL(db.url);
  url.host = `127.0.0.1:${proxy.port}`;
  const pool = connectDatabase({ url: url.href, applicationName: "leaver", max: 1 });
  const leaving = new AbortController();
  const readState = async () => {
    const [session] = await db.sql`
      select state from pg_stat_activity where application_name = 'leaver'`;
    return session?.state;
  };

  let left: Promise<unknown>;
  {
    await using _lock = await lockTable(db.sql, "public.events");
    left = pool.begin((tx) =>
      runCancellable(tx`select count(*)::integer from public.events`, leaving.signal)
    );
    await lockIsAwaited(db.sql);
    leaving.abort();
    await arrived.promise;
  }
  while (await readState() === "active");
  // The statement is over, and its cancellation still under way: nobody else gets the connection.
  for (let look = 0; look < 50; look++) assert.equal(await readState(), "idle in transaction");
  goOn.resolve();
  assert.deepEqual([...await left as unknown[]], [{ count: 0 }]);
  assert.deepEqual([...await pool`select 1 as one`], [{ one: 1 }]);
  await pool.end({ timeout: 1 });
});

Deno.test("a statement that is cancelled before it is sent frees its connection", async () => {
  await using db = await createTestDatabase();
  const pool = connectDatabase({ url: db.url, applicationName: "leaver", max: 1 });
  const isCancelled = { code: "57014" };
  const left = AbortSignal.abort();
  await assert.rejects(runCancellable(pool`select 1`, left), isCancelled);
  await assert.rejects(
    pool.begin(async (tx) => {
      await tx`select 1`;
      await tx.savepoint((inner) => runCancellable(inner`select 2`, left));
    }),
    isCancelled,
  );
  const reserved = await pool.reserve();
  await assert.rejects(runCancellable(reserved`select 3`, left), isCancelled);
  assert.deepEqual([...await reserved`select 4 as four`], [{ four: 4 }]);
  reserved.release();
  assert.deepEqual([...await pool`select 5 as five`], [{ five: 5 }]);
  await pool.end({ timeout: 1 });
});

Deno.test("explorations that callers leave at any moment hold no connection and no place", async () => {
  await using db = await createTestDatabase();
  const { workspaceId, headers } = await createCaller(db);
  await ingestEntries(db.sql, [
    { workspace_id: workspaceId, kind: "event", name: "seen", external_id: "ada" },
  ]);
  await using api = await serveApi(db, 2);
  const ask = (signal: AbortSignal) =>
    fetch(`${api.baseUrl}/explore/counts`, { method: "POST", headers, body, signal })
      .then((response) => response.text()).catch(() => "left");
  // Each leaves after another number of turns of the loop, from before the call reached the api.
  for (let turns = 0; turns < 120; turns++) {
    const leaving = new AbortController();
    const left = ask(leaving.signal);
    for (let turn = 0; turn < turns; turn++) await new Promise((next) => setImmediate(next));
    leaving.abort();
    await left;
  }
  const response = await fetch(`${api.baseUrl}/explore/counts`, { method: "POST", headers, body });
  assert.equal(response.status, 200, await response.clone().text());
  assert.equal((await response.json()).series[0].total, 1);
});

Deno.test("a cancellation that cannot reach the database changes nothing", async () => {
  await using db = await createTestDatabase();
  const { hostname, port } = new URL(db.url);
  using proxy = startTcpProxy({ hostname, port: Number(port) });
  const url = new URL(db.url);
  url.host = `127.0.0.1:${proxy.port}`;
  const pool = connectDatabase({ url: url.href, applicationName: "leaver", max: 1 });
  const leaving = new AbortController();
  let left: Promise<unknown>;
  {
    await using _lock = await lockTable(db.sql, "public.events");
    left = runCancellable(pool`select count(*) from public.events`, leaving.signal);
    await lockIsAwaited(db.sql);
    proxy.cut();
    leaving.abort();
    await assert.rejects(left, isOutcomeUnknown);
  }
  await pool.end({ timeout: 1 });
});

/** Checks whether a connection begins with a request to cancel what another one runs. */
function isCancellation(bytes: Uint8Array): boolean {
  return bytes.length === 16 &&
    new DataView(bytes.buffer, bytes.byteOffset).getInt32(4) === 80877102;
}

Deno.test("an exploration ends after 2 s, and a third of a workspace waits for no other", async () => {
  await using db = await createTestDatabase();
  await using api = await serveSlowApi(db, 4);
  const { headers } = await createCaller(db);
  const other = await createCaller(db);
  const explore = async (given: HeadersInit) => {
    const response = await fetch(`${api.baseUrl}/explore/counts`, {
      method: "POST",
      headers: given,
      body,
    });
    return { response, body: await response.json() };
  };
  const slow = [explore(headers), explore(headers)];
  await waitForRunning(db.sql, 2);
  const third = await explore(headers);
  assert.equal(third.response.status, 429);
  assert.equal(third.response.headers.get("retry-after"), "1");
  assert.match(third.body.error, /two explorations of the workspace are running/);
  const others = explore(other.headers);
  await waitForRunning(db.sql, 3);
  for (const { response, body } of await Promise.all([...slow, others])) {
    assert.equal(response.status, 400);
    assert.match(body.error, /^Exploring took over 2 s/);
  }
});

Deno.test("an exploration that the database is too slow for reads a smaller sample", async () => {
  await using db = await createTestDatabase();
  await using api = await serveSlowApi(db, 1);
  // Slow unless the exploration was shortened.
  await db.sql.unsafe(`
    create or replace function private.interval_starts(
      p_interval text, p_since timestamptz, p_until timestamptz, p_zone text
    ) returns timestamptz[] language plpgsql as $$ begin
      if (select read_rows from private.exploration_limits()) = 30000 then
        perform pg_sleep(60);
      end if;
      return array[p_since];
    end $$`);
  const { workspaceId, headers } = await createCaller(db);
  await ingestEntries(db.sql, [
    { workspace_id: workspaceId, kind: "event", name: "seen", external_id: "ada" },
  ]);
  for (let call = 0; call < 2; call++) {
    const response = await fetch(`${api.baseUrl}/explore/counts`, {
      method: "POST",
      headers,
      body: JSON.stringify({ ...JSON.parse(body), measure: "customers" }),
    });
    assert.equal(response.status, 200);
    assert.equal((await response.json()).series[0].total, 1);
  }
});
