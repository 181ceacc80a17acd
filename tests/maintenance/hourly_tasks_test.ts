import assert from "node:assert/strict";
import type postgres from "postgres";
import {
  createDispatchWorld,
  type DispatchWorld,
  publishMessages,
} from "../../testing/service/dispatch_world.ts";
import { allowLongPartitionWork } from "../../testing/data/partitions.ts";
import { countQueue, createWorker, readLane } from "../../testing/data/queue.ts";

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;

Deno.test("run_hourly_tasks() clears the queue of a deleted destination, and its lane", async () => {
  await using world = await createDispatchWorld();
  const gone = await world.addDestination();
  const kept = await world.addDestination();
  await world.publish("order_created", {}, {});

  await world.sql`delete from public.destinations where id = ${gone.id}`;
  const claimed = await createWorker(world).claim();
  assert.deepEqual(new Set(claimed.map((d) => d.destination_id)), new Set([kept.id]));
  await world.sql`select ops.run_hourly_tasks()`;

  assert.equal(await countQueue(world), 2);
  assert.equal(await readLane(world, gone.id), undefined);
});

Deno.test("run_hourly_tasks() drops a disabled destination's deliveries together with their message", async () => {
  await using world = await createDispatchWorld();
  await allowLongPartitionWork(world.sql);
  const { id } = await world.addDestination();
  await world.publish("order_created", {});
  await world.sql`update public.destinations set enabled = false where id = ${id}`;

  world.clock.advance(29 * dayMs);
  await world.sql`select ops.run_hourly_tasks(${world.clock.now})`;
  assert.equal(await countQueue(world), 1);
  world.clock.advance(3 * dayMs);
  await world.sql`select ops.run_hourly_tasks(${world.clock.now})`;

  assert.equal(await countQueue(world), 0);
});

Deno.test("run_hourly_tasks() drops messages and log after 30 days", async () => {
  await using world = await createDispatchWorld();
  await allowLongPartitionWork(world.sql);
  await world.addDestination();
  await world.publish("order_created", {});
  const worker = createWorker(world);
  await worker.complete(await worker.claim());
  const count = async () => {
    const [row] = await world.sql`
      select (select count(*)::int from public.webhook_messages) as messages,
        (select count(*)::int from public.deliveries) as deliveries
    `;
    return [row!.messages, row!.deliveries];
  };

  world.clock.advance(29 * dayMs);
  await world.sql`select ops.run_hourly_tasks(${world.clock.now})`;
  assert.deepEqual(await count(), [1, 1]);
  world.clock.advance(3 * dayMs);
  await world.sql`select ops.run_hourly_tasks(${world.clock.now})`;

  assert.deepEqual(await count(), [0, 0]);
});

/** Totals of 403 days, in every fourth hour: of a destination, and of one that was deleted. */
async function fillTotals({ sql, clock, workspaceId }: DispatchWorld, id: string): Promise<void> {
  const first = new Date(clock.now.getTime() - 403 * dayMs);
  await sql`
    insert into public.delivery_stats
    select ${workspaceId}, d.id, h.hour, 1, 1
    from unnest(array[${id}::uuid, gen_random_uuid()]) as d (id)
    cross join generate_series(
      date_trunc('day', ${first}::timestamptz, 'UTC'), ${clock.now}, interval '4 hours'
    ) as h (hour)`;
  await sql`
    insert into public.delivery_durations
    select s.workspace_id, s.destination_id, s.hour, f.from_ms, 1, f.from_ms, f.from_ms
    from public.delivery_stats as s, unnest(array[20, 300]) as f (from_ms)`;
  await sql`
    insert into public.usage_stats
    select distinct s.workspace_id, s.hour, 5, 1 from public.delivery_stats as s`;
  await sql`
    insert into public.event_names values (${workspaceId}, 'seen', 9, ${first}, ${clock.now})`;
  await sql`
    insert into public.event_name_stats
    select distinct s.workspace_id, date_trunc('day', s.hour, 'UTC'), 'seen', 1
    from public.usage_stats as s`;
}

/** Number of rows of each table of totals, and how many days back its first one is. */
async function readTotals({ sql, clock }: DispatchWorld): Promise<unknown[]> {
  return [
    ...await sql`
      select t.name, count(*)::int as rows, max(date_part('day', ${clock.now} - t.at))::int as days
      from (
        select 'stats', hour from public.delivery_stats
        union all select 'durations', hour from public.delivery_durations
        union all select 'usage', hour from public.usage_stats
        union all select 'names', day from public.event_name_stats
      ) as t (name, at)
      group by t.name
      order by t.name`,
  ];
}

Deno.test("run_hourly_tasks() drops totals after 400 days, in batches, and nothing else", async () => {
  await using world = await createDispatchWorld();
  await allowLongPartitionWork(world.sql);
  const { sql, clock } = world;
  // An hour past midnight, so that the day 400 days ago began just before.
  clock.advance(hourMs - clock.now.getTime() % dayMs);
  const { id } = await world.addDestination();
  await fillTotals(world, id);
  const days = (count: number) => [
    { name: "durations", rows: 4 * (6 * count + 1), days: count },
    { name: "names", rows: count + 1, days: count },
    { name: "stats", rows: 2 * (6 * count + 1), days: count },
    { name: "usage", rows: 6 * count + 1, days: count },
  ];
  assert.deepEqual(await readTotals(world), days(403));

  const [batch] = await sql`select private.delete_old_delivery_totals(30, ${clock.now}) as hours`;
  assert.equal(batch!.hours, 30);
  for (let times = 0; times < 2; times++) {
    await sql`select ops.run_hourly_tasks(${clock.now})`;
    assert.deepEqual(await readTotals(world), days(400));
  }

  const [left] = await sql`
    select private.delete_old_delivery_totals(p_now => ${clock.now}) as hours,
      private.delete_old_usage(p_now => ${clock.now}) as rows`;
  assert.deepEqual(left, { hours: 0, rows: 0 });
  const [names] = await sql`select count(*)::int as count from public.event_names`;
  assert.equal(names!.count, 1, "the catalogue is not a total of a time");
});

