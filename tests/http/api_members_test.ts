import assert from "node:assert/strict";
import { type ApiWorld, createApiWorld } from "../support/api_world.ts";

/** Calls the api as one user about one workspace. */
function actAs(world: ApiWorld, token: string, workspaceId = world.workspaceId) {
  return (method: string, path: string, body?: unknown) =>
    world.send({ method, path, token, workspaceId, body });
}

async function listWorkspaces(world: ApiWorld, userId: string) {
  const token = await world.sessions.sign(userId);
  const { body } = await world.send({ path: "/workspaces", token });
  return body.data.map(({ id, role }: { id: string; role: string }) => ({ id, role }));
}

Deno.test("signing up makes a first workspace, which the user owns", async () => {
  await using world = await createApiWorld();
  const userId = await world.createUser("Grace@example.com");
  const token = await world.sessions.sign(userId);
  const { body } = await world.send({ path: "/workspaces", token });
  assert.equal(body.data.length, 1);
  assert.deepEqual([body.data[0].name, body.data[0].role], ["Grace's workspace", "owner"]);
  // With one workspace there is nothing to name.
  assert.equal((await world.send({ path: "/customers", token })).status, 200);
});

Deno.test("a user without an address, as of an anonymous sign-in, gets no workspace", async () => {
  await using world = await createApiWorld();
  const userId = crypto.randomUUID();
  await world.sql`insert into auth.users (id) values (${userId})`;
  assert.deepEqual(await listWorkspaces(world, userId), []);
  const token = await world.sessions.sign(userId);
  const answer = await world.send({ path: "/customers", token });
  assert.equal(answer.status, 404);
  assert.notEqual(answer.headers.get("ratelimit-limit"), null);
});

Deno.test("whoever was invited joins those workspaces on signing up, and gets none of their own", async () => {
  await using world = await createApiWorld();
  const admin = actAs(world, await world.signInAs("admin"));
  const invited = await admin("POST", "/members", { email: "Ada@Example.com", role: "viewer" });
  assert.equal(invited.status, 201);
  assert.deepEqual([invited.body.state, invited.body.email], ["invited", "ada@example.com"]);
  const again = await admin("POST", "/members", { email: "ada@example.com", role: "admin" });
  assert.equal(again.status, 409);
  await admin("PATCH", `/members/${invited.body.id}`, { role: "member" });

  const userId = await world.createUser("ada@example.com");
  assert.deepEqual(await listWorkspaces(world, userId), [
    { id: world.workspaceId, role: "member" },
  ]);
  const members = await admin("GET", "/members");
  assert.deepEqual(
    members.body.data.map((
      { state, email }: { state: string; email: string },
    ) => [state, email])[0],
    ["active", "ada@example.com"],
  );
});

Deno.test("an invitation that was withdrawn or has ended invites nobody", async () => {
  await using world = await createApiWorld();
  const admin = actAs(world, await world.signInAs("admin"));
  const withdrawn = await admin("POST", "/members", { email: "a@example.com", role: "viewer" });
  assert.equal((await admin("DELETE", `/members/${withdrawn.body.id}`)).status, 204);
  const ended = await admin("POST", "/members", { email: "b@example.com", role: "viewer" });
  await world.sql`
    update public.invitations set expires_at = now() where id = ${ended.body.id}`;
  for (const email of ["a@example.com", "b@example.com"]) {
    const [first, ...others] = await listWorkspaces(world, await world.createUser(email));
    assert.notEqual(first.id, world.workspaceId);
    assert.equal(others.length, 0);
  }
  const renewed = await admin("POST", "/members", { email: "c@example.com", role: "viewer" });
  await world.sql`update public.invitations set expires_at = now() where id = ${renewed.body.id}`;
  const again = await admin("POST", "/members", { email: "c@example.com", role: "viewer" });
  assert.equal(again.status, 201);
});

