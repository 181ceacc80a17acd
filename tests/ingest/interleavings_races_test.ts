import assert from "node:assert/strict";
import { registerDeviceToken } from "../../supabase/functions/track/device_tokens.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/postgres/database.ts";
import { type Call, createWorld, type World } from "../../testing/data/identities.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { lockIsAwaited } from "../../testing/postgres/locks.ts";

const firstIdentify: Call = { kind: "identify", external_id: "U", anon_id: "A" };

/** Runs `steps` while a transaction that made `call` stays open; it commits or rolls back after. */
async function during(
  { db, world, call, end }: {
    db: TestDatabase;
    world: World;
    call: Call;
    end: "commit" | "rollback";
  },
  steps: (finish: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const connection = await db.sql.reserve();
  try {
    await connection`begin`;
    await ingestEntries(connection, [{ ...call, workspace_id: world.workspaceId }]);
    await steps(async () => void await connection.unsafe(end));
  } finally {
    connection.release();
  }
}

Deno.test("ingest: an event does not wait for a merge of its customer, and follows it", async () => {
  await using db = await createTestDatabase();
  const world = await createWorld(db);
  const before = await world.call({ kind: "event", name: "viewed", anon_id: "A" });
  await during({ db, world, call: firstIdentify, end: "commit" }, async (finish) => {
    const response = await world.call({ kind: "event", name: "viewed", anon_id: "A" });
    assert(response.ok && before.ok);
    assert.equal(response.customer_id, before.customer_id);
    await finish();
  });
  const survivor = await world.resolve({ external_id: "U" });
  assert.equal(await world.resolve({ anon_id: "A" }), survivor);
  const [row] = await world.sql<{ n: number }[]>`
    select count(*)::int as n
    from public.events as e
    join public.identities as i on i.workspace_id = e.workspace_id and i.id = e.identity_id
    where i.workspace_id = ${world.workspaceId} and i.customer_id = ${survivor}`;
  assert.equal(row!.n, 5);
});

for (const end of ["commit", "rollback"] as const) {
  Deno.test(`ingest: events wait for a call that creates one of their ids until its ${end}`, async () => {
    await using db = await createTestDatabase();
    const world = await createWorld(db);
    const before = await readTotals(world);
    const event = (external_id: string): Call => ({ kind: "event", name: "viewed", external_id });
    await during({ db, world, call: event("b"), end }, async (finish) => {
      const stored = ingestEntries(
        db.sql,
        ["a", "b", "c", "b"].map((id) => ({ ...event(id), workspace_id: world.workspaceId })),
      );
      await lockIsAwaited(db.sql);
      await finish();
      const customers = (await stored).map((result) => result.ok && result.customer_id);
      const more = end === "commit" ? 5 : 4;
      assert.deepEqual(await readTotals(world), {
        customers: before.customers + 3,
        counted: before.counted + 3,
        identities: before.identities + 3,
        events: before.events + more,
      });
      const expected = ["a", "b", "c", "b"].map((id) => world.resolve({ external_id: id }));
      assert.deepEqual(customers, await Promise.all(expected));
    });
  });
}

async function readTotals({ sql, workspaceId }: World) {
  const [totals] = await sql<[Record<"customers" | "counted" | "identities" | "events", number>]>`
    select
      (select count(*)::int from public.customers as c where c.workspace_id = ${workspaceId})
        as customers,
      (select coalesce(sum(d.customers), 0)::int from private.usage_deltas as d
        where d.workspace_id = ${workspaceId}) as counted,
      (select count(*)::int from public.identities as i where i.workspace_id = ${workspaceId})
        as identities,
      (select count(*)::int from public.events as e where e.workspace_id = ${workspaceId})
        as events`;
  return totals;
}

Deno.test("ingest: an alias restarts if its customer was just created and is getting an id", async () => {
  await using db = await createTestDatabase();
  const world = await createWorld(db);
  const event = (external_id: string): Call => ({ kind: "event", name: "viewed", external_id });
  const alias: Call = { kind: "alias", external_id: "a", previous_id: "b" };
  await world.call({ kind: "identify", external_id: "a" });
  await during({ db, world, call: event("z"), end: "rollback" }, async (rollback) => {
    // It has locked whom it knows, which is not b, and waits for z.
    const merged = ingestEntries(
      db.sql,
      [alias, event("z")].map((call) => ({ ...call, workspace_id: world.workspaceId })),
    );
    await lockIsAwaited(db.sql);
    await world.call(event("b"));
    const call: Call = { kind: "identify", external_id: "b", anon_id: "x" };
    await during({ db, world, call, end: "commit" }, async (commit) => {
      await rollback();
      await lockIsAwaited(db.sql);
      await commit();
    });
    const results = await merged;
    assert.deepEqual(results.map(({ ok }) => ok), [true, true]);
  });
  const survivor = await world.resolve({ external_id: "a" });
  assert.equal(await world.resolve({ external_id: "b" }), survivor);
  assert.equal(await world.resolve({ anon_id: "x" }), survivor);
});

Deno.test("ingest: an identify waits for a running merge and restarts when it commits", async () => {
  await using db = await createTestDatabase();
  const world = await createWorld(db);
  await world.call({ kind: "event", name: "viewed", anon_id: "A" });
  await during({ db, world, call: firstIdentify, end: "commit" }, async (finish) => {
    const entry: Call = { kind: "identify", anon_id: "A", profile: { first_name: "Ada" } };
    const entries = JSON.stringify([{ ...entry, workspace_id: world.workspaceId }]);
    const once = assert.rejects(async () => await db.sql`select private.ingest(${entries})`, {
      code: "40001",
    });
    await lockIsAwaited(db.sql);
    const again = world.call(entry);
    await finish();
    await once;
    assert((await again).ok);
  });
  const names = await world.sql`
    select first_name from public.customers where workspace_id = ${world.workspaceId}`;
  assert.deepEqual(names.map((row) => row.first_name), ["Ada"]);
});

Deno.test("ingest: an identify continues normally after waiting for a merge that rolled back", async () => {
  await using db = await createTestDatabase();
  const world = await createWorld(db);
  const before = await world.call({ kind: "event", name: "viewed", anon_id: "A" });
  await during({ db, world, call: firstIdentify, end: "rollback" }, async (finish) => {
    const second = world.call({ kind: "identify", external_id: "V", anon_id: "A" });
    await lockIsAwaited(db.sql);
    await finish();
    const response = await second;
    assert(response.ok && before.ok);
    assert.equal(response.merged, undefined);
  });
  assert.equal(await world.resolve({ anon_id: "A" }), await world.resolve({ external_id: "V" }));
});

Deno.test("ingest: a key claimed by a transaction that rolls back is free for the next call", async () => {
  await using db = await createTestDatabase();
  const world = await createWorld(db);
  const call: Call = { kind: "event", name: "order", external_id: "U", idempotency_key: "k" };
  await during({ db, world, call, end: "rollback" }, async (finish) => {
    const second = world.call(call);
    await lockIsAwaited(db.sql);
    await finish();
    const response = await second;
    assert(response.ok);
    assert.equal(response.duplicate, undefined);
  });
});

Deno.test("registering a device waits for a merge of its customer and attaches it to the survivor", async () => {
  await using db = await createTestDatabase();
  const world = await createWorld(db);
  const { workspaceId } = world;
  await world.call({ kind: "event", name: "viewed", anon_id: "A" });
  const device = { workspaceId, externalId: undefined, anonId: "A" };
  await during({ db, world, call: firstIdentify, end: "commit" }, async (finish) => {
    const registering = registerDeviceToken(db.sql, { ...device, token: "t", platform: "ios" });
    await lockIsAwaited(db.sql);
    await finish();
    assert.equal(await registering, await world.resolve({ external_id: "U" }));
  });
  const tokens = await db.sql`select customer_id from public.device_tokens`;
  assert.deepEqual([...tokens], [{ customer_id: await world.resolve({ external_id: "U" }) }]);
});

Deno.test("ingest: nothing is stored in a workspace while an erasure holds its lock", async () => {
  await using db = await createTestDatabase();
  const world = await createWorld(db);
  const eraser = await db.sql.reserve();
  await eraser`begin`;
  await eraser`select pg_advisory_xact_lock(private.workspace_lock(${world.workspaceId}))`;
  const stored = world.call({ kind: "event", name: "viewed", external_id: "U" });
  await lockIsAwaited(db.sql);
  await eraser`commit`;
  eraser.release();
  assert((await stored).ok);
});
