import assert from "node:assert/strict";
import { createSentMessage } from "../../testing/data/sent_messages.ts";
import { createOwner, prepareSends } from "../../testing/service/api_sends.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";

const plain = { template: "plain", sender: "main", external_id: "ada" };

Deno.test("POST /sends queues a message once for each idempotency key", async () => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  const { ada } = await prepareSends(world, act);
  const body = { ...plain, data: { order: 7 }, idempotency_key: "order-7" };
  const first = await act("POST", "/sends", body);
  assert.equal(first.status, 202, JSON.stringify(first.body));
  const again = await act("POST", "/sends", body);
  assert.deepEqual([again.status, again.body], [202, first.body]);
  const other = await act("POST", "/sends", plain);
  assert.notEqual(other.body.send_id, first.body.send_id);
  const { body: shown } = await act("GET", `/sends/${first.body.send_id}`);
  const { template, sender, queued_at, ...rest } = shown;
  assert.equal(template.id, (await act("GET", "/templates/plain")).body.id);
  assert.equal(sender, (await act("GET", "/senders/main")).body.id);
  assert.match(queued_at, /Z$/);
  assert.deepEqual(
    [rest.state, rest.customer_id, rest.email, rest.topic, rest.attempts, rest.subject],
    ["queued", ada, "ada@example.com", null, [], null],
  );
  const { body: { data } } = await act("GET", "/sends");
  assert.deepEqual(data.map(({ id }: { id: string }) => id), [
    other.body.send_id,
    first.body.send_id,
  ]);
});

Deno.test("sends name their customer, and one alone also what it was made of", async () => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  await prepareSends(world, act);
  const { send_id } = (await act("POST", "/sends", plain)).body;
  const named = ({ customer_name, template_name, sender_name, campaign_name, journey_name }: Record<
    string,
    unknown
  >) => [customer_name, template_name, sender_name, campaign_name, journey_name];
  const { body: { data } } = await act("GET", "/sends");
  assert.equal(data[0].customer_name, "Ada");
  const path = `/sends/${send_id}`;
  assert.deepEqual(named((await act("GET", path)).body), ["Ada", "Plain", "Main", null, null]);
  // A key sees the names of what it may read.
  const token = await world.createKey(["sends:read"]);
  assert.deepEqual(named((await world.send({ path, token })).body), [null, null, null, null, null]);
  const reader = await world.createKey(["sends:read", "customers:read", "senders:read"]);
  assert.deepEqual(
    named((await world.send({ path, token: reader })).body),
    ["Ada", null, "Main", null, null],
  );
});

Deno.test("POST /sends to an address of your own is a test that is rendered for the customer", async () => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  const { ada } = await prepareSends(world, act);
  const { status, body } = await act("POST", "/sends", { ...plain, to: "me@acme.example" });
  assert.equal(status, 202, JSON.stringify(body));
  const { body: send } = await act("GET", `/sends/${body.send_id}`);
  assert.deepEqual(
    [send.purpose, send.email, send.customer_id],
    ["test", "me@acme.example", ada],
  );
  assert.deepEqual((await act("GET", `/customers/${ada}/sends`)).body.data, []);
});

Deno.test("GET /sends/{id} says when a message that waits is tried next", async () => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  await prepareSends(world, act);
  const { send_id } = (await act("POST", "/sends", plain)).body;
  const next = async () => (await act("GET", `/sends/${send_id}`)).body.next_attempt_at;
  assert.match(await next(), /Z$/);
  const due = "2999-01-01T00:00:00.000Z";
  await world.sql`update private.send_queue set due_at = ${due} where send_id = ${send_id}`;
  assert.equal(await next(), due);
  await act("PATCH", "/senders/main", { enabled: false });
  assert.equal(await next(), null);
});

Deno.test("POST /sends names the field that does not exist or does not fit", async () => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  const { ada } = await prepareSends(world, act);
  const cases: [Record<string, unknown>, number, string][] = [
    [{ template: "nothing" }, 400, "template"],
    [{ sender: crypto.randomUUID() }, 400, "sender"],
    [{ topic: "nothing" }, 400, "topic"],
    // The template has no link to unsubscribe.
    [{ topic: "news" }, 400, "template"],
    [{ customer_id: ada }, 400, "customer_id"],
    [{ external_id: undefined }, 400, "customer_id"],
    [{ data: { text: "x".repeat(33_000) } }, 400, "data"],
    [{ idempotency_key: "" }, 400, "idempotency_key"],
    [{ email: "ada@example.com" }, 400, "email"],
    [{ to: "nobody" }, 400, "to"],
    [{ external_id: "nobody" }, 404, ""],
    [{ external_id: undefined, customer_id: crypto.randomUUID() }, 404, ""],
  ];
  for (const [bad, status, field] of cases) {
    const response = await act("POST", "/sends", { ...plain, ...bad });
    const title = JSON.stringify(bad).slice(0, 80);
    assert.equal(response.status, status, `${title}: ${JSON.stringify(response.body)}`);
    if (status === 400) assert.equal(response.body.details[0].field, field, title);
  }
  const [row] = await world.sql`select count(*)::integer as sends from public.sends`;
  assert.equal(row!.sends, 0);
});

