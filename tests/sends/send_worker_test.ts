import assert from "node:assert/strict";
import { closeAfterRequest, respond } from "../../testing/receivers/receiver_behaviours.ts";
import { addTemplate, createSendWorld, linksUrl } from "../../testing/service/send_world.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

Deno.test("a message is rendered, handed over once and recorded with its event", async () => {
  await using world = await createSendWorld();
  const receiver = await world.receive({ behaviour: respond(200, { body: '{"id":"r-1"}' }) });
  const sender_id = await world.addSender(receiver.port);
  const customer_id = await world.addCustomer("ada@example.com");
  const [id] = await world.create({
    sender_id,
    customer_id,
    topic_id: world.topicId,
    data: { order: "o 1" },
  });

  await world.dispatch();

  const [request] = receiver.requests;
  const headers = new Map(request!.headers.map(([name, value]) => [name.toLowerCase(), value]));
  assert.deepEqual([receiver.requests.length, headers.get("idempotency-key")], [1, id]);
  assert.equal(headers.get("authorization"), "Bearer secret");
  const body = JSON.parse(new TextDecoder().decode(request!.body));
  assert.deepEqual([body.from, body.to, body.subject], [
    "Acme <hello@acme.example>",
    ["ada@example.com"],
    "Hello Ada",
  ]);
  assert.equal(body.headers["Message-ID"], `<${id}@acme.example>`);
  assert.equal(body.headers["X-Signalpost-Send"], id);
  assert.equal(body.headers["List-Unsubscribe-Post"], "List-Unsubscribe=One-Click");
  const unsubscribe = body.headers["List-Unsubscribe"].slice(1, -1);
  assert(unsubscribe.startsWith(`${linksUrl}/u/`));
  assert(body.html.includes(`href="${unsubscribe}"`), body.html);
  assert(body.text.includes(unsubscribe));
  assert(body.html.includes(`href="${linksUrl}/c/`), "clicks are tracked");
  assert(body.html.includes(`src="${linksUrl}/o/`), "opens are tracked");

  const send = await world.read(id!);
  assert.deepEqual([send.state, send.email, send.provider_id, send.links], [
    "sent",
    "ada@example.com",
    "r-1",
    ["https://shop.test/?id=o 1"],
  ]);
  assert.deepEqual(send.attempts.map(({ outcome, status_code }) => [outcome, status_code]), [
    ["sent", 200],
  ]);
  assert.deepEqual(await world.events(customer_id), ["email_sent"]);
  await world.dispatch();
  assert.equal(receiver.requests.length, 1);
});

Deno.test("a temporary failure is retried on the schedule, and the last one fails the message", async () => {
  await using world = await createSendWorld();
  const receiver = await world.receive({ behaviour: respond(500) });
  const sender_id = await world.addSender(receiver.port);
  const customer_id = await world.addCustomer("ada@example.com");
  const [id] = await world.create({ sender_id, customer_id });
  await world.dispatch();
  const delays = [1, 5, 30, 2 * 60, 6 * 60, 12 * 60, 24 * 60];
  for (const [i, minutes] of delays.entries()) {
    assert.deepEqual([(await world.read(id!)).state, receiver.requests.length], ["queued", i + 1]);
    world.clock.advance(minutes * minuteMs - 1);
    await world.dispatch();
    assert.equal(receiver.requests.length, i + 1, "not before its time");
    world.clock.advance(1);
    await world.dispatch();
  }
  const send = await world.read(id!);
  assert.deepEqual([send.state, send.reason, send.attempts.length], [
    "failed",
    "provider_error",
    8,
  ]);
  assert.deepEqual(await world.events(customer_id), ["email_failed"]);
  world.clock.advance(48 * hourMs);
  await world.dispatch();
  assert.equal(receiver.requests.length, 8);
});

Deno.test("a permanent refusal is not retried", async () => {
  await using world = await createSendWorld();
  const receiver = await world.receive({ behaviour: respond(422) });
  const sender_id = await world.addSender(receiver.port);
  const customer_id = await world.addCustomer("ada@example.com");
  const [id] = await world.create({ sender_id, customer_id });
  await world.dispatch();
  const send = await world.read(id!);
  assert.deepEqual([send.state, send.reason, send.attempts.length], ["failed", "rejected", 1]);
  assert.deepEqual(await world.events(customer_id), ["email_failed"]);
});

Deno.test("Retry-After pauses the sender, and the message waits as long", async () => {
  await using world = await createSendWorld();
  const behaviour = respond(429, { headers: [["Retry-After", "600"]] });
  const receiver = await world.receive({ behaviour });
  const sender_id = await world.addSender(receiver.port, { maxConcurrency: 1 });
  const customer_id = await world.addCustomer("ada@example.com");
  const ids = await world.create({ sender_id, customer_id }, { sender_id, customer_id });
  await world.dispatch();
  assert.equal(receiver.requests.length, 1, "the second was given back");
  receiver.use(respond(200));
  world.clock.advance(600_000 - 1);
  await world.dispatch();
  assert.equal(receiver.requests.length, 1);
  world.clock.advance(1);
  await world.dispatch();
  for (const id of ids) assert.equal((await world.read(id)).state, "sent");
});

