import assert from "node:assert/strict";
import type { Sql } from "../../supabase/functions/_shared/db/connect.ts";
import { ApiError } from "../../supabase/functions/_shared/errors/errors.ts";
import { version } from "../../supabase/functions/_shared/config/version.ts";
import { createHealthCheck } from "../../supabase/functions/api/health.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { assertResponse, findOperation } from "../../testing/service/openapi.ts";
import { startTcpProxy } from "../../testing/postgres/tcp_proxy.ts";

const path = "/health";

/** A database that responds to each query when the test says so. */
function createSlowDatabase() {
  const questions: PromiseWithResolvers<void>[] = [];
  const sql = () => {
    const question = Promise.withResolvers<void>();
    questions.push(question);
    return question.promise;
  };
  return { sql: sql as unknown as Sql, questions };
}

const isUnavailable = (error: unknown) =>
  error instanceof ApiError && error.code === "unavailable" &&
  error.message === "Database is unavailable";

Deno.test("GET /api/health returns the version to anyone while the database responds", async () => {
  await using world = await createApiWorld();
  const response = await world.send({ path });
  assert.equal(response.status, 200);
  assert.deepEqual(response.body, { status: "ok", version });
  assert.equal(response.headers.get("cache-control"), "no-store");
  assertResponse(findOperation("getHealth"), response);
});

Deno.test("GET /api/health is 503 without details while the database is down", async () => {
  await using db = await createTestDatabase();
  const url = new URL(db.url);
  using proxy = startTcpProxy({ hostname: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  let time = Date.now();
  await using world = await createApiWorld({
    db: { ...db, url: url.href },
    now: () => new Date(time),
  });
  assert.equal((await world.send({ path })).status, 200);
  proxy.cut();
  time += 1000;
  const response = await world.send({ path });
  assert.deepEqual([response.status, response.body.code], [503, "unavailable"]);
  assert.equal(response.body.error, "Database is unavailable");
  assert.equal(response.headers.get("retry-after"), "1");
  assertResponse(findOperation("getHealth"), response);
  proxy.open();
  time += 1000;
  assert.equal((await world.send({ path })).status, 200);
});

Deno.test("GET /api/health is 503 while the login has other rights than the function's", async () => {
  await using db = await createTestDatabase();
  const url = new URL(db.url);
  // The owner of the database, as behind a pooler.
  await using world = await createApiWorld({ db: { ...db, url: url.href }, pooler: "session" });
  const response = await world.send({ path });
  assert.deepEqual([response.status, response.body.error], [503, "Database is unavailable"]);
});

Deno.test("createHealthCheck() queries the database once for all calls of a second", async () => {
  let time = 0;
  const { sql, questions } = createSlowDatabase();
  const check = createHealthCheck({ sql, now: () => new Date(time) });
  const waiting = [check(), check(), check()];
  await Promise.resolve();
  assert.equal(questions.length, 1);
  questions[0]!.resolve();
  await Promise.all(waiting);
  time = 999;
  await check();
  assert.equal(questions.length, 1);
  time = 1000;
  const next = check();
  await Promise.resolve();
  assert.equal(questions.length, 2);
  questions[1]!.resolve();
  await next;
});

Deno.test("createHealthCheck() keeps a failure for a second as well", async () => {
  let time = 0;
  const { sql, questions } = createSlowDatabase();
  const check = createHealthCheck({ sql, now: () => new Date(time) });
  const first = check();
  await Promise.resolve();
  questions[0]!.reject(new Error("gone"));
  await assert.rejects(first, isUnavailable);
  await assert.rejects(check(), isUnavailable);
  assert.equal(questions.length, 1);
  time = 1000;
  const next = check();
  await Promise.resolve();
  questions[1]!.resolve();
  await next;
});

Deno.test("createHealthCheck() stops waiting for a silent database, and sends no second query", async () => {
  const { sql, questions } = createSlowDatabase();
  const check = createHealthCheck({ sql, now: () => new Date(0), timeoutMs: 1 });
  await assert.rejects(check(), isUnavailable);
  await assert.rejects(check(), isUnavailable);
  assert.equal(questions.length, 1);
  questions[0]!.resolve();
});
