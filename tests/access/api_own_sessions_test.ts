import assert from "node:assert/strict";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";

const path = "/sessions";

/** Creates the table as Supabase Auth does. */
async function createSessionTable({ sql }: ApiWorld): Promise<void> {
  await sql`
    create table auth.sessions (
      id uuid primary key, user_id uuid not null, created_at timestamptz, not_after timestamptz,
      refreshed_at timestamp, user_agent text, ip inet
    )`;
}

async function addSession(
  { sql }: ApiWorld,
  { userId, at, notAfter = null }: { userId: string; at: string; notAfter?: string | null },
): Promise<string> {
  const id = crypto.randomUUID();
  await sql`
    insert into auth.sessions values (
      ${id}, ${userId}, ${at}, ${notAfter}, '2026-11-20 10:00', 'Mozilla/5.0 Firefox/140.0',
      '203.0.113.7'
    )`;
  return id;
}

Deno.test("users see their own sessions that have not ended, newest first, and no one else's", async () => {
  await using world = await createApiWorld();
  await createSessionTable(world);
  const [userId, other] = [await world.createUser(), await world.createUser()];
  const first = await addSession(world, { userId, at: "2026-11-18T10:00:00Z" });
  const second = await addSession(world, { userId, at: "2026-11-19T10:00:00Z" });
  await addSession(world, { userId: other, at: "2026-11-19T10:00:00Z" });
  const ended = { at: "2026-11-19T10:00:00Z", notAfter: "2026-11-19T11:00:00Z" };
  await addSession(world, { userId, ...ended });
  const token = await world.sessions.sign(userId, { claims: { session_id: first } });
  const { status, body } = await world.send({ path, token });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(
    body.data.map(({ id, is_current }: Record<string, unknown>) => [id, is_current]),
    [[second, false], [first, true]],
  );
  assert.deepEqual(body.data[0], {
    id: second,
    is_current: false,
    created_at: "2026-11-19T10:00:00.000Z",
    last_active_at: "2026-11-20T10:00:00.000Z",
    user_agent: "Mozilla/5.0 Firefox/140.0",
    ip: "203.0.113.7",
  });
  const page = await world.send({ path: `${path}?limit=1`, token });
  const next = await world.send({ path: `${path}?limit=1&cursor=${page.body.next_cursor}`, token });
  assert.deepEqual([page.body.data[0].id, next.body.data[0].id], [second, first]);
  assert.equal(next.body.next_cursor, null);
});

Deno.test("the list of sessions is empty where Auth keeps none, and closed to keys", async () => {
  await using world = await createApiWorld();
  const token = await world.sessions.sign(await world.createUser());
  const { status, body } = await world.send({ path, token });
  assert.deepEqual([status, body], [200, { data: [], next_cursor: null }]);
  const key = await world.createKey(["customers:read"]);
  assert.equal((await world.send({ path, token: key })).status, 403);
});

Deno.test("sessions are listed with an Auth that records less of them", async () => {
  await using world = await createApiWorld();
  await world.sql`create table auth.sessions (id uuid primary key, user_id uuid)`;
  const userId = await world.createUser();
  const id = crypto.randomUUID();
  await world.sql`insert into auth.sessions values (${id}, ${userId})`;
  const { body } = await world.send({ path, token: await world.sessions.sign(userId) });
  assert.deepEqual(body.data, [{
    id,
    is_current: false,
    created_at: null,
    last_active_at: null,
    user_agent: null,
    ip: null,
  }]);
});
