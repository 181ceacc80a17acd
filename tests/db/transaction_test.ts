import assert from "node:assert/strict";
import { connectDatabase, type Sql } from "../../supabase/functions/_shared/db/connect.ts";
import { runTransaction } from "../../supabase/functions/_shared/db/transaction.ts";
import { createEmptyDatabase, type TestDatabase } from "../../testing/postgres/database.ts";

async function createWorld() {
  const db = await createEmptyDatabase();
  await db.sql`create table notes (text text)`;
  const sql = connectDatabase({ url: db.url, applicationName: "test", max: 1 });
  return {
    db,
    sql,
    async [Symbol.asyncDispose]() {
      await sql.end({ timeout: 1 });
      await db[Symbol.asyncDispose]();
    },
  };
}

async function readNotes({ sql }: TestDatabase): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`select text from notes order by text`;
  return rows.map(({ text }) => text);
}

async function writeNote(sql: Sql, text: string): Promise<void> {
  await sql`insert into notes values (${text})`;
}

/** Ends the session of the transaction, as a failover does. */
async function endSession(db: TestDatabase, tx: Sql): Promise<void> {
  const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await db.sql`select pg_terminate_backend(${row!.pid}, 10000)`;
}

Deno.test("runTransaction() commits everything or nothing", async () => {
  await using world = await createWorld();
  await runTransaction(world.sql, "read write", (tx) => writeNote(tx, "kept"));
  const failing = runTransaction(world.sql, "read write", async (tx) => {
    await writeNote(tx, "lost");
    throw new Error("Thrown by the work");
  });
  await assert.rejects(failing, { message: "Thrown by the work" });
  assert.deepEqual(await readNotes(world.db), ["kept"]);
});

Deno.test("runTransaction() sends nothing of a transaction once its connection is lost", async () => {
  await using world = await createWorld();
  const broken = runTransaction(world.sql, "read write", async (tx) => {
    await writeNote(tx, "before");
    await endSession(world.db, tx);
    await writeNote(tx, "after");
  });
  const next = runTransaction(world.sql, "read write", (tx) => writeNote(tx, "next"));
  await assert.rejects(broken);
  await next;
  assert.deepEqual(await readNotes(world.db), ["next"]);
});

Deno.test("runTransaction() survives a connection that is lost during a statement", async () => {
  await using world = await createWorld();
  const broken = runTransaction(world.sql, "read write", async (tx) => {
    await tx`select pg_terminate_backend(pg_backend_pid())`;
  });
  await assert.rejects(broken);
  await runTransaction(world.sql, "read write", (tx) => writeNote(tx, "next"));
  assert.deepEqual(await readNotes(world.db), ["next"]);
});

Deno.test("runTransaction() gets its own connection ahead of any number of waiting statements", async () => {
  await using world = await createWorld();
  for (const ahead of [99, 100, 101, 102]) {
    const statements = Array.from({ length: ahead }, () => world.sql`select 1`.execute());
    await runTransaction(world.sql, "read write", (tx) => writeNote(tx, String(ahead)));
    await Promise.all(statements);
  }
  assert.deepEqual(await readNotes(world.db), ["100", "101", "102", "99"]);
});
