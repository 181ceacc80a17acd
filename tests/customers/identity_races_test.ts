import assert from "node:assert/strict";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import {
  assertAllOk,
  assertIntact,
  type Call,
  createWorld,
  type World,
} from "../../testing/data/identities.ts";

const rounds = 25;

/** Runs the race many times, each in a workspace of its own, for the interleavings differ. */
async function repeat(round: (world: World) => Promise<void>): Promise<void> {
  await using db = await createTestDatabase();
  for (let i = 0; i < rounds; i++) await round(await createWorld(db));
}

function count(world: World, table: "customers" | "identities"): Promise<number> {
  return world.sql<{ n: number }[]>`
    select count(*)::int as n from ${world.sql(table)}
    where workspace_id = ${world.workspaceId}`.then(([row]) => row!.n);
}

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

Deno.test("ingest: parallel identifies of one new id end at one customer with every anon id", async () => {
  await repeat(async (world) => {
    const results = await world.race(
      ...range(8).map((i): Call => ({ kind: "identify", external_id: "U", anon_id: `A${i}` })),
    );
    assertAllOk(results);
    assert.equal(await count(world, "customers"), 1);
    assert.equal(await count(world, "identities"), 9);
    await assertIntact(world, 8);
  });
});

Deno.test("ingest: parallel identifies merge anonymous customers with history into one", async () => {
  await repeat(async (world) => {
    await world.race(
      ...range(8).map((i): Call => ({ kind: "event", name: "viewed", anon_id: `A${i}` })),
    );
    const results = await world.race(
      ...range(8).map((i): Call => ({ kind: "identify", external_id: "U", anon_id: `A${i}` })),
    );
    assertAllOk(results);
    assert.equal(await count(world, "customers"), 1);
    await assertIntact(world, 16);
  });
});

Deno.test("ingest: exactly one of two users who claim an anon id concurrently gets it", async () => {
  await repeat(async (world) => {
    await world.call({ kind: "event", name: "viewed", anon_id: "A" });
    const results = await world.race(
      { kind: "identify", external_id: "U1", anon_id: "A" },
      { kind: "identify", external_id: "U2", anon_id: "A" },
    );
    assertAllOk(results);
    const refused = results.filter((result) => result.ok && result.merged === false);
    assert.equal(refused.length, 1);
    assert.equal(
      refused[0]!.ok && refused[0]!.reason,
      "anon_id_belongs_to_another_customer",
    );
    const [owner, one, two] = [
      await world.resolve({ anon_id: "A" }),
      await world.resolve({ external_id: "U1" }),
      await world.resolve({ external_id: "U2" }),
    ];
    assert.notEqual(one, two);
    assert([one, two].includes(owner));
    await assertIntact(world, 6);
  });
});

Deno.test("ingest: concurrent merges of A into B and B into A end at one customer", async () => {
  await repeat(async (world) => {
    await world.race(
      { kind: "event", name: "viewed", external_id: "A" },
      { kind: "event", name: "viewed", external_id: "B" },
    );
    const results = await world.race(
      { kind: "alias", external_id: "A", previous_id: "B" },
      { kind: "alias", external_id: "B", previous_id: "A" },
    );
    assertAllOk(results);
    assert.equal(
      await world.resolve({ external_id: "A" }),
      await world.resolve({ external_id: "B" }),
    );
    assert.equal(await count(world, "customers"), 1);
    await assertIntact(world, 6);
  });
});

Deno.test("ingest: a chain and a cycle merged in parallel end at one customer", async () => {
  await repeat(async (world) => {
    const ids = range(6).map((i) => `C${i}`);
    await world.race(
      ...ids.map((external_id): Call => ({ kind: "event", name: "viewed", external_id })),
    );
    const results = await world.race(
      ...ids.map((id, i): Call => ({
        kind: "alias",
        external_id: ids[(i + 1) % ids.length]!,
        previous_id: id,
      })),
    );
    assertAllOk(results);
    assert.equal(await count(world, "customers"), 1);
    await assertIntact(world, 12);
  });
});

Deno.test("ingest: a first event on a new id from 16 connections makes one customer", async () => {
  await repeat(async (world) => {
    const results = await world.race(
      ...range(16).map((): Call => ({ kind: "event", name: "viewed", external_id: "new" })),
    );
    assertAllOk(results);
    assert.equal(new Set(results.map((result) => result.ok && result.customer_id)).size, 1);
    assert.equal(await count(world, "customers"), 1);
    await assertIntact(world, 16);
  });
});

Deno.test("ingest: events streaming in while a merge commits all reach the survivor", async () => {
  await repeat(async (world) => {
    await world.call({ kind: "event", name: "viewed", anon_id: "A" });
    const results = await world.race(
      ...range(6).map((): Call => ({ kind: "event", name: "viewed", anon_id: "A" })),
      { kind: "identify", external_id: "U", anon_id: "A" },
      ...range(6).map((): Call => ({ kind: "event", name: "viewed", anon_id: "A" })),
    );
    assertAllOk(results);
    const survivor = await world.resolve({ external_id: "U" });
    const [timeline] = await world.sql<{ n: number }[]>`
      select count(*)::int as n
      from public.events as e
      join public.identities as i on i.workspace_id = e.workspace_id and i.id = e.identity_id
      where e.workspace_id = ${world.workspaceId} and i.customer_id = ${survivor}`;
    assert.equal(timeline!.n, 15);
    await assertIntact(world, 15);
  });
});

Deno.test("ingest: a profile update racing a merge is never lost", async () => {
  await repeat(async (world) => {
    await world.call({ kind: "event", name: "viewed", anon_id: "A" });
    const results = await world.race(
      { kind: "identify", anon_id: "A", profile: { first_name: "Ada" }, attributes: { a: 1 } },
      { kind: "identify", external_id: "U", anon_id: "A", profile: { email: "u@example.com" } },
      { kind: "identify", external_id: "U", profile: { country: "GB" }, attributes: { u: 1 } },
    );
    assertAllOk(results);
    const profiles = await world.sql`
      select first_name, email, country, attributes
      from public.customers where workspace_id = ${world.workspaceId}`;
    assert.deepEqual(profiles.map((profile) => ({ ...profile })), [{
      first_name: "Ada",
      email: "u@example.com",
      country: "GB",
      attributes: { a: 1, u: 1 },
    }]);
    await assertIntact(world, 4);
  });
});

Deno.test("ingest: one idempotency key from 50 connections stores one event with one result", async () => {
  await using db = await createTestDatabase();
  const world = await createWorld(db);
  const results = await world.race(
    ...range(50).map((): Call => ({
      kind: "event",
      name: "order_created",
      external_id: "U",
      idempotency_key: "order-1",
    })),
  );
  assertAllOk(results);
  assert.equal(new Set(results.map((a) => a.ok && `${a.event_id} ${a.customer_id}`)).size, 1);
  assert.equal(results.filter((result) => result.ok && !result.duplicate).length, 1);
  await assertIntact(world, 1);
});
