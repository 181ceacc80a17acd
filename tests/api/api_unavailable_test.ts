import assert from "node:assert/strict";
import { createApiWorld } from "../../testing/service/api_world.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { lockIsAwaited, lockTable } from "../../testing/postgres/locks.ts";
import { startTcpProxy } from "../../testing/postgres/tcp_proxy.ts";

/** A world that reaches its database by a way that can be cut. */
async function createCuttableWorld() {
  const db = await createTestDatabase();
  const url = new URL(db.url);
  const proxy = startTcpProxy({ hostname: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  const world = await createApiWorld({ db: { ...db, url: url.href } });
  const token = await world.createKey(["destinations:read", "destinations:write"]);
  return {
    db,
    proxy,
    read: () => world.send({ path: "/destinations", token }),
    write: () =>
      world.send({
        method: "POST",
        path: "/destinations",
        token,
        body: { name: "Shop", url: "https://shop.test/hook", event_types: ["*"] },
      }),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      proxy[Symbol.dispose]();
      await db[Symbol.asyncDispose]();
    },
  };
}

Deno.test("api returns 503 while the database is down", async () => {
  await using world = await createCuttableWorld();
  world.proxy.cut();
  for (const response of [await world.read(), await world.write()]) {
    assert.deepEqual([response.status, response.body.code], [503, "unavailable"]);
  }
});

Deno.test("api returns 503 if the connection breaks before a change is committed", async () => {
  await using world = await createCuttableWorld();
  for (const call of [world.read, world.write]) {
    await using _lock = await lockTable(world.db.sql, "public.destinations");
    const pending = call();
    await lockIsAwaited(world.db.sql);
    world.proxy.cut();
    const response = await pending;
    assert.deepEqual([response.status, response.body.code], [503, "unavailable"]);
    world.proxy.open();
  }
  const [row] = await world.db.sql`select count(*)::integer as count from public.destinations`;
  assert.equal(row?.count, 0);
});
