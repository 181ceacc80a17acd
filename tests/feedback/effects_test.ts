import assert from "node:assert/strict";
import type postgres from "postgres";
import { eraseCustomers, ingestFor, runFrequentTasksFor } from "../../testing/data/erasures.ts";
import { createApiKey } from "../../testing/data/factories.ts";
import { createInboundWorld } from "../../testing/data/inbound.ts";
import { createSentMessage, readSendState } from "../../testing/data/sent_messages.ts";
import { createTrackWorld, type TrackWorld } from "../../testing/service/app.ts";

const ada = "ada@example.com";

async function readConsequences(
  sql: postgres.Sql,
): Promise<{ suppressed: string[]; withdrawn: string[] }> {
  const suppressions = await sql<{ text: string }[]>`
    select reason || ' ' || coalesce(address, 'erased') as text from public.suppressions order by 1`;
  const consents = await sql<{ text: string }[]>`
    select coalesce(t.key, 'all') as text
    from private.consents as c
    left join public.topics as t on t.workspace_id = c.workspace_id and t.id = c.topic_id
    where not c.subscribed order by 1`;
  return {
    suppressed: suppressions.map(({ text }) => text),
    withdrawn: consents.map(({ text }) => text),
  };
}

const nothing = { suppressed: [], withdrawn: [] };

interface EffectCase {
  title: string;
  name: string;
  properties?: Record<string, unknown>;
  after: { suppressed: string[]; withdrawn: string[] };
}

const cases: readonly EffectCase[] = [
  {
    title: "a hard bounce suppresses the customer's address",
    name: "email_bounced",
    properties: { bounce_type: "hard" },
    after: { suppressed: [`hard_bounce ${ada}`], withdrawn: [] },
  },
  {
    title: "a hard bounce suppresses the address that it names",
    name: "email_bounced",
    properties: { bounce_type: "hard", email: "Other@Example.com" },
    after: { suppressed: ["hard_bounce other@example.com"], withdrawn: [] },
  },
  {
    title: "a hard bounce suppresses the address that it names in another spelling",
    name: "email_bounced",
    properties: { bounce_type: "hard", email: "Ada@xn--bcher-kva.example" },
    after: { suppressed: ["hard_bounce ada@bücher.example"], withdrawn: [] },
  },
  {
    title: "a soft bounce suppresses nothing",
    name: "email_bounced",
    properties: { bounce_type: "soft" },
    after: nothing,
  },
  {
    title: "a bounce of unknown type suppresses nothing",
    name: "email_bounced",
    properties: { bounce_type: "Permanent" },
    after: nothing,
  },
  {
    title: "a complaint suppresses and withdraws everything",
    name: "email_complained",
    after: { suppressed: [`complaint ${ada}`], withdrawn: ["all"] },
  },
  {
    title: "an unsubscription withdraws everything",
    name: "unsubscribed",
    after: { suppressed: [], withdrawn: ["all"] },
  },
  {
    title: "an unsubscription withdraws the topic that it names",
    name: "unsubscribed",
    properties: { topic: "offers" },
    after: { suppressed: [], withdrawn: ["offers"] },
  },
  {
    title: "an unsubscription from a topic that nobody knows withdraws everything",
    name: "unsubscribed",
    properties: { topic: "ofers" },
    after: { suppressed: [], withdrawn: ["all"] },
  },
  {
    title: "an address that is not one is left out for the customer's",
    name: "email_complained",
    properties: { email: ["x"] },
    after: { suppressed: [`complaint ${ada}`], withdrawn: ["all"] },
  },
  { title: "another event has no effect", name: "email_opened", after: nothing },
];

async function prepare({ db, workspaceId }: TrackWorld): Promise<void> {
  await db.sql`
    insert into public.topics (workspace_id, key, name, default_state)
    values (${workspaceId}, 'offers', 'Offers', 'subscribed')`;
  await ingestFor(db.sql, workspaceId, [
    { kind: "identify", external_id: "ada", profile: { email: ada } },
  ]);
}

