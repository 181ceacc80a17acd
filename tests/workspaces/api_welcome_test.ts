import assert from "node:assert/strict";
import { confirmAccount, insertAccount } from "../../testing/data/accounts.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";

const email = "ada@example.com";

/** Names and roles of a user's workspaces, as the api lists them. */
async function workspacesOf(world: ApiWorld, userId: string): Promise<string[][]> {
  const token = await world.sessions.sign(userId);
  const { body } = await world.send({ path: "/workspaces", token });
  const rows: { name: string; role: string }[] = body.data;
  return rows.map(({ name, role }) => [name, role]);
}

const first = [["ada's workspace", "owner"]];

Deno.test("signing up creates a first workspace, which the user owns", async () => {
  await using world = await createApiWorld();
  const userId = await world.createUser("Grace@example.com");
  assert.deepEqual(await workspacesOf(world, userId), [["Grace's workspace", "owner"]]);
  // With one workspace there is nothing to name.
  const token = await world.sessions.sign(userId);
  assert.equal((await world.send({ path: "/customers", token })).status, 200);
});

Deno.test("a user without an address, such as an anonymous one, gets no workspace", async () => {
  await using world = await createApiWorld();
  const userId = crypto.randomUUID();
  await world.sql`insert into auth.users (id) values (${userId})`;
  assert.deepEqual(await workspacesOf(world, userId), []);
  const token = await world.sessions.sign(userId);
  const response = await world.send({ path: "/customers", token });
  assert.equal(response.status, 404);
  assert.notEqual(response.headers.get("ratelimit-limit"), null);
});

Deno.test("an account that never confirms its address has no workspace, and gets one when it does", async () => {
  await using world = await createApiWorld();
  const userId = await insertAccount(world.sql, email);
  assert.deepEqual(await workspacesOf(world, userId), []);
  await confirmAccount(world.sql, userId);
  assert.deepEqual(await workspacesOf(world, userId), first);
  await confirmAccount(world.sql, userId);
  assert.deepEqual(await workspacesOf(world, userId), first);
});

Deno.test("without confirmations, one transaction of Auth creates the account and its workspace", async () => {
  await using world = await createApiWorld();
  const userId = await world.sql.begin(async (tx) => {
    const userId = await insertAccount(tx as never, email);
    await confirmAccount(tx as never, userId);
    return userId;
  });
  assert.deepEqual(await workspacesOf(world, userId), first);
});

Deno.test("an anonymous user who confirms a first address gets a first workspace", async () => {
  await using world = await createApiWorld();
  const userId = crypto.randomUUID();
  await world.sql`insert into auth.users (id, email_confirmed_at) values (${userId}, null)`;
  await world.sql`
    update auth.users set email = ${email}, email_confirmed_at = now() where id = ${userId}`;
  assert.deepEqual(await workspacesOf(world, userId), first);
});

Deno.test("a new address creates no workspace for a user who has left all of theirs", async () => {
  await using world = await createApiWorld();
  const userId = await world.createUser(email);
  await world.sql`delete from public.workspaces`;
  await world.sql`update auth.users set email = 'b@example.com' where id = ${userId}`;
  assert.deepEqual(await workspacesOf(world, userId), []);
});

Deno.test("a session whose account was deleted is refused everywhere", async () => {
  await using world = await createApiWorld();
  const userId = await world.createUser();
  const token = await world.sessions.sign(userId);
  await world.sql`delete from auth.users where id = ${userId}`;
  const body = { name: "Ghost" };
  for (
    const request of [
      { path: "/workspaces" },
      { path: "/customers" },
      { path: "/invitations" },
      { method: "POST", path: "/workspaces", body },
    ]
  ) {
    const response = await world.send({ ...request, token });
    assert.deepEqual([response.status, response.body.code], [401, "unauthorized"]);
    assert.equal(response.headers.get("www-authenticate"), "Bearer");
  }
});
