import assert from "node:assert/strict";
import { type Answer, createTrackWorld, type TrackWorld } from "../support/app.ts";
import { startTcpProxy } from "../support/tcp_proxy.ts";

const event = { external_id: "user-1", name: "viewed" };

function assertUnavailable(answer: Answer): void {
  assert.equal(answer.status, 503, JSON.stringify(answer.body));
  assert.equal(answer.body.code, "unavailable");
  assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
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

Deno.test("track answers 503 with Retry-After while the database is gone and stores nothing", async () => {
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

Deno.test("track does not promise that nothing was stored when the connection breaks in mid-call", async () => {
  const { world, proxy, instance } = await createCuttableWorld();
  await using _world = world;
  using _proxy = proxy;
  assert.equal((await instance.send(event)).status, 200);
  await using blocker = await world.db.sql.reserve().then((sql) => ({
    sql,
    [Symbol.asyncDispose]: async () => {
      await sql`rollback`;
      sql.release();
    },
  }));
  await blocker.sql`begin`;
  await blocker.sql`lock table public.events in access exclusive mode`;
  const pending = instance.send(event);
  await waitUntilBlocked(world);
  proxy.cut();
  const answer = await pending;
  assert.equal(answer.status, 500);
  assert.equal(answer.body.error, "internal error");
  proxy.open();
});

Deno.test("track answers 503 when the database takes too long", async () => {
  await using world = await createTrackWorld();
  await world.db.sql`alter database ${world.db.sql(databaseOf(world))} set lock_timeout = '50ms'`;
  const instance = world.startInstance();
  assert.equal((await instance.send(event)).status, 200);
  const lock = await world.db.sql.reserve();
  try {
    await lock`begin`;
    await lock`lock table public.events in access exclusive mode`;
    assertUnavailable(await instance.send(event));
  } finally {
    await lock`rollback`;
    lock.release();
  }
  assert.equal((await instance.send(event)).status, 200);
  assert.equal(await countEvents(world), 2);
});

function databaseOf(world: TrackWorld): string {
  return new URL(world.db.url).pathname.slice(1);
}

async function waitUntilBlocked(world: TrackWorld): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    const rows = await world.db.sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
    `;
    if (rows.length > 0) return;
  }
  assert.fail("the call never waited for the lock");
}
