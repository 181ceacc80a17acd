import assert from "node:assert/strict";
import {
  createTrackWorld,
  type ServiceResponse,
  type TrackWorld,
} from "../../testing/service/app.ts";
import { lockCustomers, lockIsAwaited, lockTable } from "../../testing/postgres/locks.ts";
import { startTcpProxy } from "../../testing/postgres/tcp_proxy.ts";

const event = { external_id: "user-1", name: "viewed" };

function assertUnavailable(response: ServiceResponse): void {
  assert.equal(response.status, 503, JSON.stringify(response.body));
  assert.equal(response.body.code, "unavailable");
  assert.match(response.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
}

async function countEvents(world: TrackWorld): Promise<number> {
  const rows = await world.db.sql<{ count: number }[]>`
    select count(*)::integer as count from public.events
  `;
  return rows[0]!.count;
}

/** A world and a way to its database that can be cut. */
async function createCuttableWorld() {
  const world = await createTrackWorld();
  const url = new URL(world.db.url);
  const proxy = startTcpProxy({ hostname: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  const instance = world.startInstance({ url: url.href });
  return { world, proxy, instance };
}

Deno.test("track returns 503 with Retry-After while the database is down and stores nothing", async () => {
  const { world, proxy, instance } = await createCuttableWorld();
  await using _world = world;
  using _proxy = proxy;
  proxy.cut();
  assertUnavailable(await instance.send(event));
  proxy.open();
  assert.equal((await instance.send(event)).status, 200);
  proxy.cut();
  // The key is remembered now, so it is the entries that cannot be stored.
  for (const body of [event, { events: [event, event] }]) {
    assertUnavailable(await instance.send(body));
  }
  assert.equal(await countEvents(world), 1);
  proxy.open();
  assert.equal((await instance.send(event)).status, 200);
  assert.equal(await countEvents(world), 2);
});

Deno.test("track does not promise that nothing was stored if the connection breaks during a call", async () => {
  const { world, proxy, instance } = await createCuttableWorld();
  await using _world = world;
  using _proxy = proxy;
  assert.equal((await instance.send(event)).status, 200);
  const device = { external_id: "user-1", token: "token-1", platform: "ios" };
  const calls = [
    { table: "public.events", send: () => instance.send(event) },
    {
      table: "public.device_tokens",
      send: () => instance.send(device, { path: "/track/devices" }),
    },
    {
      table: "public.device_tokens",
      send: () => instance.send({ token: "token-1" }, { path: "/track/devices", method: "DELETE" }),
    },
  ];
  for (const { table, send } of calls) {
    await using _lock = await lockTable(world.db.sql, table);
    const pending = send();
    await lockIsAwaited(world.db.sql);
    proxy.cut();
    const response = await pending;
    assert.equal(response.status, 500);
    assert.equal(response.body.error, "Internal error");
    proxy.open();
  }
});

Deno.test("track returns 503 if the database takes too long", async () => {
  await using world = await createTrackWorld();
  await waitShortly(world);
  const instance = world.startInstance();
  assert.equal((await instance.send(event)).status, 200);
  {
    await using _lock = await lockTable(world.db.sql, "public.events");
    assertUnavailable(await instance.send(event));
  }
  assert.equal((await instance.send(event)).status, 200);
  assert.equal(await countEvents(world), 2);
});

Deno.test("an entry that waits too long for its customer is 503, and is not kept as rejected", async () => {
  await using world = await createTrackWorld();
  await waitShortly(world);
  const identify = { type: "identify", external_id: "user-1", first_name: "Ada" };
  assert.equal((await world.send(identify)).status, 200);
  const changed = { ...identify, first_name: "Grace" };
  {
    await using _lock = await lockCustomers(world.db.sql, world.workspaceId);
    let isOver = false;
    const pending = world.send(changed).finally(() => isOver = true);
    // Bulks, which do not wait for another call, are stored meanwhile.
    const events = Array.from({ length: 48 }, () => event);
    while (!isOver) assert.equal((await world.send({ events })).status, 200);
    assertUnavailable(await pending);
  }
  assert.equal((await world.send(changed)).status, 200);
  assert.deepEqual([...await world.db.sql`select from public.rejected_entries`], []);
});

/** Lets a call give up quickly where it waits for a lock. */
async function waitShortly({ db }: TrackWorld): Promise<void> {
  await db.sql`alter function private.ingest(text, uuid) set lock_timeout = '50ms'`;
}
