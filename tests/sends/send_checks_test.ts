import assert from "node:assert/strict";
import { respond } from "../../testing/receivers/receiver_behaviours.ts";
import { addTemplate, createSendWorld, type SendWorld } from "../../testing/service/send_world.ts";

const hourMs = 3_600_000;

async function createReadyWorld() {
  const world = await createSendWorld();
  const receiver = await world.receive();
  const sender_id = await world.addSender(receiver.port);
  const customer_id = await world.addCustomer("ada@example.com");
  return { world, receiver, send: { sender_id, customer_id, topic_id: world.topicId } };
}

async function setSettings(
  { sql, workspaceId }: SendWorld,
  { caps = [], quiet_hours = null }: { caps?: object[]; quiet_hours?: object | null },
) {
  await sql`
    insert into public.send_settings (workspace_id, caps, quiet_hours)
    values (
      ${workspaceId}, ${JSON.stringify(caps)}::text::jsonb,
      nullif(${JSON.stringify(quiet_hours)}::text::jsonb, 'null')
    )`;
}

async function setConsent({ sql, workspaceId, topicId }: SendWorld, subscribed: boolean) {
  const change = { address: "ada@example.com", topic_id: topicId, subscribed, source: "link" };
  await sql`select private.set_consents(${workspaceId}, ${JSON.stringify([change])}::text::jsonb)`;
}

/** Changes after the creation of a message, by the reason for which it is skipped. */
const reasons: Record<string, (world: SendWorld, send: { sender_id: string }) => Promise<unknown>> =
  {
    unsubscribed: (world) => setConsent(world, false),
    suppressed: ({ sql, workspaceId }) =>
      sql`select private.suppress(${workspaceId},
        '[{"email": "ADA@example.com", "reason": "manual", "source": "api"}]')`,
    no_address: ({ sql }) => sql`update public.customers set email = null`,
    template_deleted: ({ sql }) => sql`delete from public.templates`,
    topic_deleted: ({ sql }) => sql`delete from public.topics`,
    sender_deleted: ({ sql }) => sql`delete from public.senders`,
    no_unsubscribe_link: ({ sql }) =>
      sql`update public.template_versions set has_unsubscribe = false`,
    too_late: ({ sql }) => sql`update public.sends set not_after = now() - interval '1 hour'`,
    customer_deleted: ({ sql }) => sql`update public.sends set customer_id = gen_random_uuid()`,
  };

for (const [reason, act] of Object.entries(reasons)) {
  Deno.test(`a message that meets "${reason}" after its creation is skipped`, async () => {
    const { world, receiver, send } = await createReadyWorld();
    await using _ = world;
    const [id] = await world.create(send);
    await act(world, send);
    await world.dispatch();
    const row = await world.read(id!);
    assert.deepEqual([row.state, row.reason, receiver.requests.length], ["skipped", reason, 0]);
    assert.deepEqual([...await world.sql`select from private.send_queue`], []);
    const [lane] = await world.sql`select in_flight from private.send_lanes`;
    assert.equal(lane?.in_flight, 0);
  });
}

Deno.test("an opt-out between rendering and hand-over stops the message", async () => {
  const { world, receiver, send } = await createReadyWorld();
  await using _ = world;
  const [id] = await world.create(send);
  // Rendering asks for the template after the claim, so this is later than the claim.
  await world.sql`
    create function public.opt_out() returns trigger language plpgsql as $$
    begin
      perform private.set_consents(new.workspace_id, jsonb_build_array(jsonb_build_object(
        'address', 'ada@example.com', 'topic_id', null, 'subscribed', false, 'source', 'link')));
      return new;
    end $$`;
  await world.sql`
    create trigger opt_out after update of claim on private.send_queue
    for each row when (old.claim is null and new.claim is not null)
    execute function public.opt_out()`;
  await world.dispatch();
  const row = await world.read(id!);
  assert.deepEqual([row.state, row.reason, receiver.requests.length], [
    "skipped",
    "unsubscribed",
    0,
  ]);
});

Deno.test("consent, caps and quiet hours do not apply without a topic, suppression does", async () => {
  const { world, receiver, send } = await createReadyWorld();
  await using _ = world;
  await setConsent(world, false);
  await setSettings(world, {
    caps: [{ max: 0, per: "7d" }],
    quiet_hours: { from: "00:00", to: "23:59" },
  });
  const [id] = await world.create({ ...send, topic_id: null });
  await world.dispatch();
  assert.deepEqual([(await world.read(id!)).state, receiver.requests.length], ["sent", 1]);
});

Deno.test("two messages that race for the last place of a cap: one is sent", async () => {
  const { world, receiver, send } = await createReadyWorld();
  await using _ = world;
  await setSettings(world, { caps: [{ max: 1, per: "7d" }] });
  const other = await world.addSender(receiver.port);
  const ids = await world.create(send, { ...send, sender_id: other }, send);
  await Promise.all([world.dispatch(), world.dispatch()]);
  const rows = await Promise.all(ids.map((id) => world.read(id)));
  assert.deepEqual(rows.map(({ state }) => state).toSorted(), ["sent", "skipped", "skipped"]);
  assert.deepEqual(rows.filter(({ state }) => state === "skipped").map((r) => r.reason), [
    "capped",
    "capped",
  ]);
  assert.equal(receiver.requests.length, 1);
  world.clock.advance(7 * 24 * hourMs);
  const [later] = await world.create(send);
  await world.dispatch();
  assert.equal((await world.read(later!)).state, "sent");
});

