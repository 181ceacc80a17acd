import assert from "node:assert/strict";
import { confirmAccount, insertAccount } from "../support/accounts.ts";
import { type ApiWorld, createApiWorld } from "../support/api_world.ts";
import { interleave } from "../support/locks.ts";

const EMAIL = "ada@example.com";

interface Row {
  id: string;
  role: string;
}

/** Names and roles of a user's workspaces, as the api lists them to a session of theirs. */
async function workspacesOf(world: ApiWorld, userId: string): Promise<string[]> {
  const token = await world.sessions.sign(userId);
  const { body } = await world.send({ path: "/workspaces", token });
  return body.data.map(({ id, role }: Row) =>
    `${id === world.workspaceId ? "joined" : "own"} ${role}`
  )
    .toSorted();
}

async function actAsAdmin(world: ApiWorld) {
  const token = await world.signInAs("admin");
  const { workspaceId } = world;
  return {
    invite: (email: string, role = "viewer") =>
      world.send({ method: "POST", path: "/members", token, workspaceId, body: { email, role } }),
    async list(): Promise<{ email: string; role: string; state: string }[]> {
      const { body } = await world.send({ path: "/members", token, workspaceId });
      return body.data;
    },
  };
}

Deno.test("an invitation waits until Auth has confirmed the address", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  await admin.invite(EMAIL, "member");
  const userId = await insertAccount(world.sql, EMAIL);
  assert.deepEqual(await workspacesOf(world, userId), []);
  assert.equal((await admin.list()).find(({ email }) => email === EMAIL)?.state, "invited");
  await confirmAccount(world.sql, userId);
  assert.deepEqual(await workspacesOf(world, userId), ["joined member"]);
  assert.equal((await admin.list()).find(({ email }) => email === EMAIL)?.state, "active");
});

Deno.test("an account that never confirms its address has no workspace, and gets one when it does", async () => {
  await using world = await createApiWorld();
  const userId = await insertAccount(world.sql, EMAIL);
  assert.deepEqual(await workspacesOf(world, userId), []);
  await confirmAccount(world.sql, userId);
  assert.deepEqual(await workspacesOf(world, userId), ["own owner"]);
  await confirmAccount(world.sql, userId);
  assert.deepEqual(await workspacesOf(world, userId), ["own owner"]);
});

Deno.test("without confirmations, Auth's one transaction makes the account and its workspace", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  await admin.invite(EMAIL);
  const signUp = (email: string) =>
    world.sql.begin(async (tx) => {
      const userId = await insertAccount(tx as never, email);
      await confirmAccount(tx as never, userId);
      return userId;
    });
  assert.deepEqual(await workspacesOf(world, await signUp(EMAIL)), ["joined viewer"]);
  assert.deepEqual(await workspacesOf(world, await signUp("b@example.com")), ["own owner"]);
});

Deno.test("inviting an address that an unconfirmed account claims lets nobody in", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  const squatterId = await insertAccount(world.sql, EMAIL);
  const invited = await admin.invite(EMAIL, "admin");
  assert.deepEqual([invited.status, invited.body.state], [201, "invited"]);
  assert.deepEqual(await workspacesOf(world, squatterId), []);
  const token = await world.sessions.sign(squatterId);
  const { workspaceId } = world;
  assert.equal((await world.send({ path: "/customers", token, workspaceId })).status, 404);
});

Deno.test("an address changed to an invited one joins, and keeps what its user had", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  const userId = await world.createUser("old@example.com");
  await admin.invite(EMAIL, "member");
  await world.sql`update auth.users set email = ${EMAIL} where id = ${userId}`;
  assert.deepEqual(await workspacesOf(world, userId), ["joined member", "own owner"]);
  await world.sql`update auth.users set email = 'third@example.com' where id = ${userId}`;
  assert.deepEqual(await workspacesOf(world, userId), ["joined member", "own owner"]);
});

Deno.test("an anonymous user who confirms a first address is welcomed as a new one", async () => {
  await using world = await createApiWorld();
  const userId = crypto.randomUUID();
  await world.sql`insert into auth.users (id, email_confirmed_at) values (${userId}, null)`;
  await world.sql`
    update auth.users set email = ${EMAIL}, email_confirmed_at = now() where id = ${userId}`;
  assert.deepEqual(await workspacesOf(world, userId), ["own owner"]);
});

