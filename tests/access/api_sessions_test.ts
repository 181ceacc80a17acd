import assert from "node:assert/strict";
import { createApiWorld } from "../../testing/service/api_world.ts";

const path = "/workspaces";

Deno.test("api refuses an anonymous session and explains how to sign in", async () => {
  await using world = await createApiWorld();
  const userId = await world.createUser();
  const token = await world.sessions.sign(userId, { claims: { is_anonymous: true } });
  const create = { method: "POST", body: { name: "Free" } };
  for (const options of [{}, create]) {
    const response = await world.send({ ...options, path, token });
    assert.equal(response.status, 401);
    assert.equal(response.body.error, "Session is anonymous: sign in with an e-mail address");
  }
});

Deno.test("api refuses the token of a deleted account, even if Auth only marked it as deleted", async () => {
  await using world = await createApiWorld();
  const userId = await world.createUser();
  const token = await world.sessions.sign(userId);
  assert.equal((await world.send({ path, token })).status, 200);
  await world.sql`update auth.users set deleted_at = now() where id = ${userId}`;
  const marked = await world.send({ path, token });
  await world.sql`delete from auth.users where id = ${userId}`;
  const deleted = await world.send({ method: "POST", path, token, body: { name: "Mine" } });
  for (const response of [marked, deleted]) {
    assert.equal(response.status, 401);
    assert.equal(response.body.code, "unauthorized");
    assert.equal(response.body.error, "Account no longer exists");
  }
});

Deno.test("api refuses the token of a banned account until the ban ends", async () => {
  await using world = await createApiWorld();
  const userId = await world.createUser();
  const token = await world.sessions.sign(userId);
  await world
    .sql`update auth.users set banned_until = now() + interval '1 hour' where id = ${userId}`;
  const banned = await world.send({ path, token });
  assert.equal(banned.status, 401);
  assert.equal(banned.body.error, "Account is banned");
  await world.sql`update auth.users set banned_until = now() where id = ${userId}`;
  assert.equal((await world.send({ path, token })).status, 200);
});

Deno.test("api refuses the token of a session that was signed out", async () => {
  await using world = await createApiWorld();
  await world.sql`create table auth.sessions (id uuid primary key, user_id uuid)`;
  const userId = await world.createUser();
  const [session, other] = [crypto.randomUUID(), crypto.randomUUID()];
  await world.sql`insert into auth.sessions values (${session}, ${userId}), (${other}, ${userId})`;
  const sign = (id: string) => world.sessions.sign(userId, { claims: { session_id: id } });
  const [token, otherToken] = [await sign(session), await sign(other)];
  assert.equal((await world.send({ path, token })).status, 200);
  await world.sql`delete from auth.sessions where id = ${session}`;
  const response = await world.send({ path, token });
  assert.equal(response.status, 401);
  assert.equal(response.body.error, "Session has ended: sign in again");
  assert.equal((await world.send({ path, token: otherToken })).status, 200);
});

Deno.test("api accepts a session if Auth stores no sessions, or hides them from the owner", async () => {
  await using world = await createApiWorld();
  const userId = await world.createUser();
  const token = await world.sessions.sign(userId, {
    claims: { session_id: crypto.randomUUID() },
  });
  assert.equal((await world.send({ path, token })).status, 200);
});