for (const { title, name, properties = {}, after } of cases) {
  Deno.test(`with a key that may send, ${title}; with the key of a web page, nothing does`, async () => {
    await using world = await createTrackWorld();
    await prepare(world);
    const { db, workspaceId } = world;
    const scopes = ["track:write", "sends:write"];
    const key = await createApiKey(db.sql, { workspaceId, scopes });
    const event = { name, external_id: "ada", properties };
    const bodies = [event, { events: [event] }];
    for (const body of bodies) assert.equal((await world.send(body)).status, 200);
    assert.deepEqual(await readConsequences(db.sql), nothing);
    await using trusted = world.startInstance({ key });
    for (const body of bodies) {
      assert.equal((await trusted.send(body)).status, 200);
      assert.deepEqual(await readConsequences(db.sql), after);
      await db.sql`delete from public.suppressions`;
      await db.sql`delete from private.consents`;
    }
  });
}

Deno.test("a repeated event with an idempotency key takes effect once", async () => {
  await using world = await createTrackWorld({ scopes: ["track:write", "sends:write"] });
  await prepare(world);
  const event = { name: "unsubscribed", external_id: "ada", idempotency_key: "k1" };
  await world.send(event);
  await world.db.sql`delete from private.consents`;
  assert.equal((await world.send(event)).body.duplicate, true);
  assert.deepEqual(await readConsequences(world.db.sql), nothing);
});

const tracked: Record<string, (send: string, messageId: string) => Record<string, unknown>> = {
  "its send_id": (send_id) => ({ send_id, email: ada }),
  "our Message-ID": (_, message_id) => ({ message_id }),
  "the address": () => ({}),
};

for (const [title, properties] of Object.entries(tracked)) {
  Deno.test(`a tracked complaint settles the send that it is about: by ${title}`, async () => {
    await using world = await createTrackWorld({ scopes: ["track:write", "sends:write"] });
    const { sql } = world.db;
    const send = await createSentMessage(sql, world.workspaceId);
    const event = { name: "email_complained", external_id: "ada" };
    const named = properties(send, `<${send}@example.com>`);
    assert.equal((await world.send({ ...event, properties: named })).status, 200);
    assert.equal((await readSendState(sql, send)).feedback, "complained");
  });
}

Deno.test("a tracked complaint of another address, or about another message, settles no send", async () => {
  await using world = await createTrackWorld({ scopes: ["track:write", "sends:write"] });
  const { sql } = world.db;
  const send = await createSentMessage(sql, world.workspaceId);
  const others = [
    { email: "x@example.com" },
    { send_id: send, email: "x@example.com" },
    { send_id: "0199a000-0000-7000-8000-00000000000b" },
    { send_id: "none", message_id: 7, email: "x@example.com" },
  ];
  for (const properties of others) {
    await world.send({ name: "email_complained", external_id: "ada", properties });
  }
  assert.equal((await readSendState(sql, send)).feedback, null);
});

Deno.test("tracked soft bounces with a tracked delivery in between suppress nobody", async () => {
  await using world = await createTrackWorld({ scopes: ["track:write", "sends:write"] });
  const { sql } = world.db;
  const report = async (name: string) => {
    const properties = {
      bounce_type: "soft",
      send_id: await createSentMessage(sql, world.workspaceId),
    };
    assert.equal((await world.send({ name, external_id: "ada", properties })).status, 200);
    return properties.send_id;
  };
  for (let count = 0; count < 2; count++) await report("email_bounced");
  const delivered = await report("email_delivered");
  assert.equal((await readSendState(sql, delivered)).feedback, "delivered");
  for (let count = 0; count < 2; count++) await report("email_bounced");
  assert.deepEqual((await readConsequences(sql)).suppressed, []);
  await report("email_bounced");
  assert.deepEqual((await readConsequences(sql)).suppressed, [`soft_bounces ${ada}`]);
});

Deno.test("an event of any inbound source takes effect, with its own mapping too", async () => {
  await using world = await createInboundWorld();
  const mapping = {
    name: "/event",
    email: "/email",
    properties: { bounce_type: { value: "hard" }, email: "/email" },
  };
  const source = await world.createSource({ mapping });
  const body = JSON.stringify({ event: "email_bounced", email: ada });
  assert.equal((await world.deliver({ source, body })).body.accepted, 1);
  const { suppressed } = await readConsequences(world.db.sql);
  assert.deepEqual(suppressed, [`hard_bounce ${ada}`]);
});

