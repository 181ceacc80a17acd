import assert from "node:assert/strict";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";

const refusal = 'Cannot create workspace: the plan "free" allows 3 workspaces created by one user';

/** A user who signed up, and so has a first workspace; calls are made as them. */
async function signUp(world: ApiWorld) {
  const userId = await world.createUser();
  const token = await world.sessions.sign(userId);
  const create = () =>
    world.send({ method: "POST", path: "/workspaces", token, body: { name: "Mine" } });
  return { userId, token, create };
}

/** Creates workspaces until there are three with the one from signing up. */
async function createAll({ create }: { create: () => ReturnType<ApiWorld["send"]> }) {
  const ids: string[] = [];
  for (let i = 0; i < 2; i++) {
    const { status, body } = await create();
    assert.equal(status, 201, JSON.stringify(body));
    ids.push(body.id);
  }
  return ids;
}

Deno.test("a user creates three free workspaces, the first one included, and no fourth", async () => {
  await using world = await createApiWorld();
  const user = await signUp(world);
  await createAll(user);
  const { status, body } = await user.create();
  assert.deepEqual([status, body.code, body.error], [409, "limit_reached", refusal]);
  const { body: list } = await world.send({ path: "/workspaces", token: user.token });
  assert.equal(list.data.length, 3);
});

Deno.test("twenty concurrent creations with room for one create one workspace", async () => {
  await using world = await createApiWorld();
  const user = await signUp(world);
  assert.equal((await user.create()).status, 201);
  const responses = await Promise.all(Array.from({ length: 20 }, () => user.create()));
  assert.equal(responses.filter(({ status }) => status === 201).length, 1);
  assert.equal(responses.filter(({ body }) => body.code === "limit_reached").length, 19);
});

Deno.test("other users' workspaces do not count, and deleting your own makes room", async () => {
  await using world = await createApiWorld();
  const user = await signUp(world);
  for (let i = 0; i < 5; i++) {
    await world.sql`
      insert into public.workspace_members (workspace_id, user_id, role)
      values (${await world.createWorkspace()}, ${user.userId}, 'owner')`;
  }
  const [id] = await createAll(user);
  assert.equal((await user.create()).status, 409);
  const gone = await world.send({ method: "DELETE", path: `/workspaces/${id}`, token: user.token });
  assert.equal(gone.status, 204);
  assert.equal((await user.create()).status, 201);
});

Deno.test("a workspace on a paid plan does not count as a free one", async () => {
  await using world = await createApiWorld();
  const user = await signUp(world);
  const [id] = await createAll(user);
  await world.sql`update public.workspaces set plan_id = 'pro' where id = ${id!}`;
  assert.equal((await user.create()).status, 201);
  assert.equal((await user.create()).status, 409);
});

Deno.test("transferring workspaces makes no room for more", async () => {
  await using world = await createApiWorld();
  const user = await signUp(world);
  const ids = await createAll(user);
  for (const id of ids) {
    await world.signInAs("owner", id);
    const path = `/members/${user.userId}`;
    const left = await world.send({ method: "DELETE", path, token: user.token, workspaceId: id });
    assert.equal(left.status, 204, JSON.stringify(left.body));
  }
  const { status, body } = await user.create();
  assert.deepEqual([status, body.error], [409, refusal]);
});