Deno.test("a key with sends:write alone may name templates, senders, topics and customers", async () => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  const { ada } = await prepareSends(world, act);
  const token = await world.createKey(["sends:write"]);
  const body = { template: "news", sender: "main", topic: "news", customer_id: ada };
  const created = await world.send({ method: "POST", path: "/sends", token, body });
  assert.equal(created.status, 202, JSON.stringify(created.body));
  const elsewhere = await world.createKey(["sends:write"], await world.createWorkspace());
  const stolen = await world.send({ method: "POST", path: "/sends", token: elsewhere, body });
  assert.equal(stolen.status, 404);
});

/** Stores what a dispatcher does when the provider took a message. */
async function finish({ sql }: ApiWorld, id: string): Promise<void> {
  const facts = {
    customer: { first_name: "Ada" },
    workspace: { name: "Acme" },
    now: "2026-11-22T10:00:00.000Z",
  };
  const attempts = [{ at: "2026-11-22T10:00:00.000Z", outcome: "sent", status_code: 250 }];
  await sql`
    update public.sends
    set
      state = 'sent', template_version = 1, facts = ${JSON.stringify(facts)}::text::jsonb,
      attempts = ${JSON.stringify(attempts)}::text::jsonb, sent_at = now(), finished_at = now()
    where id = ${id}`;
}

Deno.test("a send is shown as it was rendered, even after its template was changed and deleted", async () => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  const { ada } = await prepareSends(world, act);
  const data = { order: 7, note: "<b>" };
  const { body: { send_id } } = await act("POST", "/sends", { ...plain, data });
  await finish(world, send_id);
  await act("PATCH", "/templates/plain", { subject: "Changed" });
  await act("PATCH", `/customers/${ada}`, { first_name: "Changed" });
  const token = await world.createKey(["sends:read"]);
  const { body } = await world.send({ path: `/sends/${send_id}`, token });
  assert.deepEqual(
    [body.subject, body.html, body.text.trim()],
    ["Hello Ada", "<p>Order 7 &amp; &lt;b&gt;</p>", "Order 7 & <b>"],
  );
  assert.deepEqual(body.attempts[0].status_code, 250);
  assert.equal(body.template.version, 1);
  await act("DELETE", "/templates/plain");
  const { body: without } = await world.send({ path: `/sends/${send_id}`, token });
  assert.deepEqual([without.subject, without.html], [body.subject, body.html]);
});

Deno.test("sends are listed by customer, template and state, page by page", async () => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  const { ada, bob } = await prepareSends(world, act);
  const ids: string[] = [];
  for (const external_id of ["ada", "bob", "ada"]) {
    ids.push((await act("POST", "/sends", { ...plain, external_id })).body.send_id);
  }
  const list = async (query: string) => {
    const { status, body } = await act("GET", `/sends${query}`);
    assert.equal(status, 200, query);
    return body.data.map(({ id }: { id: string }) => ids.indexOf(id));
  };
  await finish(world, ids[1]!);
  const template = (await act("GET", "/templates/plain")).body.id;
  assert.deepEqual(await list(`?customer_id=${ada}`), [2, 0]);
  assert.deepEqual(await list("?state=sent"), [1]);
  assert.deepEqual(await list(`?state=sent&customer_id=${ada}`), []);
  assert.deepEqual(await list(`?template_id=${template}`), [2, 1, 0]);
  assert.deepEqual(await list(`?campaign_id=${crypto.randomUUID()}`), []);
  assert.deepEqual(await list(`?journey_id=${crypto.randomUUID()}`), []);
  const first = (await act("GET", "/sends?limit=2")).body;
  const rest = (await act("GET", `/sends?limit=2&cursor=${first.next_cursor}`)).body;
  assert.deepEqual([first.data.length, rest.data.length, rest.next_cursor], [2, 1, null]);
  const token = await world.createKey(["customers:read"]);
  const own = await world.send({ path: `/customers/${bob}/sends`, token });
  assert.deepEqual(own.body.data.map(({ id }: { id: string }) => id), [ids[1]]);
  assert.equal((await world.send({ path: "/sends", token })).status, 403);
});

