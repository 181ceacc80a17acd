import assert from "node:assert/strict";
import fc from "fast-check";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import {
  assertAllOk,
  assertIntact,
  type Call,
  type CallResult,
  createWorld,
  type World,
} from "../../testing/data/identities.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { lockIsAwaited } from "../../testing/postgres/locks.ts";

const rounds = 25;

function identify(external_id: string): Call {
  return { kind: "identify", external_id };
}

function segmentAlias(previous_id: string, external_id: string): Call {
  return { kind: "segment_alias", external_id, previous_id };
}

function view(id: { external_id: string } | { anon_id: string }): Call {
  return { kind: "event", name: "viewed", ...id };
}

/** Runs the race many times, each in a workspace of its own, for the interleavings differ. */
async function repeat(round: (world: World) => Promise<void>): Promise<void> {
  await using db = await createTestDatabase();
  for (let i = 0; i < rounds; i++) await round(await createWorld(db));
}

function store(world: World, calls: readonly Call[]): Promise<CallResult[]> {
  const { workspaceId: workspace_id } = world;
  return ingestEntries(world.sql, calls.map((call) => ({ ...call, workspace_id })));
}

async function countCustomers({ sql, workspaceId }: World): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from public.customers where workspace_id = ${workspaceId}`;
  return row!.n;
}

/** The ids of each customer, in one order. */
async function readOwners({ sql, workspaceId }: World): Promise<string[]> {
  const rows = await sql<{ ids: string }[]>`
    select string_agg(kind || ' ' || value, ', ' order by kind, value) as ids
    from public.identities where workspace_id = ${workspaceId} group by customer_id order by 1`;
  return rows.map(({ ids }) => ids);
}

Deno.test("Segment's alias: parallel aliases of one customer to one new id add it once", async () => {
  await repeat(async (world) => {
    await world.call(identify("old"));
    const results = await world.race(
      ...Array.from({ length: 8 }, () => segmentAlias("old", "new")),
    );
    assertAllOk(results);
    assert.deepEqual(await readOwners(world), ["external new, external old"]);
    await assertIntact(world, 9);
  });
});

Deno.test("Segment's alias: a new id that is also seen for the first time leads to one customer", async () => {
  await repeat(async (world) => {
    await world.call(identify("old"));
    const results = await world.race(
      view({ external_id: "new" }),
      segmentAlias("old", "new"),
      { kind: "identify", external_id: "new", anon_id: "visitor" },
      view({ anon_id: "visitor" }),
    );
    assertAllOk(results);
    assert.deepEqual(await readOwners(world), ["anon visitor, external new, external old"]);
    assert.equal(await countCustomers(world), 1);
    await assertIntact(world, 5);
  });
});

Deno.test("Segment's alias: two customers aliased to one new id at once become one", async () => {
  await repeat(async (world) => {
    await world.race(identify("a"), identify("b"));
    assertAllOk(await world.race(segmentAlias("a", "new"), segmentAlias("b", "new")));
    assert.deepEqual(await readOwners(world), ["external a, external b, external new"]);
    await assertIntact(world, 4);
  });
});

Deno.test("Segment's alias: exactly one of two users who claim a visitor concurrently gets the visitor", async () => {
  await repeat(async (world) => {
    await world.call(view({ anon_id: "visitor" }));
    const results = await world.race(segmentAlias("visitor", "u1"), segmentAlias("visitor", "u2"));
    assertAllOk(results);
    const reasons = results.map((result) => result.ok && result.reason);
    assert.deepEqual(reasons.filter((reason) => reason !== undefined), [
      "anon_id_belongs_to_another_customer",
    ]);
    assert.equal(await countCustomers(world), 2);
    await assertIntact(world, 3);
  });
});

Deno.test("Segment's alias: batches that add the same new ids in opposite orders all succeed", async () => {
  await repeat(async (world) => {
    await world.race(identify("a"), identify("b"));
    const aliases = [segmentAlias("a", "x"), segmentAlias("b", "y")];
    const results = await Promise.all([
      store(world, aliases),
      store(world, aliases.toReversed()),
      store(world, [view({ external_id: "y" }), view({ external_id: "x" })]),
    ]);
    assertAllOk(results.flat());
    assert.deepEqual(await readOwners(world), ["external a, external x", "external b, external y"]);
    await assertIntact(world, 8);
  });
});

Deno.test("Segment's alias: one whose customer is being merged away adds the id to the survivor", async () => {
  await using db = await createTestDatabase();
  const world = await createWorld(db);
  await world.race(identify("a"), identify("b"));
  const connection = await db.sql.reserve();
  await connection`begin`;
  const merge = { kind: "alias", external_id: "b", previous_id: "a" } as const;
  await ingestEntries(connection, [{ ...merge, workspace_id: world.workspaceId }]);
  const added = world.call(segmentAlias("a", "new"));
  await lockIsAwaited(db.sql);
  await connection`commit`;
  connection.release();
  assert((await added).ok);
  assert.deepEqual(await readOwners(world), ["external a, external b, external new"]);
  await assertIntact(world, 4);
});

Deno.test("Segment's alias: one that waits for the first event on its new id merges that customer", async () => {
  await using db = await createTestDatabase();
  const world = await createWorld(db);
  await world.call(identify("old"));
  const connection = await db.sql.reserve();
  await connection`begin`;
  const first = { ...view({ external_id: "new" }), workspace_id: world.workspaceId };
  await ingestEntries(connection, [first]);
  const aliased = world.call(segmentAlias("old", "new"));
  await lockIsAwaited(db.sql);
  await connection`commit`;
  connection.release();
  assert((await aliased).ok);
  assert.deepEqual(await readOwners(world), ["external new, external old"]);
  await assertIntact(world, 3);
});

const someId = fc.constantFrom("p", "q", "r");
const someCall: fc.Arbitrary<Call> = fc.oneof(
  someId.map((external_id) => view({ external_id })),
  someId.map((anon_id) => view({ anon_id })),
  fc.record({ external_id: someId, anon_id: someId }).map((ids): Call => ({
    kind: "identify",
    ...ids,
  })),
  fc.tuple(someId, someId).map(([previous, next]) => segmentAlias(previous, next)),
  fc.tuple(someId, someId).map(([previous_id, external_id]): Call => ({
    kind: "alias",
    previous_id,
    external_id,
  })),
);

Deno.test("Segment's alias: a batch ends at the same customers as its entries one by one", async () => {
  await using db = await createTestDatabase();
  const batches = fc.array(someCall, { minLength: 2, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(batches, async (calls) => {
      const [whole, parted] = [await createWorld(db), await createWorld(db)];
      const results = await store(whole, calls);
      const single: CallResult[] = [];
      for (const call of calls) single.push(await parted.call(call));
      const outcomes = (each: readonly CallResult[]) =>
        each.map((result) => result.ok ? result.reason ?? "stored" : result.error);
      assert.deepEqual(outcomes(results), outcomes(single));
      assert.deepEqual(await readOwners(whole), await readOwners(parted));
      const stored = results.filter(({ ok }) => ok).length;
      await assertIntact(whole, stored);
      await assertIntact(parted, stored);
    }),
    { numRuns: 150 },
  );
});
