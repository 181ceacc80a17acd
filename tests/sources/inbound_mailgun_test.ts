import assert from "node:assert/strict";
import { createApiWorld } from "../../testing/service/api_world.ts";
import { createInboundWorld, type InboundWorld } from "../../testing/data/inbound.ts";
import { mailgunKey, mailgunToken, signMailgun } from "../../testing/senders/mailgun.ts";

const at = new Date("2026-11-01T12:00:00Z");
const now = () => at;
const mapping = {
  name: "/event-data/event",
  names: { failed: "email_bounced", complained: "email_complained" },
  external_id: "/event-data/user",
  email: "/event-data/recipient",
};
const ours = { scheme: "mailgun", secret: mailgunKey, mapping } as const;

/** A body with a signature that is good, and with the given fields beside it. */
function sign(payload: object, options: Partial<Parameters<typeof signMailgun>[0]> = {}): string {
  return JSON.stringify({ signature: signMailgun({ at, ...options }), ...payload });
}

const failed = { "event-data": { event: "failed", user: "u1" } };
const forged = { "event-data": { event: "complained", user: "u2" } };

async function readNames({ db }: InboundWorld): Promise<unknown[]> {
  return (await db.sql`select name from public.events`).map(({ name }) => name);
}

/** Everything about what was received that is kept, as one text. */
async function readKept({ db }: InboundWorld): Promise<string> {
  const rows = await db.sql<{ text: string }[]>`
    select r::text as text from public.inbound_receipts as r
    union all select r::text from public.rejected_entries as r
    union all select e::text from public.events as e
    union all select k::text from private.idempotency_keys as k
    union all select t::text from private.inbound_tokens as t
  `;
  return rows.map(({ text }) => text).join("\n");
}

const firsts: Record<string, object> = {
  accepted: failed,
  ignored: { "event-data": { event: "opened", user: "u1" } },
  rejected: { "event-data": { event: "failed" } },
};

for (const [outcome, payload] of Object.entries(firsts)) {
  Deno.test(`a token of Mailgun's counts once, of a message that was ${outcome} too`, async () => {
    await using world = await createInboundWorld({ now });
    const source = await world.createSource(ours);
    const first = await world.deliver({ source, body: sign(payload) });
    assert.deepEqual([first.status, first.body[outcome]], [200, 1]);
    const namesBefore = await readNames(world);

    const repeated = await world.deliver({ source, body: sign(forged) });
    const { receipt_id, ...counts } = repeated.body;
    assert.equal(repeated.status, 200);
    assert.deepEqual(counts, { ok: true, accepted: 0, duplicates: 1, ignored: 0, rejected: 0 });
    assert.deepEqual(await readNames(world), namesBefore);
    const [receipt] = await world.db.sql`
      select outcome, body, results from public.inbound_receipts where id = ${receipt_id}`;
    assert.deepEqual({ ...receipt }, { outcome: "duplicate", body: null, results: [] });
    const rejected = await world.db.sql`select from public.rejected_entries`;
    assert.equal(rejected.length, outcome === "rejected" ? 1 : 0);
  });
}

Deno.test("a used token of Mailgun's lets no further item or customer through", async () => {
  await using world = await createInboundWorld({ now });
  const source = await world.createSource({
    ...ours,
    mapping: { name: "/event", external_id: "/user", email: "/recipient", items: "/events" },
  });
  const send = async (events: object[]) =>
    (await world.deliver({ source, body: sign({ events }) })).body;
  assert.equal((await send([{ event: "failed", user: "u1" }])).accepted, 1);
  const workspaceId = world.workspaceId;
  const customers = ["u2", "u3"].map((external_id) => ({
    workspace_id: workspaceId,
    kind: "identify",
    external_id,
    profile: { email: "shared@example.com" },
  }));
  await world.db.sql`select private.ingest(${JSON.stringify(customers)})`;
  const more = Array.from({ length: 5 }, (_, i) => ({ event: "failed", user: `x${i}` }));
  assert.equal((await send(more)).accepted, 0);
  assert.equal((await send([{ event: "failed", recipient: "shared@example.com" }])).accepted, 0);
  const rows = await world.db.sql`select from public.events where kind = 'event'`;
  assert.equal(rows.length, 1);
});

Deno.test("a used token of Mailgun's does not count again in a form that is JSON too", async () => {
  await using world = await createInboundWorld({ now });
  const source = await world.createSource(ours);
  assert.equal((await world.deliver({ source, body: sign(failed) })).body.accepted, 1);
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const body = sign({ a: `&payload=${encodeURIComponent(JSON.stringify(forged))}&b=` });
  assert.equal((await world.deliver({ source, body, headers })).body.accepted, 0);
  assert.deepEqual(await readNames(world), ["email_bounced"]);
});

