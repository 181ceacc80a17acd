import assert from "node:assert/strict";
import postgres from "postgres";
import { createDispatchWorld, publishMessages } from "../../testing/service/dispatch_world.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { countQueue, createWorker } from "../../testing/data/queue.ts";

Deno.test("publish_messages() reaches only exact types, prefixes and *", async () => {
  await using world = await createDispatchWorld();
  const exact = await world.addDestination({ eventTypes: ["order_created"] });
  const prefix = await world.addDestination({ eventTypes: ["order_*", "customer.*"] });
  const all = await world.addDestination({ eventTypes: ["*"] });
  await world.addDestination({ eventTypes: ["order", "order_create", "rder_created", "x*"] });
  await world.addDestination({ workspaceId: await createWorkspace(world.sql) });

  await world.publish("order_created", {});

  const claimed = await createWorker(world).claim();
  assert.deepEqual(
    claimed.map((delivery) => delivery.destination_id).sort(),
    [exact.id, prefix.id, all.id].sort(),
  );
});

Deno.test("publish_messages() stores nothing without a subscriber", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination({ eventTypes: ["order_created"] });

  assert.deepEqual(await world.publish("page_viewed", {}, {}), []);

  const [row] = await world.sql`select count(*)::int as messages from public.webhook_messages`;
  assert.equal(row!.messages, 0);
});

Deno.test("publish_messages() serializes once, keys and numbers as stored", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination();
  await world.sql`
    select private.publish_messages(array[row(
      ${world.workspaceId}::uuid, 'a"b', '{"z": 1.10, "aa": 1e3, "b": "\\u00e9\\n"}'::jsonb, null, null
    )::private.new_message], ${world.clock.now})
  `;

  const [delivery] = await createWorker(world).claim();

  assert.equal(
    delivery!.body,
    `{"event_type":"a\\"b","workspace_id":"${world.workspaceId}",` +
      `"payload":{"b": "é\\n", "z": 1.10, "aa": 1000},"sent_at":"${world.clock.now.toISOString()}"}`,
  );
});

Deno.test("publish_messages() records missed messages of a disabled destination outside the queue", async () => {
  await using world = await createDispatchWorld();
  const off = await world.addDestination({ enabled: false });

  const ids = await world.publish("order_created", { n: 1 }, { n: 2 });

  const missed = await world.sql`
    select message_id from public.missed_messages where destination_id = ${off.id}
  `;
  assert.deepEqual(missed.map((row) => row.message_id).sort(), ids.sort());
  assert.equal(await countQueue(world), 0);
});

Deno.test("publish_messages() leaves nothing behind if its transaction is rolled back", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination();

  await world.sql.begin(async (tx) => {
    await publishMessages(tx as unknown as postgres.Sql, {
      workspaceId: world.workspaceId,
      eventType: "order_created",
      payloads: [{}],
    });
    throw new Error("rolled back");
  }).catch(() => {});

  assert.deepEqual(await createWorker(world).claim(), []);
});

Deno.test("publish_messages() reports a destination's state only to the others", async () => {
  await using world = await createDispatchWorld();
  const told = await world.addDestination();
  const disabled = await world.addDestination();

  await world.sql`update public.destinations set enabled = false where id = ${disabled.id}`;
  world.clock.advance(60_000);

  const claimed = await createWorker(world).claim();
  assert.deepEqual(claimed.map((d) => [d.destination_id, d.event_type]), [
    [told.id, "destination.disabled"],
  ]);
  const { payload } = JSON.parse(claimed[0]!.body!);
  assert.deepEqual(payload.reason, "Disabled by an operator");
  assert.equal(payload.destination.id, disabled.id);
});

Deno.test("publishers of one workspace do not wait for each other, nor for a claim", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination();
  await world.publish("order_created", {});
  const publish = (sql: postgres.Sql) =>
    publishMessages(sql, {
      workspaceId: world.workspaceId,
      eventType: "order_created",
      payloads: [{}],
    });

  await world.sql.begin(async (claiming) => {
    await claiming`select from private.claim_deliveries(gen_random_uuid(), 500)`;
    await world.sql.begin(async (first) => {
      await publish(first as unknown as postgres.Sql);
      await world.sql.begin(async (second) => {
        await second`set local lock_timeout = '2s'`;
        await publish(second as unknown as postgres.Sql);
      });
    });
  });
});

Deno.test("250 events for 20 destinations are 5,000 rows in one transaction and one wake-up", async () => {
  await using world = await createDispatchWorld();
  for (let i = 0; i < 20; i++) await world.addDestination();
  const wakes = await countWakes(world.db.url);

  await world.publish("order_created", ...Array.from({ length: 250 }, (_, n) => ({ n })));

  assert.equal(await countQueue(world), 5_000);
  assert.equal(await wakes.finish(), 1);
});

Deno.test("wake_dispatcher() sends a limited number of wake-ups, and never waits", async () => {
  await using world = await createDispatchWorld();
  const wakes = await countWakes(world.db.url);

  await world.sql.begin(async (tx) => {
    // A transaction that stays open holds one of the three.
    await tx`select private.wake_dispatcher()`;
    await world.sql`set lock_timeout = '2s'`;
    const woken = [];
    for (let i = 0; i < 3; i++) {
      const [row] = await world.sql`select private.wake_dispatcher() as woken`;
      woken.push(row!.woken);
      // For longer than this test takes.
      await world.sql`
        update private.work_wakes set notified_at = notified_at + interval '1 hour'
        where worker = 'webhook-dispatch' and notified_at > '-infinity'
      `;
    }
    assert.deepEqual(woken, [true, true, false]);
  });

  assert.equal(await wakes.finish(), 3);
});

Deno.test("listening_workspaces() names those with a destination", async () => {
  await using world = await createDispatchWorld();
  const other = await createWorkspace(world.sql);
  await world.addDestination();

  const [row] = await world.sql`
    select to_jsonb(private.listening_workspaces(array[${other}::uuid, ${world.workspaceId}::uuid])) as ids
  `;

  assert.deepEqual(row!.ids, [world.workspaceId]);
});

/** Counts wake-ups from now until `finish`, which itself waits for all wake-ups sent before. */
async function countWakes(url: string): Promise<{ finish(): Promise<number> }> {
  const sql = postgres(url, { max: 2, fetch_types: false });
  const done = Promise.withResolvers<void>();
  let count = 0;
  await sql.listen("webhook_dispatch", () => void count++);
  await sql.listen("counted", () => done.resolve());
  return {
    async finish() {
      await sql.notify("counted", "");
      await done.promise;
      await sql.end();
      return count;
    },
  };
}
