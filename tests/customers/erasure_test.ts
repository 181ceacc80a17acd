import assert from "node:assert/strict";
import type postgres from "postgres";
import { completeDeliveries } from "../../supabase/functions/webhook-dispatch/dispatch_queue.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createDispatchWorld } from "../../testing/service/dispatch_world.ts";
import {
  createPeople,
  eraseCustomers,
  ingestFor,
  runFrequentTasksFor,
} from "../../testing/data/erasures.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { createWorker, describe } from "../../testing/data/queue.ts";

/** It misses everything, and could recover it later. */
async function addDisabledDestination(sql: postgres.Sql, workspaceId: string): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    insert into public.destinations (workspace_id, name, url, event_types, enabled)
    values (${workspaceId}, 'Off', 'https://receiver.test/', '{*}', false)
    returning id`;
  return row!.id;
}

async function readSteps(sql: postgres.Sql, workspaceId: string) {
  const rows = await sql<{ step: string; count: number }[]>`
    select step, count(*)::int as count
    from private.erasures where workspace_id = ${workspaceId}
    group by step order by step`;
  return Object.fromEntries(rows.map(({ step, count }) => [step, count]));
}

async function countEvents(sql: postgres.Sql, workspaceId: string): Promise<number> {
  return (await sql`select from public.events where workspace_id = ${workspaceId}`).length;
}

Deno.test("an erasure takes no longer while 300 of another workspace wait for their messages", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const [busy, other] = [await createWorkspace(sql), await createWorkspace(sql)];
  await addDisabledDestination(sql, busy);
  await eraseCustomers(sql, busy, await createPeople(sql, busy, 300));
  await runFrequentTasksFor(sql, { seconds: 180 });
  assert.deepEqual(await readSteps(sql, busy), { deletion_message: 300 });

  await eraseCustomers(sql, other, await createPeople(sql, other, 1));
  await runFrequentTasksFor(sql, { from: 180, seconds: 10 });
  assert.equal(await countEvents(sql, other), 0);
  await runFrequentTasksFor(sql, { from: 190, seconds: 80 });
  assert.deepEqual(await readSteps(sql, other), {});
  assert.deepEqual(await readSteps(sql, busy), { deletion_message: 300 });
});

Deno.test("a missed deletion message is sent within a minute or an hour", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const destinationId = await addDisabledDestination(sql, workspaceId);
  await eraseCustomers(sql, workspaceId, await createPeople(sql, workspaceId, 1));
  await runFrequentTasksFor(sql, { seconds: 90 });
  const wait = async (seconds: number) => {
    await runFrequentTasksFor(sql, { from: seconds, seconds: 10 });
    const [row] = await sql<{ seconds: number }[]>`
      select extract(epoch from due_at - clock_timestamp())::int as seconds from private.erasures`;
    return row!.seconds - seconds;
  };
  assert(Math.abs(await wait(160) - 60) < 10);
  assert(Math.abs(await wait(10 * 24 * 3600) - 3600) < 10);

  await sql`delete from public.missed_messages where destination_id = ${destinationId}`;
  await runFrequentTasksFor(sql, { from: 10 * 24 * 3600 + 3610, seconds: 10 });
  assert.deepEqual(await readSteps(sql, workspaceId), {});
  assert.equal((await sql`select from public.webhook_messages where body is not null`).length, 0);
});

Deno.test("run_frequent_tasks() ends in time and serves every workspace", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const [busy, other] = [await createWorkspace(sql), await createWorkspace(sql)];
  await eraseCustomers(sql, busy, await createPeople(sql, busy, 30));
  await eraseCustomers(sql, other, await createPeople(sql, other, 1));
  // Batches of the busy one take long, and there is always one more.
  await sql.unsafe(`
    update private.erasure_steps
    set function_name = 'private.erase_slowly' where function_name = 'private.erase_events';
    create function private.erase_slowly(
      p_erasure private.erasures, p_limit integer, p_now timestamptz
    )
    returns private.erasure_progress language plpgsql set search_path = '' as $$
    begin
      if p_erasure.workspace_id <> '${busy}' then
        return private.erase_events(p_erasure, p_limit, p_now);
      end if;
      perform pg_sleep(1);
      return private.batch_progress(p_limit, p_limit);
    end
    $$`);

  const startedAt = performance.now();
  await runFrequentTasksFor(sql, { seconds: 10 });

  const seconds = (performance.now() - startedAt) / 1000;
  assert(seconds < 7, `they took ${seconds} s`);
  assert.equal(await countEvents(sql, other), 0);
});

Deno.test("an erasure deletes the customer's idempotency keys, and no other of the same batch", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const [workspaceId, other] = [await createWorkspace(sql), await createWorkspace(sql)];
  const entriesOf = (workspace_id: string) =>
    Array.from({ length: 40 }, (_, n) => ({
      workspace_id,
      kind: "event" as const,
      name: "seen",
      external_id: `person-${n % 4}`,
      idempotency_key: `person-${n % 4}-${n}`,
    }));
  const results = await ingestEntries(sql, [...entriesOf(workspaceId), ...entriesOf(other)]);
  const first = results[0]!;
  assert(first.ok);
  await eraseCustomers(sql, workspaceId, [first.customer_id]);
  // A batch at a time, and the keys of each batch with its events.
  while ((await sql`select private.work_erasures(3) as count`)[0]!.count > 0);

  const keys = await sql<{ workspace_id: string; key: string }[]>`
    select workspace_id, key from private.idempotency_keys`;
  const kept = keys.filter((row) => row.workspace_id === workspaceId);
  assert.equal(kept.length, 30);
  assert(kept.every(({ key }) => !key.startsWith("person-0-")));
  assert.equal(keys.length, 70);
});

Deno.test("an erasure reads little more than the customer's own rows", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const people = await createPeople(sql, workspaceId, 4);
  // Others' events and keys, before and after statistics are collected.
  await sql`
    insert into public.events (workspace_id, id, identity_id, name, occurred_at, received_at)
    select
      ${workspaceId}, gen_random_uuid(), 1000000 + n, 'seen', now(),
      now() - n * interval '1 second'
    from generate_series(1, 20000) as n`;
  await sql`
    insert into private.idempotency_keys
    select
      ${workspaceId}, n::text, gen_random_uuid(), gen_random_uuid(), now() - n * interval '1 second'
    from generate_series(1, 20000) as n`;
  await eraseCustomers(sql, workspaceId, people);
  const session = await sql.reserve();
  const pages: number[] = [];
  for (const [n, customerId] of people.entries()) {
    if (n === 2) await session`analyze public.events, private.idempotency_keys`;
    const [row] = await session.unsafe(`
      explain (analyze, buffers, format json, timing off)
      select private.erase_events(e, 5000, now()) from private.erasures as e
      where e.customer_id = '${customerId}'`);
    const { Plan: plan } = row!["QUERY PLAN"][0];
    pages.push(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]);
  }
  session.release();
  assert.equal(await countEvents(sql, workspaceId), 20_000);
  // Each first one reads the catalog as well. Reading either table takes hundreds.
  assert(pages[1]! < 150 && pages[3]! < 150, `${pages}`);
});

Deno.test("the response to a message is erased even if the host's clock was behind the database's", async () => {
  await using world = await createDispatchWorld();
  const { sql, workspaceId } = world;
  await world.addDestination();
  const people = await ingestFor(sql, workspaceId, [
    { kind: "identify", external_id: "ada", profile: { email: "ada@example.com" } },
  ]);
  const [message] = await sql<
    { created_at: Date }[]
  >`select created_at from public.webhook_messages`;
  world.clock.now = new Date(message!.created_at.getTime() + 20);
  const claimed = await createWorker(world).claim();
  const attemptedAt = new Date(message!.created_at.getTime() - 200);
  const attempts = claimed.map((each) => {
    return describe(each, attemptedAt, {
      response_snippet: "Hello ada@example.com",
      response_headers: { "x-hello": "ada@example.com" },
    });
  });
  await completeDeliveries(sql, attempts, world.clock.now);

  await eraseCustomers(sql, workspaceId, people);
  await runFrequentTasksFor(sql, { seconds: 90 });

  const responses = await sql`select response_snippet, response_headers from public.deliveries`;
  assert.deepEqual([...responses], [{ response_snippet: null, response_headers: null }]);
});