Deno.test("an invitation to another address of a member leaves their role as it is", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  const userId = await world.createUser("old@example.com");
  await admin.invite("old@example.com", "viewer");
  await admin.invite(EMAIL, "admin");
  await world.sql`update auth.users set email = ${EMAIL} where id = ${userId}`;
  const mine = (await admin.list()).filter(({ email }) => email === EMAIL);
  assert.deepEqual(mine.map(({ role, state }) => [role, state]), [["viewer", "active"]]);
});

Deno.test("who joins by an invitation is in the audit log, under their own name", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  await admin.invite(EMAIL, "member");
  const userId = await world.createUser(EMAIL);
  await admin.invite("second@example.com");
  await world.sql`update auth.users set email = 'second@example.com' where id = ${userId}`;
  const { body } = await world.send({
    path: "/audit-log?action=member.join",
    token: await world.signInAs("admin"),
    workspaceId: world.workspaceId,
  });
  // Once: an invitation of somebody who is in already changes nothing.
  assert.equal(body.data.length, 1);
  const { actor, entity_id, details } = body.data[0];
  assert.deepEqual(actor, { kind: "user", id: userId, name: EMAIL });
  assert.deepEqual([entity_id, details], [userId, { role: "member" }]);
});

Deno.test("addresses are one whatever their case", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  const userId = await world.createUser("Linus@Example.com");
  assert.equal((await admin.invite("LINUS@example.COM")).body.id, userId);
  await admin.invite("ADA@example.com");
  assert.deepEqual(await workspacesOf(world, await world.createUser("Ada@Example.COM")), [
    "joined viewer",
  ]);
});

Deno.test("inviting twice is a conflict that says why, and changes nothing", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  await world.createUser("in@example.com");
  for (const [email, state] of [["in@example.com", "a member"], [EMAIL, "invited"]] as const) {
    await admin.invite(email, "viewer");
    const { status, body } = await admin.invite(email, "admin");
    assert.deepEqual([status, body.code], [409, "conflict"]);
    assert.equal(body.error, `Cannot invite "${email}": already ${state}`);
  }
  const roles = (await admin.list()).filter(({ email }) => /^(in|ada)@/.test(email));
  assert.deepEqual(roles.map(({ role }) => role), ["viewer", "viewer"]);
});

Deno.test("an ended invitation is replaced when its address, with an account by now, is invited", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  await admin.invite(EMAIL);
  await world.sql`update public.invitations set expires_at = now()`;
  const userId = await world.createUser(EMAIL);
  assert.deepEqual(await workspacesOf(world, userId), ["own owner"]);
  assert.equal((await admin.invite(EMAIL, "member")).body.state, "active");
  const theirs = (await admin.list()).filter(({ email }) => email === EMAIL);
  assert.deepEqual(theirs.map(({ role, state }) => [role, state]), [["member", "active"]]);
});

Deno.test("who is invited in the very moment of signing up is missed by neither", async (t) => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  const confirm = (email: string) => async (sql: ApiWorld["sql"]) => {
    const userId = await insertAccount(sql, email);
    await confirmAccount(sql, userId);
    return userId;
  };
  await t.step("the invitation waits for the account", async () => {
    const [userId, invited] = await interleave(
      world.sql,
      confirm(EMAIL),
      () => admin.invite(EMAIL),
    );
    assert.equal(invited.body.state, "active");
    assert.deepEqual(await workspacesOf(world, userId), ["joined viewer", "own owner"]);
  });
  await t.step("the account waits for the invitation", async () => {
    const email = "grace@example.com";
    const invite = async (sql: ApiWorld["sql"]) => {
      await sql`select pg_advisory_xact_lock(private.address_lock(${email}))`;
      await sql`
        insert into public.invitations (workspace_id, email, role)
        values (${world.workspaceId}, ${email}, 'viewer')`;
    };
    const [, userId] = await interleave(world.sql, invite, confirm(email));
    assert.deepEqual(await workspacesOf(world, userId), ["joined viewer"]);
  });
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
      { method: "POST", path: "/workspaces", body },
    ]
  ) {
    const answer = await world.send({ ...request, token });
    assert.deepEqual([answer.status, answer.body.code], [401, "unauthorized"]);
    assert.equal(answer.headers.get("www-authenticate"), "Bearer");
  }
});
