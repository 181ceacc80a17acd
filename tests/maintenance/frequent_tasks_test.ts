import assert from "node:assert/strict";
import type postgres from "postgres";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createDispatchWorld } from "../../testing/service/dispatch_world.ts";
import { createWorkspace } from "../../testing/data/factories.ts";

/** Idempotency keys of so many hours ago. */
async function addKeys(sql: postgres.Sql, { count, hours }: { count: number; hours: number }) {
  await sql`
    insert into private.idempotency_keys
    select
      gen_random_uuid(), n::text, gen_random_uuid(), gen_random_uuid(),
      now() - ${hours}::int * interval '1 hour'
    from generate_series(1, ${count}::int) as n`;
}

/** Rows of a table that a statement read. */
async function countRead(
  sql: postgres.Sql,
  { table, statement }: { table: string; statement: string },
): Promise<number> {
  return await sql.begin(async (tx) => {
    // Earlier reads of the connection are counted too, until it reports them to the others.
    const count = async () => {
      const [row] = await tx<{ n: number }[]>`
        select (seq_tup_read + idx_tup_fetch)::int as n
        from pg_stat_xact_all_tables where relid = ${table}::text::regclass`;
      return row!.n;
    };
    const before = await count();
    await tx.unsafe(statement);
    return await count() - before;
  });
}

Deno.test("run_frequent_tasks() deletes idempotency keys as fast as a busy service makes them", async () => {
  await using db = await createTestDatabase();
  await addKeys(db.sql, { count: 60_000, hours: 25 });
  await addKeys(db.sql, { count: 10, hours: 23 });

  await db.sql`select private.run_frequent_tasks()`;

  assert.equal((await db.sql`select from private.idempotency_keys`).length, 10);
});

Deno.test("run_frequent_tasks() deletes a token once its signature is too old", async () => {
  await using db = await createTestDatabase();
  await db.sql`
    insert into private.inbound_tokens (workspace_id, source_id, token_hash, created_at)
    select gen_random_uuid(), gen_random_uuid(), 'hash', now() - n * interval '1 minute'
    from unnest(array[1446, 1501]) as n`;

  await db.sql`select private.run_frequent_tasks()`;

  // A time that was five minutes ahead is taken for 24 hours and five minutes.
  const rows = await db.sql`select from private.inbound_tokens`;
  assert.equal(rows.length, 1);
});

Deno.test("expired rows are found without reading the others", async () => {
  await using db = await createTestDatabase();
  // Keys come where others went, as they do day after day.
  await addKeys(db.sql, { count: 20_000, hours: 25 });
  await db.sql`select private.run_frequent_tasks()`;
  await db.sql`vacuum private.idempotency_keys`;
  await addKeys(db.sql, { count: 20_000, hours: 1 });

  const read = await countRead(db.sql, {
    table: "private.idempotency_keys",
    statement: "select private.delete_expired_idempotency_keys()",
  });
  assert(read < 100, `${read} keys were read`);
});

Deno.test("unlimited event names are counted in one pass, up to the first 1,000", async () => {
  await using db = await createTestDatabase();
  const workspaceId = await createWorkspace(db.sql);
  const addNames = (first: number, last: number) =>
    db.sql`
      insert into private.usage_deltas (workspace_id, at, name, events)
      select ${workspaceId}, now(), 'name-' || lpad(n::text, 5, '0'), 1
      from generate_series(${first}::int, ${last}::int) as n`;
  await addNames(1, 995);
  await db.sql`select private.fold_usage()`;
  await addNames(990, 3_000);

  const read = await countRead(db.sql, {
    table: "public.event_names",
    statement: "select private.fold_usage()",
  });

  assert(read < 100_000, `${read} names were read`);
  const [row] = await db.sql`
    select count(*)::int as names, sum(events)::int as events, max(name) as last
    from public.event_names`;
  assert.deepEqual(row, { names: 1_000, events: 1_006, last: "name-01000" });
});

Deno.test("run_frequent_tasks() adds up more usage than fits into one batch", async () => {
  await using db = await createTestDatabase();
  const workspaceId = await createWorkspace(db.sql);
  await db.sql`
    insert into private.usage_deltas (workspace_id, at, events)
    select ${workspaceId}, now(), 1 from generate_series(1, 45000)`;

  await db.sql`select private.run_frequent_tasks()`;

  const rows = await db.sql`select events::int from public.usage_stats`;
  assert.deepEqual([...rows], [{ events: 45_000 }]);
});

Deno.test("a long erasure of a workspace does not delay the erasure of a customer", async () => {
  await using db = await createTestDatabase();
  const [gone, kept] = [await createWorkspace(db.sql), await createWorkspace(db.sql)];
  await db.sql`
    insert into public.usage_stats
    select ${gone}, now() + n * interval '1 hour', 1, 1 from generate_series(1, 1000) as n`;
  await db.sql`
    insert into private.erasures (workspace_id, customer_id, step, due_at)
    values
      (${gone}, null, 'workspace', now() - interval '1 hour'),
      (${kept}, gen_random_uuid(), 'events', now() - interval '1 minute')`;

  await db.sql`select private.work_erasures(10)`;

  const rows = await db.sql`select step from private.erasures where customer_id is not null`;
  assert.deepEqual([...rows], [{ step: "snippets" }]);
});

Deno.test("an erasure that cannot continue does not delay the next", async () => {
  await using world = await createDispatchWorld();
  const { sql, workspaceId } = world;
  await world.addDestination();
  await world.publish("order_created", {});
  const [stuck, next] = [crypto.randomUUID(), crypto.randomUUID()];
  await sql`
    insert into private.erasures (workspace_id, customer_id, customer_ids, step, due_at)
    values
      (${workspaceId}, ${stuck}, array[${stuck}::uuid], 'bodies', now() - interval '1 hour'),
      (${workspaceId}, ${next}, array[${next}::uuid], 'events', now() - interval '1 minute')`;
  await sql`update public.webhook_messages set customer_id = ${stuck}`;

  await sql.begin(async (holding) => {
    await holding`select from public.webhook_messages for update`;
    await sql.begin(async (tx) => {
      await tx`set local lock_timeout = '100ms'`;
      await tx`select private.run_frequent_tasks(${world.clock.now})`;
    });
  });

  const rows = await sql`select customer_id, step from private.erasures order by step`;
  assert.deepEqual([...rows], [
    { customer_id: stuck, step: "bodies" },
    { customer_id: next, step: "snippets" },
  ]);
});
