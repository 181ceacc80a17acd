import assert from "node:assert/strict";
import { createTrackWorld, type TrackWorld } from "../../testing/service/app.ts";
import { createApiKey, createWorkspace } from "../../testing/data/factories.ts";

const path = "/track/devices";
const device = { external_id: "user-1", token: "token-1", platform: "ios" };

function register(world: Pick<TrackWorld, "send">, body: unknown) {
  return world.send(body, { path });
}

async function findTokens(world: TrackWorld) {
  const rows = await world.db.sql`
    select token, platform, customer_id from public.device_tokens
    where workspace_id = ${world.workspaceId} order by token
  `;
  return [...rows];
}

Deno.test("registering a device creates the customer as an event would", async () => {
  await using world = await createTrackWorld();
  const ids = [{ external_id: "user-1" }, { anon_id: "anon-1" }];
  for (const [i, id] of ids.entries()) {
    const response = await register(world, { ...id, token: `token-${i}`, platform: "android" });
    assert.equal(response.status, 200);
    const event = await world.send({ ...id, name: "viewed" });
    assert.deepEqual(response.body, { ok: true, customer_id: event.body.customer_id });
  }
  assert.equal((await findTokens(world)).length, 2);
});

Deno.test("registering a token again refreshes it, and for another customer moves it", async () => {
  await using world = await createTrackWorld();
  await register(world, device);
  await register(world, { ...device, platform: "web" });
  const moved = await register(world, { ...device, external_id: "user-2" });
  assert.deepEqual(await findTokens(world), [
    { token: "token-1", platform: "ios", customer_id: moved.body.customer_id },
  ]);
});

Deno.test("a device registered on an anonymous id moves to the identified customer", async () => {
  await using world = await createTrackWorld();
  await register(world, { anon_id: "anon-1", token: "token-1", platform: "ios" });
  await world.send({ external_id: "user-1", name: "viewed" });
  const { body } = await world.send({ type: "identify", external_id: "user-1", anon_id: "anon-1" });
  const [token] = await findTokens(world);
  assert.equal(token?.customer_id, body.customer_id);
});

Deno.test("a device registered while its customer is merged ends at the survivor", async () => {
  for (let round = 0; round < 10; round++) {
    await using world = await createTrackWorld();
    const other = world.startInstance();
    await world.send({ external_id: "user-1", name: "viewed" });
    await world.send({ anon_id: "anon-1", name: "viewed" });
    const responses = await Promise.all([
      ...[1, 2, 3].map((i) => {
        return register(other, { anon_id: "anon-1", token: `token-${i}`, platform: "ios" });
      }),
      world.send({ type: "identify", external_id: "user-1", anon_id: "anon-1" }),
    ]);
    for (const { status, body } of responses) assert.equal(status, 200, JSON.stringify(body));
    const survivor = (await world.send({ anon_id: "anon-1", name: "viewed" })).body.customer_id;
    const tokens = await findTokens(world);
    assert.deepEqual(tokens.map(({ customer_id }) => customer_id), Array(3).fill(survivor));
  }
});

Deno.test("removing a token reports whether it existed", async () => {
  await using world = await createTrackWorld();
  await register(world, device);
  const remove = () => world.send({ token: "token-1" }, { path, method: "DELETE" });
  assert.deepEqual((await remove()).body, { ok: true, removed: true });
  assert.deepEqual((await remove()).body, { ok: true, removed: false });
  assert.deepEqual(await findTokens(world), []);
});

Deno.test("a token of one workspace is neither moved nor removed by another", async () => {
  await using world = await createTrackWorld();
  const workspaceId = await createWorkspace(world.db.sql);
  const stranger = world.startInstance({ key: await createApiKey(world.db.sql, { workspaceId }) });
  const before = (await register(world, device), await findTokens(world));
  await register(stranger, device);
  const removal = await stranger.send({ token: "token-1" }, { path, method: "DELETE" });
  assert.equal(removal.body.removed, true);
  const again = await stranger.send({ token: "token-1" }, { path, method: "DELETE" });
  assert.equal(again.body.removed, false);
  assert.deepEqual(await findTokens(world), before);
});

Deno.test("each field of a device is accepted at its limits and refused just beyond", async () => {
  await using world = await createTrackWorld();
  const good = [
    ...["t", "t".repeat(2047), "t".repeat(2048), "!~:/?#"].map((token) => ({ token })),
    ...["ios", "android", "web"].map((platform) => ({ platform })),
    { external_id: "i".repeat(255) },
    { anon_id: "anon-1" },
  ];
  for (const fields of good) {
    assert.equal((await register(world, { ...device, ...fields })).status, 200);
  }
  const bad: [string, unknown[]][] = [
    ["token", ["", "t".repeat(2049), "a b", "ü", "a\n", "a\0", null, 1, {}, undefined]],
    ["platform", ["", "iOS", "windows", null, 1, undefined]],
    ["external_id", ["", "i".repeat(256), "undefined", null, 1]],
    ["anon_id", ["", "null", 1]],
    ["typo", ["x"]],
  ];
  for (const [field, values] of bad) {
    for (const value of values) {
      const { status, body } = await register(world, { ...device, [field]: value });
      const told = `${field} ${JSON.stringify(value)}: ${JSON.stringify(body)}`;
      assert.equal(status, 400, told);
      assert(body.details.some((detail: { field: string }) => detail.field === field), told);
    }
  }
  const { external_id: _, ...nobody } = device;
  assert.equal((await register(world, nobody)).status, 400);
  for (const body of [{}, { token: "" }, { token: "a b" }, { token: "t", platform: "ios" }, []]) {
    assert.equal((await world.send(body, { path, method: "DELETE" })).status, 400);
  }
});
