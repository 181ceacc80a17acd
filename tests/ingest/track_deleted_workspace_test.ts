import assert from "node:assert/strict";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";
import { startTrack } from "../../testing/service/app.ts";

const viewed = { external_id: "user-1", name: "viewed" };

/** An instance of track that believes in the key of a workspace that was deleted meanwhile. */
async function createBeliever(world: ApiWorld) {
  let now = Date.now();
  const start = async (workspaceId: string) => {
    const key = await world.createKey(["track:write"], workspaceId);
    return { key, workspaceId };
  };
  const [doomed, neighbour] = [
    await start(world.workspaceId),
    await start(await world.createWorkspace()),
  ];
  const track = startTrack({ url: world.db.url, key: doomed.key, now: () => new Date(now) });
  const sendAs = (key: string) => (body: unknown, path = "/track") =>
    track.send(body, { path, headers: { authorization: `Bearer ${key}` } });
  const send = sendAs(doomed.key);
  // The second takes tokens ahead, so that the next ones ask nobody whether the workspace exists.
  for (const _ of [1, 2]) assert.equal((await send(viewed)).status, 200);
  return {
    send,
    sendAsNeighbour: sendAs(neighbour.key),
    neighbourId: neighbour.workspaceId,
    pass: (ms: number) => now += ms,
    async deleteWorkspace() {
      const token = await world.signInAs("owner");
      const path = `/workspaces/${world.workspaceId}`;
      assert.equal((await world.send({ method: "DELETE", path, token })).status, 204);
    },
    [Symbol.asyncDispose]: () => track[Symbol.asyncDispose](),
  };
}

/** Works on what was deleted as if so much time had passed. */
async function erase({ sql }: ApiWorld, later: string): Promise<void> {
  let left = 1;
  while (left > 0) {
    const [row] = await sql<{ count: number }[]>`
      select private.work_erasures(5000, clock_timestamp() + ${later}::interval) as count`;
    left = row!.count;
  }
}

async function countEvents({ sql }: ApiWorld, workspaceId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from public.events where workspace_id = ${workspaceId}`;
  return row!.count;
}

Deno.test("entries sent with a deleted workspace's key within 10 s are erased with the rest", async () => {
  await using world = await createApiWorld();
  await using believer = await createBeliever(world);
  await believer.deleteWorkspace();
  assert.equal((await believer.send({ ...viewed, external_id: "user-2" })).status, 200);
  believer.pass(10_000);
  const { status, body } = await believer.send(viewed);
  assert.deepEqual([status, body.code], [401, "unauthorized"]);
  await erase(world, "2 minutes");
  assert.equal(await countEvents(world, world.workspaceId), 0);
});

Deno.test("an instance with a cached key of a deleted workspace returns 401", async () => {
  await using world = await createApiWorld();
  await using believer = await createBeliever(world);
  await believer.deleteWorkspace();
  await erase(world, "2 minutes");
  const device = { external_id: "user-1", token: "token-1", platform: "ios" };
  for (
    const response of [
      await believer.send(viewed),
      await believer.send({ events: [viewed, viewed] }),
      await believer.send(device, "/track/devices"),
    ]
  ) {
    assert.deepEqual([response.status, response.body.code], [401, "unauthorized"]);
    assert.equal(response.headers.get("www-authenticate"), "Bearer");
  }
  assert.equal(await countEvents(world, world.workspaceId), 0);
});

Deno.test("entries of a deleted workspace do not affect others in their batch", async () => {
  await using world = await createApiWorld();
  await using believer = await createBeliever(world);
  await believer.sendAsNeighbour(viewed);
  await believer.deleteWorkspace();
  await erase(world, "2 minutes");
  // While the first is stored, the rest gathers and goes in one call.
  const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => {
    const body = { ...viewed, external_id: `user-${index}` };
    return index % 2 === 0 ? believer.sendAsNeighbour(body) : believer.send(body);
  }));
  assert.deepEqual(
    responses.map(({ status }) => status),
    responses.map((_, i) => i % 2 ? 401 : 200),
  );
  assert.equal(await countEvents(world, believer.neighbourId), 11);
  assert.equal(await countEvents(world, world.workspaceId), 0);
});