Deno.test("run_hourly_tasks() keeps a message for as long as an enabled destination waits for it", async () => {
  await using world = await createDispatchWorld();
  await allowLongPartitionWork(world.sql);
  await world.addDestination();
  await world.publish("order_created", {});
  const worker = createWorker(world);
  await worker.fail(await worker.claim(), { action: "exhausted", next_attempt_at: null });
  const [delivery] = await world.deliveries();

  world.clock.advance(29 * dayMs);
  await world.sql`select ops.replay_delivery(${delivery!.id}, ${world.clock.now})`;
  await worker.fail(await worker.claim());
  world.clock.advance(3 * dayMs);
  await world.sql`select ops.run_hourly_tasks(${world.clock.now})`;

  const [again] = await worker.claim();
  assert(again!.body, "the message is still there");
  await worker.complete([again!]);
  await world.sql`select ops.run_hourly_tasks(${world.clock.now})`;
  assert.equal((await world.sql`select from public.webhook_messages`).length, 0);
});

Deno.test("run_hourly_tasks() keeps a message whose replay commits while the drop waits", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination();
  await world.publish("order_created", {});
  const worker = createWorker(world);
  await worker.fail(await worker.claim(), { action: "exhausted", next_attempt_at: null });
  const [delivery] = await world.deliveries();
  world.clock.advance(32 * dayMs);
  // The replay reads the log too, which would be waited for first.
  await world.sql`delete from private.partition_policies where table_name <> 'webhook_messages'`;
  await allowLongPartitionWork(world.sql);

  const replaying = await world.sql.reserve();
  await replaying`begin`;
  await replaying`select ops.replay_delivery(${delivery!.id}, ${world.clock.now})`;
  const dropping = world.sql`
    select private.drop_expired_partitions(${world.clock.now})`.execute();
  await world.waitForLock();
  await replaying`commit`;
  replaying.release();
  await dropping;

  const claimed = await worker.claim();
  assert.deepEqual(claimed.map((d) => d.body !== null), [true]);
});

Deno.test("rows of a default partition expire as well", async () => {
  await using world = await createDispatchWorld();
  await allowLongPartitionWork(world.sql);
  const { id } = await world.addDestination();
  const log = (at: Date) =>
    world.sql`
      insert into public.deliveries (
        workspace_id, id, destination_id, message_id, message_created_at, event_type,
        attempt_number, trigger, ok, attempted_at
      )
      values (
        ${world.workspaceId}, private.uuid_v7(${at}), ${id}, gen_random_uuid(), ${at}, 'x', 1,
        'event', true, ${at}
      )`;
  await log(new Date(world.clock.now.getTime() - 31 * dayMs));
  await log(new Date(world.clock.now.getTime() - 29 * dayMs));

  await world.sql`select ops.run_hourly_tasks(${world.clock.now})`;

  assert.equal((await world.sql`select from private.deliveries_default`).length, 1);
});

Deno.test("a message published while its destination is deleted leaves no row behind", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();

  await world.sql.begin(async (tx) => {
    await publishMessages(tx as unknown as postgres.Sql, {
      workspaceId: world.workspaceId,
      eventType: "order_created",
      payloads: [{}],
    });
    await world.sql`delete from public.destinations where id = ${id}`;
    await world.sql`select ops.run_hourly_tasks()`;
    assert.equal(await readLane(world, id), undefined);
  });
  assert.deepEqual(await createWorker(world).claim(), []);
  await world.sql`select ops.run_hourly_tasks()`;

  assert.equal(await countQueue(world), 0);
  assert.equal(await readLane(world, id), undefined);
});

Deno.test("the views show waiting work and the health of destinations", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  const off = await world.addDestination();
  await world.publish("order_created", { n: 1 }, { n: 2 });
  const worker = createWorker(world);
  const claimed = (await worker.claim()).filter((d) => d.destination_id === id);
  await worker.complete(claimed.slice(0, 1));
  await worker.fail(claimed.slice(1), { error: "timeout", status_code: null });
  await world.sql`update public.destinations set enabled = false where id = ${off.id}`;

  const backlog = await world.sql`select * from ops.backlog where destination_id = ${off.id}`;
  assert.deepEqual([backlog[0]!.state, Number(backlog[0]!.waiting), backlog[0]!.in_flight], [
    "disabled",
    0,
    2,
  ]);
  const [health] = await world
    .sql`select * from ops.destination_health where destination_id = ${id}`;
  assert.deepEqual(
    [Number(health!.ok_24h), Number(health!.failed_24h), health!.failures, health!.last_error],
    [1, 1, 1, "timeout"],
  );
});