const later: Record<string, (world: TrackWorld) => Promise<unknown>> = {
  "a merge": ({ db, workspaceId }) =>
    ingestFor(db.sql, workspaceId, [
      { kind: "identify", external_id: "grace", profile: { email: ada } },
      { kind: "alias", external_id: "grace", previous_id: "ada" },
    ]),
  "a re-import": ({ db, workspaceId }) =>
    ingestFor(db.sql, workspaceId, [
      { kind: "identify", external_id: "ada-2", profile: { email: "ADA@example.com" } },
    ]),
  "another address and back": ({ db, workspaceId }) =>
    ingestFor(db.sql, workspaceId, [
      { kind: "identify", external_id: "ada", profile: { email: "new@example.com" } },
      { kind: "identify", external_id: "ada", profile: { email: ada } },
    ]),
  "an erasure": async ({ db, workspaceId }) => {
    const rows = await db.sql<{ id: string }[]>`select id from public.customers`;
    await eraseCustomers(db.sql, workspaceId, rows.map(({ id }) => id));
    await runFrequentTasksFor(db.sql, { seconds: 60 });
    const [row] = await db.sql`select count(*)::integer as count from public.customers`;
    assert.equal(row!.count, 0);
    await ingestFor(db.sql, workspaceId, [
      { kind: "identify", external_id: "ada", profile: { email: ada } },
    ]);
  },
};

for (const [what, happen] of Object.entries(later)) {
  Deno.test(`a complaint and an opt-out outlast ${what}`, async () => {
    await using world = await createTrackWorld({ scopes: ["track:write", "sends:write"] });
    await prepare(world);
    const { db, workspaceId } = world;
    await world.send({ name: "email_complained", external_id: "ada" });
    await happen(world);
    const [row] = await db.sql`
      select
        private.is_suppressed(${workspaceId}, 'email', ${ada}) as suppressed,
        private.is_subscribed(${workspaceId}, 'email', ${ada}, (select id from public.topics)) as subscribed`;
    assert.deepEqual({ ...row }, { suppressed: true, subscribed: false });
  });
}

Deno.test("another address of a customer takes the opt-outs along, and no suppression", async () => {
  await using world = await createTrackWorld({ scopes: ["track:write", "sends:write"] });
  await prepare(world);
  const { db, workspaceId } = world;
  await world.send({ name: "email_complained", external_id: "ada" });
  await ingestFor(db.sql, workspaceId, [
    { kind: "identify", external_id: "ada", profile: { email: "new@example.com" } },
  ]);
  const [row] = await db.sql`
    select
      private.is_suppressed(${workspaceId}, 'email', 'new@example.com') as suppressed,
      private.is_subscribed(${workspaceId}, 'email', 'new@example.com', (select id from public.topics)) as subscribed`;
  assert.deepEqual({ ...row }, { suppressed: false, subscribed: false });
});

Deno.test("a complaint in another spelling of the address stays a complaint", async () => {
  await using world = await createTrackWorld({ scopes: ["track:write", "sends:write"] });
  const { sql } = world.db;
  const send_id = await createSentMessage(sql, world.workspaceId);
  const properties = { email: "ADA@example.com", send_id };
  await world.send({ name: "email_complained", external_id: "ada", properties });
  assert.equal((await readSendState(sql, send_id)).feedback, "complained");
  const consents = await sql`select source, subscribed from private.consents`;
  assert.deepEqual(consents.map((row) => ({ ...row })), [
    { source: "complaint", subscribed: false },
  ]);
});

Deno.test("a complaint about a mail to a former address is an opt-out of the address of today", async () => {
  await using world = await createTrackWorld({ scopes: ["track:write", "sends:write"] });
  await prepare(world);
  const { db, workspaceId } = world;
  const sendId = await createSentMessage(db.sql, workspaceId);
  await ingestFor(db.sql, workspaceId, [
    { kind: "identify", external_id: "ada", profile: { email: "new@example.com" } },
  ]);
  const read = async (address: string) => {
    const [row] = await db.sql`
      select
        private.is_suppressed(${workspaceId}, 'email', ${address}) as suppressed,
        private.is_subscribed(${workspaceId}, 'email', ${address}, (select id from public.topics)) as subscribed`;
    return { ...row };
  };
  // Not about a mail of the service, so about the address alone.
  await world.send({
    name: "email_complained",
    external_id: "ada",
    properties: { email: "other@example.com" },
  });
  assert.deepEqual(await read("new@example.com"), { suppressed: false, subscribed: true });
  await world.send({
    name: "email_complained",
    external_id: "ada",
    properties: { email: ada, send_id: sendId },
  });
  assert.deepEqual(await read(ada), { suppressed: true, subscribed: false });
  assert.deepEqual(await read("new@example.com"), { suppressed: false, subscribed: false });
});