Deno.test("somebody with an account is a member at once", async () => {
  await using world = await createApiWorld();
  const userId = await world.createUser("linus@example.com");
  const admin = actAs(world, await world.signInAs("admin"));
  const added = await admin("POST", "/members", { email: "linus@example.com", role: "viewer" });
  assert.deepEqual([added.status, added.body.state, added.body.id], [201, "active", userId]);
  const again = await admin("POST", "/members", { email: "linus@example.com", role: "viewer" });
  assert.equal(again.status, 409);
  const workspaces = await listWorkspaces(world, userId);
  assert.equal(workspaces.length, 2);
  const token = await world.sessions.sign(userId);
  const unnamed = await world.send({ path: "/customers", token });
  assert.equal(unnamed.status, 400);
  assert.equal(unnamed.body.details[0].field, "X-Workspace-Id");
});

Deno.test("only owners make, unmake and remove owners", async () => {
  await using world = await createApiWorld();
  const admin = actAs(world, await world.signInAs("admin"));
  const owner = actAs(world, await world.signInAs("owner"));
  const userId = await world.createUser();
  await owner("POST", "/members", { email: await emailOf(world, userId), role: "member" });
  const path = `/members/${userId}`;

  const refusals = [
    await admin("POST", "/members", { email: "x@example.com", role: "owner" }),
    await admin("PATCH", path, { role: "owner" }),
  ];
  assert.equal((await owner("PATCH", path, { role: "owner" })).status, 200);
  refusals.push(await admin("PATCH", path, { role: "viewer" }), await admin("DELETE", path));
  for (const { status, body } of refusals) {
    assert.deepEqual([status, body.code], [403, "insufficient_role"]);
  }
  assert.equal((await owner("PATCH", path, { role: "viewer" })).status, 200);
  assert.equal((await admin("DELETE", path)).status, 204);
});

Deno.test("the last owner can neither leave nor step down, whoever races", async () => {
  await using world = await createApiWorld();
  const ids = [await world.createUser(), await world.createUser()];
  await world.sql`
    insert into public.workspace_members (workspace_id, user_id, role)
    select ${world.workspaceId}, u.id, 'owner'
    from auth.users as u where u.id = any (array[${ids[0]!}::uuid, ${ids[1]!}::uuid])`;
  const callers = await Promise.all(ids.map(async (id) => ({
    id,
    act: actAs(world, await world.sessions.sign(id)),
  })));
  const left = await Promise.all(callers.map(({ id, act }) => act("DELETE", `/members/${id}`)));
  assert.deepEqual(left.map(({ status }) => status).toSorted(), [204, 409]);
  const last = callers[left.findIndex(({ status }) => status === 409)]!;
  const stepped = await last.act("PATCH", `/members/${last.id}`, { role: "admin" });
  assert.deepEqual([stepped.status, stepped.body.code], [409, "conflict"]);
});

Deno.test("everybody may leave, and nobody but admins may remove others", async () => {
  await using world = await createApiWorld();
  const [viewerId, otherId] = [await world.createUser(), await world.createUser()];
  for (const id of [viewerId, otherId]) {
    await world.sql`
      insert into public.workspace_members (workspace_id, user_id, role)
      values (${world.workspaceId}, ${id}, 'viewer')`;
  }
  const viewer = actAs(world, await world.sessions.sign(viewerId));
  assert.equal((await viewer("DELETE", `/members/${otherId}`)).status, 403);
  assert.equal((await viewer("DELETE", `/members/${viewerId.toUpperCase()}`)).status, 204);
  assert.equal((await viewer("GET", "/customers")).status, 404);
});

Deno.test("the last owner's account can be deleted where Auth says so", async () => {
  await using world = await createApiWorld();
  const userId = await world.createUser();
  await world.sql`delete from auth.users where id = ${userId}`;
  const rows = await world.sql`select from public.workspace_members where user_id = ${userId}`;
  assert.equal(rows.length, 0);
});

async function emailOf({ sql }: ApiWorld, userId: string): Promise<string> {
  const [row] = await sql<{ email: string }[]>`select email from auth.users where id = ${userId}`;
  return row!.email;
}
