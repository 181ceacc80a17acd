import assert from "node:assert/strict";
import postgres from "postgres";
import { connectDatabase, type Sql } from "../../supabase/functions/_shared/db/connect.ts";
import { isOutcomeUnknown, isUnavailable } from "../../supabase/functions/_shared/db/errors.ts";
import { createEmptyDatabase, type TestDatabase } from "../../testing/postgres/database.ts";

async function createWorld({ max = 1 } = {}) {
  const db = await createEmptyDatabase();
  const sql = connectDatabase({ url: db.url, applicationName: "under-test", max });
  return {
    db,
    sql,
    async [Symbol.asyncDispose]() {
      await sql.end({ timeout: 1 });
      await db[Symbol.asyncDispose]();
    },
  };
}

/** Ends every session of the pool under test, as a failover does, and waits until they are gone. */
async function endSessions({ sql }: TestDatabase): Promise<void> {
  await sql`
    select pg_terminate_backend(pid, 10000) from pg_stat_activity
    where application_name = 'under-test' and datname = current_database()
  `;
}

/** Sends statements one after the other until told to stop; what each of them came to. */
function keepAsking(sql: Sql, isOver: () => boolean): Promise<unknown[]> {
  const ask = async () => {
    const outcomes: unknown[] = [];
    while (!isOver()) {
      // With and without arguments: the driver sends the former in two steps.
      const asked = outcomes.length % 2 === 0 ? sql`select ${"a"}::text` : sql`select 1`;
      outcomes.push(await asked.then(() => "completed", (error) => error));
    }
    return outcomes;
  };
  return Promise.all(Array.from({ length: 12 }, ask)).then((all) => all.flat());
}

Deno.test("a pool resolves or rejects every statement while its sessions are ended", async () => {
  await using world = await createWorld({ max: 4 });
  let isOver = false;
  const asking = keepAsking(world.sql, () => isOver);
  for (let i = 0; i < 5; i++) await endSessions(world.db);
  isOver = true;
  const failures = (await asking).filter((outcome) => outcome !== "completed");
  assert(failures.length > 0, "no statement was under way when a session ended");
  for (const failure of failures) assert(isUnavailable(failure), String(failure));
  assert.deepEqual([...await world.sql`select 1 as one`], [{ one: 1 }]);
});

Deno.test("the statement after a lost connection succeeds", async () => {
  await using world = await createWorld();
  const ending = world.sql`select pg_terminate_backend(pg_backend_pid()), pg_sleep(60)`;
  await assert.rejects(ending, isOutcomeUnknown);
  assert.deepEqual([...await world.sql`select 1 as one`], [{ one: 1 }]);
});

Deno.test("a reserved connection that is lost rejects its statements and leaves the pool whole", async () => {
  await using world = await createWorld();
  const reserved = await world.sql.reserve();
  await reserved`select 1`;
  await endSessions(world.db);
  // The first one may be the one that notices.
  await reserved`select 1`.catch(() => {});
  await assert.rejects(reserved`select 2`, { code: "CONNECTION_CLOSED" });
  assert.deepEqual([...await world.sql`select 1 as one`], [{ one: 1 }]);
  reserved.release();
  const again = await world.sql.reserve();
  assert.deepEqual([...await again`select 2 as two`], [{ two: 2 }]);
  again.release();
  assert.deepEqual([...await world.sql`select 3 as three`], [{ three: 3 }]);
});

Deno.test("callers waiting for a reserved connection get one after a loss", async () => {
  await using world = await createWorld();
  const first = await world.sql.reserve();
  const waiting = Array.from({ length: 3 }, () => world.sql.reserve());
  await first`select pg_terminate_backend(pg_backend_pid())`.catch(() => {});
  first.release();
  for (const next of waiting) {
    const reserved = await next;
    assert.deepEqual([...await reserved`select 1 as one`], [{ one: 1 }]);
    reserved.release();
  }
});

/** A server that takes connections and closes them without a word. */
function listenAndClose(): { port: number; close(): void } {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const serve = async () => {
    for await (const connection of listener) {
      // Read first, or what is unread turns the end into a reset.
      await connection.read(new Uint8Array(1024)).catch(() => {});
      connection.close();
    }
  };
  void serve().catch(() => {});
  return { port: listener.addr.port, close: () => listener.close() };
}

Deno.test("a statement is rejected as unsent when the server closes before it can be sent", async () => {
  const server = listenAndClose();
  const sql = postgres(`postgres://someone@127.0.0.1:${server.port}/any`, { max: 1 });
  for (const asked of [() => sql`select 1`, () => sql.reserve(), () => sql.begin(() => {})]) {
    const failure = await asked().then(() => assert.fail("completed"), (error) => error);
    assert(isUnavailable(failure), String(failure));
    assert(!isOutcomeUnknown(failure), String(failure));
  }
  await sql.end({ timeout: 1 });
  server.close();
});
