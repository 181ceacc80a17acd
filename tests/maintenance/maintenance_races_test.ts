import assert from "node:assert/strict";
import { createDispatchWorld, type DispatchWorld } from "../../testing/service/dispatch_world.ts";
import { allowLongPartitionWork } from "../../testing/data/partitions.ts";
import { createWorker } from "../../testing/data/queue.ts";

const dayMs = 24 * 60 * 60 * 1_000;

/** Runs `work` while somebody reads a table, as a report or a backup does for a long time. */
async function whileRead(
  { sql }: DispatchWorld,
  table: string,
  work: () => Promise<void>,
): Promise<void> {
  await sql.begin("read only", async (reading) => {
    await reading.unsafe(`select from ${table}`);
    await work();
  });
}

/** The maintenance of a later day; fails rather than hangs where it waits without end. */
async function maintain({ sql, clock }: DispatchWorld): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = '60s'`;
    await tx`select ops.run_hourly_tasks(${clock.now})`;
  });
}

async function countPartitions({ sql }: DispatchWorld, table: string): Promise<number> {
  const rows = await sql`select from pg_inherits where inhparent = ${table}::text::regclass`;
  return rows.length;
}

Deno.test("maintenance: a table in use is left for the next run", async () => {
  await using world = await createDispatchWorld();
  const before = await countPartitions(world, "public.rejected_entries");
  world.clock.advance(dayMs);

  await whileRead(world, "public.rejected_entries", () => maintain(world));
  assert.equal(await countPartitions(world, "public.rejected_entries"), before);
  assert.equal(await countPartitions(world, "public.deliveries"), before + 1, "others continue");

  await maintain(world);
  assert.equal(await countPartitions(world, "public.rejected_entries"), before + 1);
});

Deno.test("maintenance: deliveries are claimed while it waits for a table", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination();
  await world.publish("order_created", {});
  const worker = createWorker(world);
  world.clock.advance(dayMs);
  await allowLongPartitionWork(world.sql);

  let isMaintaining = true;
  let maintaining: Promise<void> | undefined;
  await whileRead(world, "public.rejected_entries", async () => {
    maintaining = maintain(world).finally(() => isMaintaining = false);
    await world.waitForLock();
    assert.equal((await worker.claim()).length, 1);
    assert(isMaintaining, "the claim waited for the maintenance");
  });
  await maintaining;
});

Deno.test("maintenance: two concurrent runs do not disturb each other", async () => {
  await using world = await createDispatchWorld();
  world.clock.advance(20 * dayMs);
  await allowLongPartitionWork(world.sql);
  await Promise.all([maintain(world), maintain(world), maintain(world)]);
  // Today's, three ahead, the default one; all others have expired.
  assert.equal(await countPartitions(world, "public.rejected_entries"), 5);
});

Deno.test("maintenance: ingest does not wait for a drop that waits for a reader", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination();
  await world.publish("order_created", {});
  const worker = createWorker(world);
  await worker.complete(await worker.claim());
  const before = await countPartitions(world, "public.webhook_messages");
  world.clock.advance(32 * dayMs);

  await whileRead(world, "public.webhook_messages", async () => {
    const maintaining = maintain(world);
    // The reader continues, so a message is stored only because the drop gives up.
    for (let n = 0; n < 20; n++) await world.publish("order_created", {});
    await maintaining;
  });
  assert(await countPartitions(world, "public.webhook_messages") >= before);
  await maintain(world);
  const rows = await world.sql`
    select from pg_inherits as i join pg_class as c on c.oid = i.inhrelid
    where i.inhparent = 'public.webhook_messages'::regclass
      and c.relname ~ '_[0-9]{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < ${world.clock.now}::timestamptz - interval '31 days'`;
  assert.equal(rows.length, 0, "the next run drops it");
});

Deno.test("maintenance: what ingest may wait for ends within 100 ms", async () => {
  await using world = await createDispatchWorld();
  const rows = await world.sql<{ name: string; ms: number }[]>`
    select p.proname as name, extract(epoch from split_part(s, '=', 2)::interval)::float8 * 1000 as ms
    from pg_proc as p, unnest(p.proconfig) as s
    where p.proname in ('ensure_partitions', 'drop_expired_partitions') and s like 'lock_timeout=%'`;
  // One wait for the lock, and as long with it.
  assert.deepEqual(rows.map(({ name, ms }) => [name, 2 * ms <= 100]).toSorted(), [
    ["drop_expired_partitions", true],
    ["ensure_partitions", true],
  ]);
});
