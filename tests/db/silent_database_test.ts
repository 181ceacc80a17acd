import assert from "node:assert/strict";
import { connectDatabase } from "../../supabase/functions/_shared/db/connect.ts";
import { isOutcomeUnknown, isUnavailable } from "../../supabase/functions/_shared/db/errors.ts";
import { createApiKey, createWorkspace } from "../../testing/data/factories.ts";
import { createInboundWorld } from "../../testing/data/inbound.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { lockIsAwaited, lockTable } from "../../testing/postgres/locks.ts";
import { type OwnServer, startOwnServer } from "../../testing/postgres/own_server.ts";
import { type ServiceResponse, startTrack } from "../../testing/service/app.ts";

const answerTimeoutMs = 1000;

function assertUnavailable({ status, headers, body }: ServiceResponse): void {
  assert.deepEqual([status, body.code], [503, "unavailable"], JSON.stringify(body));
  assert.equal(headers.get("retry-after"), "1");
}

/** Asserts the response to a write that the database never got. */
function assertNotStored(response: ServiceResponse): void {
  assertUnavailable(response);
  assert.match(response.body.error, /: nothing was stored$/);
}

/** Asserts the response to a write that the database got and did not confirm. */
function assertUnconfirmed(response: ServiceResponse): void {
  assertUnavailable(response);
  const { body } = response;
  assert.match(body.error, /^Database did not respond in time: nothing is known to be stored/);
  assert.match(body.error, /same idempotency key or message id/);
}

async function countEvents(
  { db }: OwnServer,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<number> {
  const rows = await db.sql<{ count: number }[]>`
    select count(*)::integer as count from public.events
    where workspace_id = ${workspaceId} and name = ${name}
  `;
  return rows[0]!.count;
}

/** Sends while the database hangs, and returns the response. */
async function sendInPause(
  server: OwnServer,
  send: () => Promise<ServiceResponse>,
): Promise<ServiceResponse> {
  using _pause = await server.pause();
  return await send();
}

/** Sends, lets the database hang while it works on the statement, and returns the response. */
async function sendBeforePause(
  server: OwnServer,
  send: () => Promise<ServiceResponse>,
): Promise<ServiceResponse> {
  const { sql } = server.db;
  await using _lock = await lockTable(sql, "public.events");
  const sent = send();
  await lockIsAwaited(sql);
  using _pause = await server.pause();
  return await sent;
}

Deno.test("functions respond while the database hangs", async (t) => {
  await using server = await startOwnServer();

  await t.step("track responds with 503, and stores a retry once", async () => {
    const { db } = server;
    const workspaceId = await createWorkspace(db.sql, { planId: "scale" });
    const key = await createApiKey(db.sql, { workspaceId });
    await using instance = startTrack({ url: db.url, key, answerTimeoutMs });
    const send = (name: string) =>
      instance.send({ external_id: "ada", name, idempotency_key: name });
    assert.equal((await send("known")).status, 200);

    assertNotStored(await sendInPause(server, () => send("never_sent")));
    assert.equal(await countEvents(server, { workspaceId, name: "never_sent" }), 0);
    assertUnconfirmed(await sendBeforePause(server, () => send("under_way")));
    for (const name of ["never_sent", "under_way"]) {
      for (const { status, body } of await Promise.all([send(name), send(name)])) {
        assert.equal(status, 200, JSON.stringify(body));
      }
      assert.equal(await countEvents(server, { workspaceId, name }), 1);
    }
  });

  await t.step(
    "inbound responds with 503, and stores a repeated message once",
    async () => {
      const { db } = server;
      const workspaceId = await createWorkspace(db.sql, { planId: "scale" });
      await using world = await createInboundWorld({ on: { db, workspaceId }, answerTimeoutMs });
      const source = await world.createSource({ mapping: { name: "/name", external_id: "/user" } });
      const send = (name: string) => {
        const body = JSON.stringify({ name, user: "ada" });
        return world.deliver({ source, body, headers: { "webhook-id": name } });
      };
      assert.equal((await send("known")).status, 200);

      assertNotStored(await sendInPause(server, () => send("never_sent")));
      assert.equal(await countEvents(server, { workspaceId, name: "never_sent" }), 0);
      assertUnconfirmed(await sendBeforePause(server, () => send("under_way")));
      for (const name of ["never_sent", "under_way"]) {
        for (const { status, body } of [await send(name), await send(name)]) {
          assert.equal(status, 200, JSON.stringify(body));
        }
        assert.equal(await countEvents(server, { workspaceId, name }), 1);
      }
    },
  );

  await t.step(
    "statements that wait for a connection are rejected with its statement",
    async () => {
      const { url } = server.db;
      const sql = connectDatabase({ url, applicationName: "test", max: 1, answerTimeoutMs });
      await sql`select 1`;
      {
        using _pause = await server.pause();
        const sent = sql.begin((tx) => tx`select 1`).catch((error) => error);
        const waiting = Array.from({ length: 20 }, () => sql`select 2`.catch((error) => error));
        assert(isOutcomeUnknown(await sent));
        for (const error of await Promise.all(waiting)) {
          assert(isUnavailable(error), String(error));
          assert(!isOutcomeUnknown(error), String(error));
        }
      }
      assert.deepEqual([...await sql`select 3 as three`], [{ three: 3 }]);
      await sql.end({ timeout: 1 });
    },
  );
});

Deno.test("a long response that keeps arriving is not given up", async () => {
  await using db = await createTestDatabase();
  const sql = connectDatabase({ url: db.url, applicationName: "test", answerTimeoutMs });
  const rows = await sql`
    select n, pg_sleep(0.05)::text, repeat('x', 10000) from generate_series(1, 30) as n
  `;
  assert.equal(rows.length, 30);
  await sql.end({ timeout: 1 });
});
