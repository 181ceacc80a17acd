import assert from "node:assert/strict";
import type { Definition } from "../../supabase/functions/_shared/journeys/definition.ts";
import { eraseCustomers } from "../../testing/data/erasures.ts";
import { createJourneyWorld, type JourneyWorld, readPaths, startWork } from "./journey_world.ts";

async function createDestination({ sql, workspaceId }: JourneyWorld, types: string) {
  const [row] = await sql<{ id: string }[]>`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${workspaceId}, 'Hook', 'https://example.com/hook', ${types}::text[])
    returning id`;
  return row!.id;
}

interface Message {
  event_type: string;
  destination_id: string;
  trigger: string;
  payload: Record<string, unknown>;
}

/** Lists the messages in the queue, by type. */
function readMessages({ sql }: JourneyWorld) {
  return sql<Message[]>`
    select m.event_type, q.destination_id, q.trigger, m.body::jsonb -> 'payload' as payload
    from private.webhook_queue as q
    join public.webhook_messages as m on m.id = q.message_id
    order by m.event_type, m.id`;
}

Deno.test("a webhook step sends one message, to its destination alone", async () => {
  await using world = await createJourneyWorld();
  const destination = await createDestination(world, "{unrelated}");
  const other = await createDestination(world, "{journey.*}");
  const data = { plan: "{{ customer.attributes.plan }}", of: ["{{ trigger.cart }}", 5] };
  await world.publish({
    trigger: { event: "signed_up" },
    start: "hook",
    steps: {
      hook: { webhook: { destination, data }, next: "gone" },
      gone: { webhook: { destination: crypto.randomUUID() } },
    },
  });
  await world.track(
    { kind: "identify", attributes: { plan: "pro" } } as never,
    { name: "signed_up", properties: { cart: "c-1" } },
  );
  await world.settle();
  assert.deepEqual(await readPaths(world), ["hook next, gone destination_deleted, completed"]);
  const messages = await readMessages(world);
  assert.deepEqual(
    messages.map(({ event_type, destination_id }) => [event_type, destination_id]),
    [["journey.entered", other], ["journey.exited", other], ["journey.webhook", destination]],
  );
  const [entered, exited, webhook] = messages;
  assert.equal(webhook!.trigger, "event");
  assert.deepEqual(webhook!.payload.data, { plan: "pro", of: ["c-1", 5] });
  assert.equal(webhook!.payload.step, "hook");
  assert.equal((webhook!.payload.customer as { external_id: string }).external_id, "user-1");
  assert.equal((entered!.payload.trigger as { event: string }).event, "signed_up");
  assert.equal(exited!.payload.reason, "completed");
  assert.equal(exited!.payload.goal_reached, false);
});

Deno.test("a run continues when its segment is deleted while the customer is inside", async () => {
  await using world = await createJourneyWorld();
  const { sql, workspaceId } = world;
  const [segment] = await sql<{ id: string }[]>`
    insert into public.segments (workspace_id, name, kind) values (${workspaceId}, 'VIP', 'static')
    returning id`;
  await world.publish({
    trigger: { event: "signed_up" },
    start: "pause",
    steps: {
      pause: { wait: { for: "1d" }, next: "vip" },
      vip: { branch: [{ when: { segment: segment!.id }, next: "hook" }], else: "end" },
      hook: { webhook: { destination: crypto.randomUUID() }, next: "end" },
      end: { exit: {} },
    },
  } as never);
  await world.track({ name: "signed_up" });
  await world.settle();
  await sql`delete from public.segments`;
  await world.pass(86_400_000);
  assert.deepEqual(await readPaths(world), ["pause next, vip else, end end, completed"]);
});

Deno.test("a send step creates one send per run and visit, also for what is gone", async () => {
  await using world = await createJourneyWorld();
  const send = { template: crypto.randomUUID(), sender: crypto.randomUUID() };
  await world.publish({
    trigger: { event: "signed_up" },
    start: "mail",
    steps: { mail: { send, next: "pause" }, pause: { wait: { for: "1d" } } },
  });
  await world.track({ name: "signed_up" }, { name: "signed_up", external_id: "user-2" });
  await world.settle();
  assert.deepEqual(await readPaths(world), ["mail next, at pause", "mail next, at pause"]);
  const sends = await world.sql<{ run_id: string; visit: number; id: string }[]>`
    select run_id, visit, id from public.sends order by id`;
  assert.equal(sends.length, 2);
  const steps = await world.readSteps();
  assert.deepEqual(
    new Set(steps.map(({ outcome }) => outcome.send_id)),
    new Set(sends.map(({ id }) => id)),
  );
});

const tagging: Definition = {
  trigger: { event: "signed_up" },
  start: "tag",
  steps: {
    tag: { update: { attributes: { tagged: true } }, next: "pause" },
    pause: { wait: { for: "1d" } },
  },
};

Deno.test("an erasure during a step ends the run, which does nothing more", async () => {
  await using world = await createJourneyWorld();
  const { sql, workspaceId } = world;
  const destination = await createDestination(world, "{journey.exited}");
  await world.publish(tagging);
  const [customerId] = await world.track({ name: "signed_up" });
  for (let round = 0; round < 5; round++) {
    await sql`select private.fold_segments(${new Date(world.now)})`;
  }
  const work = startWork(world);
  const runs = await work.claim({ limit: 10, isOnlyProven: false });
  assert.equal(runs.length, 1);
  const results = await Promise.all(runs.map((run) => work.run(run, new AbortController().signal)));
  await eraseCustomers(sql, workspaceId, [customerId!]);
  assert.equal(await work.record(results), 0);
  await world.settle();
  const messages = await readMessages(world);
  assert.deepEqual(
    messages.map(({ destination_id, payload }) => [destination_id, payload.reason]),
    [
      [destination, "deleted"],
    ],
  );
  assert.deepEqual(messages[0]!.payload.customer, { id: customerId });
  await sql`
    select private.run_erasures(now() + make_interval(mins => m), clock_timestamp() + interval '4 s')
    from generate_series(1, 3) as m`;
  assert.equal((await world.readRuns()).length, 0);
  assert.equal((await world.readSteps()).length, 0);
});

Deno.test("an update that would make the attributes too large is skipped, and the run continues", async () => {
  await using world = await createJourneyWorld();
  await world.publish(tagging);
  const attributes = { long: "x".repeat(65_510) };
  await world.track({ kind: "identify", attributes } as never, { name: "signed_up" });
  await world.settle();
  assert.deepEqual(await readPaths(world), ["tag too_large, at pause"]);
});

Deno.test("the figures equal the log", async () => {
  await using world = await createJourneyWorld();
  await world.publish(tagging);
  await world.track({ name: "signed_up" }, { name: "signed_up", external_id: "user-2" });
  await world.settle();
  await world.pass(86_400_000);
  await world.sql`select private.fold_journey_stats(1000)`;
  const rows = await world.sql<{ name: string; count: number }[]>`
    select step || ' ' || kind as name, count::integer from public.journey_stats order by 1`;
  assert.deepEqual(rows.map(({ name, count }) => [name, count]), [
    [" entered", 2],
    [" exited:completed", 2],
    ["pause came", 2],
    ["pause left:next", 2],
    ["tag came", 2],
    ["tag left:next", 2],
  ]);
});