Deno.test("a connection lost after the request leaves unknown, unless the provider takes a key", async () => {
  await using world = await createSendWorld();
  const receiver = await world.receive({ behaviour: closeAfterRequest() });
  const customer_id = await world.addCustomer("ada@example.com");
  const states = async (provider: string, onUnknown: "stop" | "repeat") => {
    const sender_id = await world.addSender(receiver.port, { provider, onUnknown });
    const [id] = await world.create({ sender_id, customer_id });
    await world.dispatch();
    return (await world.read(id!)).state;
  };
  assert.equal(await states("postmark", "stop"), "unknown");
  assert.equal(await states("postmark", "repeat"), "queued");
  assert.equal(await states("resend", "stop"), "queued");
  assert.deepEqual(await world.events(customer_id), []);
});

Deno.test("a message whose template cannot be rendered fails with the reason", async () => {
  await using world = await createSendWorld();
  const receiver = await world.receive();
  const sender_id = await world.addSender(receiver.port);
  const customer_id = await world.addCustomer("ada@example.com");
  const template_id = await addTemplate(world.sql, world.workspaceId, {
    subject: "Hello {{ customer.nickname }}",
    html: null,
    text: "x",
    isStrict: true,
  });
  const [id] = await world.create({ sender_id, customer_id, template_id });
  await world.dispatch();
  const send = await world.read(id!);
  assert.deepEqual([send.state, send.reason], ["failed", "missing_variable"]);
  assert.equal(receiver.requests.length, 0);
});

Deno.test("a marketing message whose conditions leave out the link to unsubscribe is not sent", async () => {
  await using world = await createSendWorld();
  const receiver = await world.receive();
  const template_id = await addTemplate(world.sql, world.workspaceId, {
    subject: "Hello",
    html: '<p>Hi</p>{% if trigger.shown %}<a href="{{ unsubscribe_url }}">Leave</a>{% endif %}',
    text: "Hi {{ preferences_url }}",
    hasUnsubscribe: true,
  });
  const send = {
    sender_id: await world.addSender(receiver.port),
    customer_id: await world.addCustomer("ada@example.com"),
    template_id,
  };
  const outcome = async (more: object) => {
    const [id] = await world.create({ ...send, ...more });
    await world.dispatch();
    const { state, reason } = await world.read(id!);
    return [state, reason];
  };
  const marketing = { topic_id: world.topicId };
  const refused = ["skipped", "no_unsubscribe_link"];
  assert.deepEqual(await outcome(marketing), refused);
  assert.deepEqual(await outcome({ ...marketing, data: { shown: false } }), refused);
  assert.deepEqual(await outcome({ ...marketing, data: { shown: true } }), ["sent", null]);
  assert.deepEqual(await outcome({}), ["sent", null], "a transactional message needs none");
});

Deno.test("the same key creates one message", async () => {
  await using world = await createSendWorld();
  const receiver = await world.receive();
  const sender_id = await world.addSender(receiver.port);
  const customer_id = await world.addCustomer("ada@example.com");
  const send = { sender_id, customer_id, key: "api:1" };
  const both = await world.create(send, send);
  assert.deepEqual(await world.create(send), both.slice(0, 1));
  assert.equal(both[0], both[1]);
  await world.dispatch();
  assert.equal(receiver.requests.length, 1);
});

Deno.test("wrong credentials make the sender fail, and a change of it sends what waited", async () => {
  await using world = await createSendWorld();
  const receiver = await world.receive({ behaviour: respond(401) });
  const sender_id = await world.addSender(receiver.port, { maxConcurrency: 1 });
  const customer_id = await world.addCustomer("ada@example.com");
  const [id] = await world.create({ sender_id, customer_id });
  await world.dispatch();
  assert.deepEqual((await world.read(id!)).state, "queued");
  const [lane] = await world.sql`select * from private.send_lanes where sender_id = ${sender_id}`;
  assert.deepEqual([lane!.failures, lane!.last_error], [1, "unauthorized"]);
  receiver.use(respond(200));
  world.clock.advance(minuteMs);
  await world.dispatch();
  assert.equal((await world.read(id!)).state, "sent");
});

Deno.test("a log line names the send and no address", async () => {
  await using world = await createSendWorld();
  const receiver = await world.receive();
  const sender_id = await world.addSender(receiver.port);
  const customer_id = await world.addCustomer("ada@example.com");
  const [id] = await world.create({ sender_id, customer_id });
  await world.dispatch();
  const line = world.lines.find(({ msg }) => msg === "send");
  assert.deepEqual([line?.send_id, line?.action, line?.provider], [id, "sent", "resend"]);
  assert.doesNotMatch(JSON.stringify(world.lines), /ada@example|secret"/);
});