Deno.test("with on_cap wait, a message waits for a free place, but not beyond not_after", async () => {
  const { world, send } = await createReadyWorld();
  await using _ = world;
  await setSettings(world, { caps: [{ max: 1, per: "24h" }] });
  const at = (hours: number) => new Date(world.clock.now.getTime() + hours * hourMs);
  await world.create(send);
  await world.dispatch();
  const [patient, hasty] = await world.create(
    { ...send, on_cap: "wait", not_after: at(48) },
    { ...send, on_cap: "wait", not_after: at(2) },
  );
  await world.dispatch();
  const states = async () => [(await world.read(patient!)).state, (await world.read(hasty!)).state];
  assert.deepEqual(await states(), ["queued", "skipped"]);
  world.clock.advance(24 * hourMs);
  await world.dispatch();
  assert.deepEqual(await states(), ["sent", "skipped"]);
});

Deno.test("a message that fails gives its place in the cap back", async () => {
  const { world, receiver, send } = await createReadyWorld();
  await using _ = world;
  await setSettings(world, { caps: [{ max: 1, per: "7d" }] });
  receiver.use(respond(422));
  const [failed] = await world.create(send);
  await world.dispatch();
  receiver.use(respond(200));
  const [sent] = await world.create(send);
  await world.dispatch();
  assert.deepEqual([(await world.read(failed!)).state, (await world.read(sent!)).state], [
    "failed",
    "sent",
  ]);
});

Deno.test("in quiet hours of the customer's zone a message waits for their end", async () => {
  const { world, send } = await createReadyWorld();
  await using _ = world;
  await setSettings(world, { quiet_hours: { from: "21:00", to: "08:00" } });
  await world.sql`update public.customers set timezone = 'Asia/Tokyo'`;
  // 22:30 in Tokyo, tomorrow: the queue looks no further back than now.
  const tomorrow = new Date(Date.now() + 24 * hourMs).toISOString().slice(0, 10);
  world.clock.now = new Date(`${tomorrow}T13:30:00Z`);
  const [id] = await world.create(send);
  await world.dispatch();
  const row = await world.read(id!);
  assert.deepEqual([row.state, row.reason], ["queued", "quiet_hours"]);
  const [queued] = await world.sql`select due_at from private.send_queue`;
  assert.equal(queued!.due_at.toISOString(), `${tomorrow}T23:00:00.000Z`);
  world.clock.now = queued!.due_at;
  await world.dispatch();
  assert.equal((await world.read(id!)).state, "sent");
});

Deno.test("an operator cannot stop the sends of an unknown workspace", async () => {
  await using world = await createSendWorld();
  const id = crypto.randomUUID();
  await assert.rejects(world.sql`select ops.stop_sending(${id})`, { code: "SP404" });
  await assert.rejects(world.sql`select ops.resume_sending(${id})`, { code: "SP404" });
});

Deno.test("a stopped workspace sends nothing, and continues where it was", async () => {
  const { world, receiver, send } = await createReadyWorld();
  await using _ = world;
  await world.sql`select ops.stop_sending(${world.workspaceId}, 'Wrong template')`;
  const [id] = await world.create({ ...send, topic_id: null });
  await world.dispatch();
  assert.deepEqual([(await world.read(id!)).state, receiver.requests.length], ["queued", 0]);
  const [backlog] = await world.sql`select limited_by, waiting::int from ops.send_backlog`;
  assert.deepEqual({ ...backlog }, { limited_by: "stopped", waiting: 1 });
  await world.sql`select ops.resume_sending(${world.workspaceId})`;
  await world.dispatch();
  assert.equal((await world.read(id!)).state, "sent");
});

Deno.test("a message for another address than it was rendered for is rendered again", async () => {
  const { world, receiver, send } = await createReadyWorld();
  await using _ = world;
  const [id] = await world.create({ ...send, topic_id: null });
  await world.sql`
    create function public.move_address() returns trigger language plpgsql as $$
    begin
      update public.customers set email = 'new@example.com' where email = 'ada@example.com';
      return new;
    end $$`;
  await world.sql`
    create trigger move_address after update of claim on private.send_queue
    for each row when (old.claim is null and new.claim is not null)
    execute function public.move_address()`;
  await world.dispatch();
  const row = await world.read(id!);
  assert.deepEqual([row.state, row.email, receiver.requests.length], [
    "sent",
    "new@example.com",
    1,
  ]);
});

Deno.test("a test goes to the given address, with no customer, event or tracking", async () => {
  const { world, receiver, send } = await createReadyWorld();
  await using _ = world;
  const template_id = await addTemplate(world.sql, world.workspaceId, {
    subject: "Hello {{ customer.first_name }}",
    html: '<a href="https://shop.test/">Shop</a>',
    text: null,
  });
  const { sender_id } = send;
  const [id] = await world.create({
    sender_id,
    template_id,
    email: "me@acme.example",
    purpose: "test",
  });
  await world.dispatch();
  const row = await world.read(id!);
  assert.deepEqual([row.state, row.email], ["sent", "me@acme.example"]);
  const body = JSON.parse(new TextDecoder().decode(receiver.requests[0]!.body));
  assert.equal(body.html, '<a href="https://shop.test/">Shop</a>');
  const events = await world.sql`select name from public.events where kind = 'event'`;
  assert.deepEqual([...events], []);
});