Deno.test("one of several concurrent messages with one token of Mailgun's is stored", async () => {
  await using world = await createInboundWorld({ now });
  const source = await world.createSource(ours);
  const responses = await Promise.all(Array.from({ length: 20 }, (_, i) => {
    const body = sign({ "event-data": { event: "failed", user: `u${i}` } });
    return world.deliver({ source, body });
  }));
  assert.ok(responses.every(({ status }) => status === 200));
  assert.equal(responses.filter(({ body }) => body.accepted === 1).length, 1);
  assert.equal(responses.filter(({ body }) => body.duplicates === 1).length, 19);
  assert.deepEqual(await readNames(world), ["email_bounced"]);
});

Deno.test("a token of Mailgun's stays free if its message could not be stored", async () => {
  await using world = await createInboundWorld({ now });
  const { db } = world;
  const source = await world.createSource(ours);
  const send = () => world.deliver({ source, body: sign(failed) });
  for (const broken of ["ingest_reports(text, timestamptz)", "record_receipt(text, text)"]) {
    await db.sql.unsafe(`revoke execute on function private.${broken} from signalpost_ingest`);
    assert.equal((await send()).status, 500, broken);
    await db.sql.unsafe(`grant execute on function private.${broken} to signalpost_ingest`);
    assert.deepEqual(await readNames(world), [], broken);
  }
  const response = await send();
  assert.deepEqual([response.body.accepted, response.body.duplicates], [1, 0]);
});

Deno.test("a token of Mailgun's stays free if its message was over the quota", async () => {
  let time = at.getTime();
  await using world = await createInboundWorld({
    now: () => new Date(time),
    plan: { ingestBurst: 3, ingestPerSecond: 1 },
  });
  const source = await world.createSource({
    ...ours,
    mapping: { name: "/event", external_id: "/user", items: "/events" },
  });
  const events = ["u1", "u2", "u3"].map((user) => ({ event: "failed", user }));
  const other = sign({ events: events.slice(0, 2) }, { token: mailgunToken.replace("e", "f") });
  assert.equal((await world.deliver({ source, body: other })).status, 200);
  assert.equal((await world.deliver({ source, body: sign({ events }) })).status, 429);
  time += 10_000;
  await world.db.sql`delete from private.rate_limit_buckets`;
  assert.equal((await world.deliver({ source, body: sign({ events }) })).body.accepted, 3);
});

Deno.test("no part of a signature of Mailgun's is stored, for any result of its message", async () => {
  await using world = await createInboundWorld({ now });
  const whole = { ...mapping, properties: "", name: "/event" };
  const source = await world.createSource({ ...ours, mapping: whole });
  const payloads = [
    { event: "failed", user: 1, "event-data": { user: "u1" } },
    { event: "opened" },
    { event: "failed" },
    {},
  ];
  for (const [i, payload] of payloads.entries()) {
    const token = `${mailgunToken}${i}`;
    const body = sign(payload, { token });
    const { signature } = signMailgun({ at, token });
    assert.equal((await world.deliver({ source, body })).status, 200);
    await world.deliver({ source, body });
    const kept = await readKept(world);
    assert.ok(kept.includes("failed"));
    for (const secret of [token, signature, '"signature"']) {
      assert.equal(kept.includes(secret), false, `${secret} is kept`);
    }
  }
});

Deno.test("a rejected message of Mailgun's is tested and resent without its signature", async () => {
  await using world = await createApiWorld();
  await using inbound = await createInboundWorld({ on: world });
  const source = await inbound.createSource({ ...ours, mapping: null });
  const body = sign(failed, { at: new Date() });
  const response = await inbound.deliver({ source, body });
  assert.equal(response.body.rejected, 1);
  const token = await world.signInAs("admin");
  const act = (method: string, path: string, body?: unknown) =>
    world.send({ method, path, token, workspaceId: world.workspaceId, body });
  const { receipt_id } = response.body;
  const shown = await act("GET", `/sources/${source.id}/receipts/${receipt_id}`);
  assert.deepEqual(JSON.parse(shown.body.body), failed);
  const tried = await act("POST", `/sources/${source.id}/test`, { receipt_id, mapping });
  assert.equal(tried.body.results[0].entry.name, "email_bounced");
  // A signature in a payload that is pasted is not shown either.
  const pasted = { payload: body, mapping: { ...mapping, properties: "" } };
  const { results } = (await act("POST", `/sources/${source.id}/test`, pasted)).body;
  assert.deepEqual(results[0].entry.properties, failed);
  await act("PATCH", `/sources/${source.id}`, { mapping });
  const { data: [row] } = (await act("GET", "/rejected-entries")).body;
  assert.deepEqual(row.entry, failed);
  const sent = await act("POST", `/rejected-entries/${row.id}/resend`);
  assert.deepEqual([sent.status, sent.body.results.length], [200, 1], JSON.stringify(sent.body));
});
