import assert from "node:assert/strict";
import { workFanOuts, workJobs } from "../../supabase/functions/webhook-dispatch/dispatch_queue.ts";
import { createDispatchWorld, type DispatchWorld } from "../../testing/service/dispatch_world.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { countQueue } from "../../testing/data/queue.ts";
import { respond } from "../../testing/receivers/receiver_behaviours.ts";

const destinations = 20;
/** With 20 destinations these are 5,020 rows of the queue: just over what one call may make. */
const messages = 251;

async function createWideWorld(): Promise<{ world: DispatchWorld; destinationIds: string[] }> {
  const world = await createDispatchWorld();
  const destinationIds: string[] = [];
  for (let i = 0; i < destinations; i++) {
    destinationIds.push((await world.addDestination({ maxConcurrency: 100 })).id);
  }
  return { world, destinationIds };
}

function publishMany(world: DispatchWorld): Promise<string[]> {
  const payloads = Array.from({ length: messages }, (_, n) => ({ n }));
  return world.publish("order_created", ...payloads);
}

async function countWaiting({ sql }: DispatchWorld): Promise<number> {
  return (await sql`select from private.fan_outs`).length;
}

async function workAll({ sql }: DispatchWorld): Promise<number[]> {
  const steps: number[] = [];
  for (;;) {
    const before = await sql`select from private.webhook_queue`;
    if (await workFanOuts(sql) === 0) return steps;
    steps.push((await sql`select from private.webhook_queue`).length - before.length);
  }
}

Deno.test("a call writes at most 5,000 queue rows, and every message reaches every destination once", async () => {
  const { world } = await createWideWorld();
  await using _world = world;
  const ids = await publishMany(world);
  assert.equal(ids.length, messages);
  assert.equal(await countQueue(world), 0);

  const steps = await workAll(world);

  assert.deepEqual(steps, [5_000, 20]);
  const [row] = await world.sql`
    select count(*)::int as rows, count(distinct (destination_id, message_id))::int as pairs,
      bool_and(due_at = message_created_at) as is_due_since_then
    from private.webhook_queue`;
  const pairs = messages * destinations;
  assert.deepEqual({ ...row }, { rows: pairs, pairs, is_due_since_then: true });
});

Deno.test("a woken dispatcher queues and sends what a call left over", async () => {
  const world = await createDispatchWorld();
  await using _world = world;
  const receiver = await world.receive({ behaviour: respond(200) });
  await world.addDestination({ url: `http://127.0.0.1:${receiver.port}/` });
  await world.publish("order_created", { n: 1 }, { n: 2 });
  await world.sql`
    with gone as (delete from private.webhook_queue returning *)
    insert into private.fan_outs
    select workspace_id, message_id, message_created_at, array[destination_id], '{}' from gone`;

  await world.dispatch();

  assert.equal(receiver.requests.length, 2);
  assert.equal(await countWaiting(world), 0);
});

Deno.test("ops.backlog shows the messages that are still to be queued, by workspace", async () => {
  const { world } = await createWideWorld();
  await using _world = world;
  const read = async () =>
    (await world.sql`
      select workspace_id, destination_id, waiting::integer, in_flight, oldest_at
      from ops.backlog where state = 'queueing'`).map((row) => ({ ...row }));
  await world.sql`delete from private.fan_outs`;
  assert.deepEqual(await read(), []);
  await publishMany(world);
  const [waiting] = await world.sql`
    select count(*)::integer as count, min(message_created_at) as oldest from private.fan_outs`;
  assert.ok(waiting!.count > 0);
  assert.deepEqual(await read(), [{
    workspace_id: world.workspaceId,
    destination_id: null,
    waiting: waiting!.count,
    in_flight: 0,
    oldest_at: waiting!.oldest,
  }]);
});