Deno.test("sends are listed and exported by the time at which they were queued", async () => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  const [first, second, third] = [72, 48, 24].map((hours) => new Date(hour - hours * 3_600_000));
  const ids: string[] = [];
  for (const sentAt of [first!, second!, third!]) {
    const state = sentAt === first ? "failed" : "sent";
    ids.push(await createSentMessage(world.sql, world.workspaceId, { sentAt, state }));
  }
  const list = async (query: Record<string, string>) => {
    const given = new URLSearchParams(query);
    const { status, body } = await act("GET", `/sends?${given}`);
    assert.equal(status, 200, JSON.stringify(body));
    const listed = body.data.map(({ id }: { id: string }) => ids.indexOf(id));
    const exported = await act("GET", `/sends/export?format=ndjson&${given}`);
    assert.deepEqual(readIds(exported.body).map((id) => ids.indexOf(id)), listed);
    return listed;
  };
  const [since, until] = [second!.toISOString(), third!.toISOString()];
  assert.deepEqual(await list({ since }), [2, 1]);
  assert.deepEqual(await list({ until }), [1, 0]);
  assert.deepEqual(await list({ since, until }), [1]);
  assert.deepEqual(await list({ until, sort: "oldest" }), [0, 1]);
  assert.deepEqual(await list({ until, state: "failed" }), [0]);
  assert.deepEqual(await list({ since: until, until: since }), []);
  const page = (await act("GET", `/sends?until=${until}&limit=1`)).body;
  const rest = (await act("GET", `/sends?until=${until}&limit=1&cursor=${page.next_cursor}`)).body;
  assert.deepEqual([page.data[0].id, rest.data[0].id, rest.next_cursor], [ids[1], ids[0], null]);
  const { status, body } = await act("GET", "/sends?since=yesterday");
  assert.deepEqual([status, body.details[0].field], [400, "since"]);
});

function readIds(lines = ""): string[] {
  return lines.split("\n").filter(Boolean).map((line) => JSON.parse(line).id);
}

Deno.test("a send and a suppression have the fields that every resource has", async () => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  await prepareSends(world, act);
  const { body: { send_id } } = await act("POST", "/sends", plain);
  const { body: sent } = await act("GET", `/sends/${send_id}`);
  const { body: suppressed } = await act("POST", "/suppressions", { email: "eve@example.com" });
  for (const { id, key, created_at, updated_at } of [sent, suppressed]) {
    assert.deepEqual([typeof id, key, updated_at], ["string", null, created_at]);
  }
  await world.sql`update public.sends set opened_at = now() + interval '1 hour'`;
  const { body: opened } = await act("GET", `/sends/${send_id}`);
  assert.deepEqual([opened.updated_at, opened.created_at], [opened.opened_at, opened.queued_at]);
});

Deno.test("an owner changes the settings of messages; a member reads them", async () => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  const path = `/workspaces/${world.workspaceId}`;
  const { body: before } = await act("GET", path);
  const read = (body: Record<string, unknown>) => ({
    timezone: body.timezone,
    caps: body.caps,
    quiet_hours: body.quiet_hours,
    track_opens: body.track_opens,
    track_clicks: body.track_clicks,
    campaign_confirm_above: body.campaign_confirm_above,
    campaign_complaint_rate: body.campaign_complaint_rate,
    sending_stopped_at: body.sending_stopped_at,
  });
  const usual = {
    timezone: "UTC",
    caps: [],
    quiet_hours: null,
    track_opens: true,
    track_clicks: true,
    campaign_confirm_above: 10_000,
    campaign_complaint_rate: 0.5,
    sending_stopped_at: null,
  };
  assert.deepEqual(read(before), usual);
  const edit = {
    timezone: "Europe/Berlin",
    caps: [{ max: 3, per: "7d" }, { max: 1, per: "24h" }],
    quiet_hours: { from: "21:00", to: "08:00" },
    track_opens: false,
    campaign_confirm_above: 50,
    campaign_complaint_rate: 0.1,
  };
  const changed = await act("PATCH", path, edit);
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.deepEqual(read(changed.body), { ...usual, ...edit });
  const partly = await act("PATCH", path, { quiet_hours: null, name: "Acme" });
  assert.deepEqual(read(partly.body), { ...usual, ...edit, quiet_hours: null });
  await world.sql`select ops.stop_sending(${world.workspaceId})`;
  assert.match((await act("GET", path)).body.sending_stopped_at, /Z$/);
  const bad = [
    { caps: [{ max: 0, per: "7d" }] },
    { caps: [{ max: 1, per: "week" }] },
    { caps: [{ max: 1, per: "91d" }] },
    { caps: Array(6).fill({ max: 1, per: "7d" }) },
    { quiet_hours: { from: "24:00", to: "08:00" } },
    { quiet_hours: { from: "21:00" } },
    { quiet_hours: { from: "21:00", to: "21:00" } },
    { campaign_complaint_rate: 101 },
    { timezone: "Mars/Olympus" },
  ];
  for (const body of bad) {
    assert.equal((await act("PATCH", path, body)).status, 400, JSON.stringify(body));
  }
});
