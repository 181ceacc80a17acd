import assert from "node:assert/strict";
import { createWorkspace } from "../../testing/data/factories.ts";
import { respond } from "../../testing/receivers/receiver_behaviours.ts";
import { connectSend, createSendWorld, type SendWorld } from "../../testing/service/send_world.ts";
import { claimSends } from "../../supabase/functions/send-dispatch/send_queue.ts";

async function claim(world: SendWorld, limit: number): Promise<string[]> {
  const sql = connectSend(world.db.url);
  try {
    const worker = crypto.randomUUID();
    const now = world.clock.now;
    const sends = await claimSends(sql, { worker, limit, leaseSeconds: 60, now });
    return sends.map(({ send_id }) => send_id);
  } finally {
    await sql.end();
  }
}

const times = <Item>(count: number, item: Item): Item[] =>
  Array.from({ length: count }, () => item);

Deno.test("a workspace with a large backlog does not delay another one", async () => {
  await using world = await createSendWorld();
  const large = await createWorkspace(world.sql);
  const busy = await world.addSender(9, { workspaceId: large, maxConcurrency: 100 });
  await world.create(...times(2_000, { workspace_id: large, sender_id: busy }));
  const sender_id = await world.addSender(9);
  const customer_id = await world.addCustomer("ada@example.com");
  world.clock.advance(1_000);
  const [id] = await world.create({ sender_id, customer_id });
  const claimed = await claim(world, 20);
  assert(claimed.includes(id!), "the first claim has it, though 2,000 others came earlier");
});

Deno.test("a sender that is down does not delay the others, and is tried again by one message", async () => {
  await using world = await createSendWorld();
  const down = await world.receive({ behaviour: respond(503) });
  const healthy = await world.receive();
  const broken = await world.addSender(down.port);
  const sender_id = await world.addSender(healthy.port);
  const customer_id = await world.addCustomer("ada@example.com");
  await world.create(...times(40, { sender_id: broken, customer_id }));
  await world.dispatch();
  const [lane] = await world.sql`select * from private.send_lanes where sender_id = ${broken}`;
  assert(lane!.open_until > world.clock.now, "the breaker is open");
  const failed = down.requests.length;
  assert(failed < 40, "the rest was given back");

  const [id] = await world.create({ sender_id, customer_id });
  await world.dispatch();
  assert.equal((await world.read(id!)).state, "sent");
  assert.equal(down.requests.length, failed);

  world.clock.now = lane!.open_until;
  await world.dispatch();
  assert.equal(down.requests.length, failed + 1, "one probe");
});

Deno.test("a message without a topic goes before marketing of the same sender", async () => {
  await using world = await createSendWorld();
  const sender_id = await world.addSender(9, { maxConcurrency: 1 });
  const customer_id = await world.addCustomer("ada@example.com");
  await world.create(...times(5, { sender_id, customer_id, topic_id: world.topicId }));
  world.clock.advance(1_000);
  const [id] = await world.create({ sender_id, customer_id });
  assert.deepEqual(await claim(world, 100), [id]);
});

Deno.test("a rate limit hands out what its tokens allow", async () => {
  await using world = await createSendWorld();
  const sender_id = await world.addSender(9, { ratePerSecond: 10, maxConcurrency: 100 });
  const customer_id = await world.addCustomer("ada@example.com");
  await world.create(...times(30, { sender_id, customer_id }));
  world.clock.advance(10_000);
  assert.equal((await claim(world, 100)).length, 1);
  const [backlog] = await world.sql`select limited_by, rate_allowed from ops.send_backlog`;
  assert.deepEqual({ ...backlog }, { limited_by: "rate", rate_allowed: 10 });
});

Deno.test("a failing sender is announced once, and its recovery", async () => {
  await using world = await createSendWorld();
  const receiver = await world.receive({ behaviour: respond(500) });
  const sender_id = await world.addSender(receiver.port, { maxConcurrency: 1 });
  const customer_id = await world.addCustomer("ada@example.com");
  await world.sql`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${world.workspaceId}, 'x', 'https://x.test/', '{sender.*}')`;
  await world.create(...times(5, { sender_id, customer_id }));
  for (let i = 0; i < 10; i++) {
    await world.dispatch();
    world.clock.advance(61_000);
  }
  const types = async () =>
    (await world.sql`select event_type from public.webhook_messages order by created_at, id`)
      .map(({ event_type }) => event_type);
  assert.deepEqual(await types(), ["sender.failing"]);
  receiver.use(respond(200));
  world.clock.advance(3_600_000);
  await world.dispatch();
  assert.deepEqual(await types(), ["sender.failing", "sender.recovered"]);
});

Deno.test("concurrent workers send each message once", async () => {
  await using world = await createSendWorld();
  const receiver = await world.receive();
  const customer_id = await world.addCustomer("ada@example.com");
  const senders = await Promise.all(times(4, 0).map(() => world.addSender(receiver.port)));
  const ids = await world.create(
    ...senders.flatMap((sender_id) => times(25, { sender_id, customer_id })),
  );
  await Promise.all(times(3, 0).map(() => world.dispatch()));
  await world.dispatch();
  assert.equal(receiver.requests.length, ids.length);
  const [row] = await world
    .sql`select count(*)::int as sent from public.sends where state = 'sent'`;
  assert.equal(row!.sent, ids.length);
});
