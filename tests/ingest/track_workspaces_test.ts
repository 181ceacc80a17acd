import assert from "node:assert/strict";
import { createTrackWorld, type TrackInstance } from "../../testing/service/app.ts";
import { createApiKey, createWorkspace } from "../../testing/data/factories.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";

/** One instance that two workspaces share, so that their entries go in the same batches. */
async function createNeighbours() {
  const world = await createTrackWorld();
  const otherId = await createWorkspace(world.db.sql);
  const otherKey = await createApiKey(world.db.sql, { workspaceId: otherId });
  const other: TrackInstance = {
    ...world,
    send: (body, options = {}) => {
      const headers = { authorization: `Bearer ${otherKey}`, ...options.headers };
      return world.send(body, { ...options, headers });
    },
  };
  return {
    world,
    other,
    otherId,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** Every kind of call, with the same ids and keys in each workspace. */
async function sendAll({ send }: TrackInstance, name: string): Promise<void> {
  const calls = [
    { external_id: "user-1", name: "viewed", idempotency_key: "key-1" },
    { anon_id: "anon-1", name: "viewed" },
    { external_id: "user-2", name: "viewed" },
    { type: "identify", external_id: "user-1", anon_id: "anon-1", first_name: name },
    { events: [{ type: "identify", external_id: "user-3", anon_id: "anon-3", last_name: name }] },
    { type: "alias", external_id: "user-1", previous_id: "user-2" },
  ];
  for (const call of calls) {
    const { status, body } = await send(call);
    assert.deepEqual([status, body.ok, body.duplicate], [200, true, undefined]);
  }
  const device = { external_id: "user-1", token: "token-1", platform: "ios" };
  assert.equal((await send(device, { path: "/track/devices" })).status, 200);
}

Deno.test("track separates equal ids, keys and tokens of two workspaces", async () => {
  await using neighbours = await createNeighbours();
  const { world, other, otherId } = neighbours;
  await Promise.all([sendAll(world, "Ann"), sendAll(other, "Bob")]);
  for (const [workspaceId, name] of [[world.workspaceId, "Ann"], [otherId, "Bob"]]) {
    const rows = await world.db.sql`
      select
        c.first_name, c.last_name,
        (select array_to_json(array_agg(i.value order by i.value)) from public.identities as i
          where i.workspace_id = c.workspace_id and i.customer_id = c.id) as ids,
        (select count(*)::integer from public.events as e join public.identities as i
          on i.workspace_id = e.workspace_id and i.id = e.identity_id
          where e.workspace_id = c.workspace_id and i.customer_id = c.id) as events,
        (select count(*)::integer from public.device_tokens as t
          where t.workspace_id = c.workspace_id and t.customer_id = c.id) as tokens
      from public.customers as c where c.workspace_id = ${workspaceId!}
      order by c.first_name
    `;
    assert.deepEqual([...rows], [
      {
        first_name: name,
        last_name: null,
        ids: ["anon-1", "user-1", "user-2"],
        events: 5,
        tokens: 1,
      },
      { first_name: null, last_name: name, ids: ["anon-3", "user-3"], events: 1, tokens: 0 },
    ]);
  }
});

Deno.test("track never finds ids of another workspace", async () => {
  await using neighbours = await createNeighbours();
  const { world, other } = neighbours;
  await world.send({ type: "identify", external_id: "user-1", anon_id: "anon-1" });
  await world.send({ external_id: "user-2", name: "viewed" });
  const alias = await other.send({ type: "alias", external_id: "user-1", previous_id: "user-2" });
  assert.equal(alias.status, 404);
  const claim = await other.send({ type: "identify", external_id: "user-9", anon_id: "anon-1" });
  assert.deepEqual([claim.status, claim.body.merged], [200, undefined]);
});

Deno.test("ingestEntries() keeps the workspaces of one batch apart", async () => {
  await using neighbours = await createNeighbours();
  const { world, otherId } = neighbours;
  const identify = { kind: "identify", external_id: "user-1", anon_id: "anon-1" } as const;
  await ingestEntries(world.db.sql, [
    { ...identify, workspace_id: otherId },
    { ...identify, workspace_id: world.workspaceId },
  ]);
  const rows = await world.db.sql`
    select count(*)::integer as ids from public.identities as i
    join public.customers as c on c.workspace_id = i.workspace_id and c.id = i.customer_id
    group by c.workspace_id, c.id
  `;
  assert.deepEqual([...rows], [{ ids: 2 }, { ids: 2 }]);
});

Deno.test("ingestEntries() stores events in their workspaces, however a batch mixes workspaces and kinds", async () => {
  await using neighbours = await createNeighbours();
  const { world, otherId } = neighbours;
  const own = world.workspaceId;
  const event = (workspace_id: string, name: string) => {
    return { workspace_id, kind: "event" as const, external_id: "user-1", name };
  };
  const identify = { workspace_id: own, kind: "identify", external_id: "user-2" } as const;
  // A name may look like the start of an entry.
  const start = JSON.stringify(event(otherId, "")).slice(0, -2);
  const batches = [
    [event(own, "a"), event(own, "b"), event(own, start)],
    [event(otherId, "c"), event(own, "d")],
    [event(own, "e"), event(otherId, "f"), event(own, "g")],
    [event(own, "h"), identify, event(own, "i")],
    [identify, event(otherId, "j")],
  ];
  for (const batch of batches) {
    const results = await ingestEntries(world.db.sql, batch);
    assert(results.every(({ ok }) => ok));
  }
  const rows = await world.db.sql<{ workspace_id: string; names: string[] }[]>`
    select workspace_id, json_agg(coalesce(name, kind) order by received_at, id) as names
    from public.events group by workspace_id`;
  const names = new Map(rows.map((row) => [row.workspace_id, row.names]));
  assert.deepEqual(names.get(own), [
    ...["a", "b", start, "d", "e", "g", "h", "identify", "i", "identify"],
  ]);
  assert.deepEqual(names.get(otherId), ["c", "f", "j"]);
});

Deno.test("a key with another workspace's X-Workspace-Id is 404 on every path of track, and stores nothing", async () => {
  await using neighbours = await createNeighbours();
  const { world, otherId } = neighbours;
  const event = { external_id: "user-1", name: "viewed" };
  const device = { external_id: "user-1", token: "token-1", platform: "ios" };
  const message = { type: "track", userId: "user-1", event: "viewed" };
  const calls = [
    { path: "/track", body: event },
    { path: "/track", body: { events: [event] } },
    { path: "/track/devices", body: device },
    { path: "/track/devices", body: { token: "token-1" }, method: "DELETE" },
    { path: "/track/v1/batch", body: { batch: [message] } },
    { path: "/track/v1/t", body: message },
    { path: "/track/v1/t", body: { ...message, writeKey: world.key }, authorization: undefined },
  ];
  const send = ({ path, body, method, ...own }: (typeof calls)[number], workspaceId: string) =>
    world.send(body, {
      path,
      ...(method && { method }),
      headers: { "x-workspace-id": workspaceId, ...own },
    });
  for (const call of calls) {
    for (const workspaceId of [otherId, crypto.randomUUID(), "nonsense"]) {
      const { status, body } = await send(call, workspaceId);
      assert.deepEqual([status, body.error], [404, "Workspace does not exist"], call.path);
    }
  }
  const stored = await world.db.sql`
    select from public.events union all select from public.device_tokens
    union all select from public.rejected_entries`;
  assert.equal(stored.length, 0);
  for (const call of calls) {
    assert.equal((await send(call, world.workspaceId.toUpperCase())).status, 200, call.path);
  }
});