Deno.test("a message goes to the destinations that existed when it was created", async () => {
  const { world, destinationIds } = await createWideWorld();
  await using _world = world;
  const [missing, disabled, deleted] = destinationIds as [string, string, string];
  const { sql } = world;
  await sql`update public.destinations set enabled = false where id = ${missing}`;
  await sql`delete from private.webhook_queue`;
  await publishMany(world);
  await publishMany(world);
  await sql`update public.destinations set enabled = false where id = ${disabled}`;
  await sql`delete from public.destinations where id = ${deleted}`;
  const later = await world.addDestination();
  await sql`delete from private.fan_outs where cardinality(destination_ids) < 19`;

  await workAll(world);

  const count = async (table: string, id: string) =>
    (await sql`select from ${sql(table)} where destination_id = ${id}`).length;
  const both = 2 * messages;
  assert.equal(await count("public.missed_messages", missing), both);
  assert.equal(await count("private.webhook_queue", missing), 0);
  assert.equal(await count("private.webhook_queue", disabled), both);
  assert.equal(await count("private.webhook_queue", destinationIds[5]!), both);
  assert.equal(await count("private.webhook_queue", deleted), 0);
  assert.equal(await count("private.webhook_queue", later.id), 0);
});

Deno.test("messages of a workspace stay in order behind waiting ones, and others do not wait", async () => {
  const { world } = await createWideWorld();
  await using _world = world;
  await publishMany(world);
  await world.publish("order_created", { n: "last" });
  assert.equal(await countWaiting(world), messages + 1);
  const other = await createWorkspace(world.sql);
  const { id } = await world.addDestination({ workspaceId: other });
  await world.sql`
    select private.publish_messages(
      array[row(${other}::uuid, 'order_created', '{}'::jsonb, null, null)::private.new_message]
    )`;
  const queued = await world.sql`select destination_id from private.webhook_queue`;
  assert.deepEqual(queued.map((row) => row.destination_id), [id]);

  await workAll(world);
  await world.publish("order_created", { n: "direct" });
  assert.equal(await countWaiting(world), 0);
});

Deno.test("a step that is rolled back loses nothing, and two workers process each message once", async () => {
  const { world } = await createWideWorld();
  await using _world = world;
  await publishMany(world);
  const session = await world.sql.reserve();
  try {
    await session`begin`;
    await session`select private.work_fan_outs()`;
    assert.equal(await workFanOuts(world.sql), 0, "somebody else is at it");
    await session`rollback`;
  } finally {
    session.release();
  }
  assert.equal(await countWaiting(world), messages);
  assert.equal(await countQueue(world), 0);
  while (await countWaiting(world) > 0) {
    await Promise.all([workFanOuts(world.sql), workFanOuts(world.sql)]);
  }
  assert.equal(await countQueue(world), messages * destinations);
});

Deno.test("a recovery includes messages not yet recorded as missed", async () => {
  const { world, destinationIds } = await createWideWorld();
  await using _world = world;
  const { sql } = world;
  const id = destinationIds[0]!;
  await sql`update public.destinations set enabled = false where id = ${id}`;
  await sql`delete from private.webhook_queue`;
  await publishMany(world);
  await publishMany(world);
  await sql`update public.destinations set enabled = true where id = ${id}`;
  world.clock.advance(60_000);
  const [job] = await sql`select job_id from ops.recover_missed(${id})`;
  assert.equal(await workJobs(sql, world.clock.now), 1);

  await workAll(world);
  while (await workJobs(sql, world.clock.now) > 0);

  const [row] = await sql`select state, done from public.jobs where id = ${job!.job_id}`;
  assert.deepEqual({ ...row }, { state: "done", done: 2 * messages });
});

Deno.test("an erased customer's messages are not queued any more", async () => {
  const { world } = await createWideWorld();
  await using _world = world;
  const { sql, workspaceId } = world;
  const [stored] = await sql`
    select (private.ingest(${
    JSON.stringify([{
      workspace_id: workspaceId,
      kind: "event",
      external_id: "ada",
      name: "viewed",
    }])
  }) -> 0 ->> 'customer_id')::uuid as customer_id`;
  await sql`delete from private.webhook_queue`;
  await sql`
    insert into private.fan_outs
    select m.workspace_id, m.id, m.created_at, array(select id from public.destinations), '{}'
    from public.webhook_messages as m where m.customer_id = ${stored!.customer_id}`;
  assert(await countWaiting(world) > 0);

  await sql`
    select private.erase_bodies(e, 1000, now())
    from (
      select row(e.*)::private.erasures as e from (
        select (jsonb_populate_record(null::private.erasures, ${
    sql.json({ workspace_id: workspaceId, customer_ids: [stored!.customer_id] })
  })).*
      ) as e
    ) as e`;

  assert.equal(await countWaiting(world), 0);
});
