import assert from "node:assert/strict";
import { respond } from "../../testing/receivers/receiver_behaviours.ts";
import { createSendWorld, type SendWorld } from "../../testing/service/send_world.ts";

/** A sender whose credentials are wrong, with messages that wait for their next attempt. */
async function createWaiting(world: SendWorld, messages: number) {
  const receiver = await world.receive({ behaviour: respond(401) });
  const sender_id = await world.addSender(receiver.port, { maxConcurrency: 100 });
  const customer_id = await world.addCustomer("ada@example.com");
  const ids = await world.create(
    ...Array.from({ length: messages }, () => ({ sender_id, customer_id })),
  );
  await world.dispatch();
  return { receiver, sender_id, customer_id, ids };
}

async function countStates(world: SendWorld): Promise<Record<string, number>> {
  const rows = await world.sql<{ state: string; count: number }[]>`
    select state, count(*)::int from public.sends group by state`;
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

const correct = (world: SendWorld, id: string) =>
  world.sql`update public.senders set config = config || '{"note": 1}' where id = ${id}`;

Deno.test("messages that wait for a sender are due at once when it is corrected", async () => {
  await using world = await createSendWorld();
  const { receiver, sender_id } = await createWaiting(world, 3);
  assert.deepEqual(await countStates(world), { queued: 3 });
  receiver.use(respond(200));
  await world.dispatch();
  assert.deepEqual(await countStates(world), { queued: 3 }, "not before");
  await correct(world, sender_id);
  world.clock.now = new Date();
  await world.dispatch();
  assert.deepEqual(await countStates(world), { sent: 3 });
});

Deno.test("a correction changes no message of a disabled or another sender, and none that was never tried", async () => {
  await using world = await createSendWorld();
  const { receiver, sender_id, customer_id } = await createWaiting(world, 1);
  const other = await world.addSender(receiver.port);
  const due_at = new Date(world.clock.now.getTime() + 3_600_000);
  const [later] = await world.create({ sender_id, customer_id, due_at });
  const [waiting] = await world.create({ sender_id: other, customer_id });
  await world.dispatch();
  await world.sql`update public.senders set enabled = false where id = ${sender_id}`;
  const dueAt = async () =>
    Object.fromEntries(
      (await world.sql<{ send_id: string; due_at: Date }[]>`
      select send_id, due_at from private.send_queue`).map((row) => [row.send_id, row.due_at]),
    );
  const before = await dueAt();
  await correct(world, sender_id);
  assert.deepEqual(await dueAt(), before, "disabled");
  await world.sql`update public.senders set enabled = true where id = ${sender_id}`;
  const after = await dueAt();
  const changed = Object.keys(before).filter((id) => +before[id]! !== +after[id]!);
  assert.equal(changed.length, 1);
  assert.deepEqual([after[later!], after[waiting!]], [before[later!], before[waiting!]]);
});

Deno.test("a correction makes each of many messages due once, in steps", async () => {
  await using world = await createSendWorld();
  const { sender_id } = await createWaiting(world, 1);
  const step = 1_000;
  // As after attempts that failed.
  await world.sql`
    insert into private.send_queue (workspace_id, sender_id, send_id, due_at, attempts, is_marketing)
    select ${world.workspaceId}, ${sender_id}, private.uuid_v7(now(), n), now() + interval '1 day', 3, true
    from generate_series(1, ${2 * step}) as n`;
  const countDue = async () => {
    const [row] = await world.sql<{ due: number }[]>`
      select count(*)::int as due from private.send_queue where due_at <= now()`;
    return row!.due;
  };
  await correct(world, sender_id);
  assert.equal(await countDue(), step);
  // They fail again: their own times hold.
  await world.sql`update private.send_queue set due_at = now() + interval '1 day'`;
  const looked: number[] = [];
  for (let n = 0; n < 3; n++) {
    const [row] = await world.sql<{ seen: number }[]>`
      select private.retry_corrected_senders(${step}) as seen`;
    looked.push(row!.seen);
  }
  assert.deepEqual([looked, await countDue()], [[step, 1, 0], step + 1]);
});
