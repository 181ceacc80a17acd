import assert from "node:assert/strict";
import { workJobs } from "../../supabase/functions/webhook-dispatch/dispatch_queue.ts";
import type { IngestEntry } from "../../supabase/functions/_shared/entries/ingest.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";

const events = 100_000;

/** Somebody with many ids, a merged record, messages, deliveries, tokens and keys. */
interface Person {
  customerId: string;
  /** Texts that must not be found any more: addresses, ids, and ids of ours. */
  traces: string[];
}

async function ingest(world: ApiWorld, entries: Omit<IngestEntry, "workspace_id">[]) {
  const { workspaceId, sql } = world;
  const results = [];
  // One by one: what a batch merges must be there before.
  for (const entry of entries) {
    results.push(...await ingestEntries(sql, [{ ...entry, workspace_id: workspaceId }]));
  }
  return results.map((result) => {
    assert(result.ok);
    return result;
  });
}

async function createPerson(world: ApiWorld, name: string): Promise<Person> {
  const { workspaceId, sql } = world;
  const email = `${name}@private.example`;
  const anonIds = Array.from({ length: 18 }, (_, i) => `${name}-browser-${i}`);
  const identified = await ingest(world, [
    {
      kind: "identify",
      external_id: `${name}-old`,
      profile: { email: `old-${email}` },
      idempotency_key: `${name}-key`,
    },
    { kind: "identify", external_id: `${name}-new`, profile: { email, first_name: name } },
    ...anonIds.map((anon_id) => ({
      kind: "identify" as const,
      external_id: `${name}-new`,
      anon_id,
    })),
    { kind: "alias", external_id: `${name}-new`, previous_id: `${name}-old` },
    { kind: "event", external_id: `${name}-old`, name: "seen", properties: { email } },
  ]);
  const customerId = identified.at(-1)!.customer_id;
  await sql`
    insert into public.device_tokens (workspace_id, token, customer_id, platform)
    values (${workspaceId}, ${`${name}-token`}, ${customerId}, 'ios')`;
  const refused = [
    { external_id: `${name}-new`, name: "", properties: {} },
    { external_id: "null", name: "seen", properties: { email } },
  ].map((entry, i) => ({
    workspace_id: workspaceId,
    origin: "track",
    entry: JSON.stringify(entry),
    code: "invalid_input",
    error: "Field is bad",
    message_id: `${i}`,
    request_id: crypto.randomUUID(),
  }));
  await sql`select private.reject_entries(${JSON.stringify(refused)})`;
  // The response of a receiver to each message.
  await sql`
    insert into public.deliveries (
      workspace_id, id, destination_id, message_id, message_created_at, event_type,
      attempt_number, trigger, ok, response_snippet, response_headers, attempted_at
    )
    select
      q.workspace_id, private.uuid_v7(now()), q.destination_id, m.id, m.created_at, m.event_type,
      1, 'event', false, left(m.body, 2000), jsonb_build_object('x-body', m.body),
      date_trunc('milliseconds', now())
    from private.webhook_queue as q
    join public.webhook_messages as m
      on m.workspace_id = q.workspace_id and m.created_at = q.message_created_at
      and m.id = q.message_id
    where position(${name} in m.body) > 0`;
  return {
    customerId,
    traces: [name, customerId, ...new Set(identified.map((result) => result.customer_id))],
  };
}

/** Everything the database holds, a line for each row, with the table before it. */
async function dump({ sql }: ApiWorld): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name
    from pg_class as c
    where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      and c.relkind = 'r'`;
  const texts = [];
  for (const { name } of tables) {
    const rows = await sql.unsafe<{ text: string }[]>(`select t::text as text from ${name} as t`);
    texts.push(...rows.map(({ text }) => `${name}: ${text}`));
  }
  return texts.join("\n");
}

/** Works until nothing is due, at a moment so much later. */
async function workErasures({ sql }: ApiWorld, later: string, limit = 5000): Promise<number> {
  for (let batches = 0;; batches++) {
    const [row] = await sql<{ n: number }[]>`
      select private.work_erasures(${limit}, clock_timestamp() + ${later}::text::interval) as n`;
    if (row!.n === 0) return batches;
  }
}

async function createScene() {
  const world = await createApiWorld();
  await world.sql`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${world.workspaceId}, 'Warehouse', 'http://127.0.0.1:9/', '{*}')`;
  const person = await createPerson(world, "esmeralda");
  const other = await createPerson(world, "quasimodo");
  await world.sql`
    insert into public.events (
      workspace_id, id, kind, identity_id, external_id, name, occurred_at, received_at, properties
    )
    select
      i.workspace_id, private.uuid_v7(t.at), 'event', i.id, i.value, 'seen', t.at, t.at,
      jsonb_build_object('email', 'esmeralda@private.example')
    from public.identities as i
    cross join generate_series(1, ${events / 20}) as n
    cross join lateral (select date_trunc('milliseconds', now()) - n * interval '1 second') as t (at)
    where i.customer_id = ${person.customerId}`;
  return { world, person, other };
}

Deno.test("unsent messages about a customer are never sent after their erasure", async () => {
  await using world = await createApiWorld();
  await world.sql`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${world.workspaceId}, 'Warehouse', 'http://127.0.0.1:9/', '{*}')`;
  const person = await createPerson(world, "esmeralda");
  const other = await createPerson(world, "quasimodo");
  const token = await world.signInAs("member");
  const send = (method: string, path: string) =>
    world.send({ method, path, token, workspaceId: world.workspaceId });
  assert.equal((await send("DELETE", `/customers/${person.customerId}`)).status, 204);
  // Before any batch: nothing to retry, and nothing to replay.
  const waiting = await world.sql<{ body: string }[]>`
    select m.body
    from private.webhook_queue as q
    join public.webhook_messages as m
      on m.workspace_id = q.workspace_id and m.created_at = q.message_created_at
      and m.id = q.message_id
    where m.event_type <> 'customer.deleted'`;
  assert(waiting.length > 0 && waiting.every(({ body }) => body.includes("quasimodo")));
  const attempts = await world.sql<{ id: string; customer_id: string }[]>`
    select d.id, m.customer_id
    from public.deliveries as d
    join public.webhook_messages as m
      on m.workspace_id = d.workspace_id and m.created_at = d.message_created_at
      and m.id = d.message_id`;
  const replay = async (customerId: string) => {
    const attempt = attempts.find(({ customer_id }) => customer_id === customerId);
    return (await send("POST", `/deliveries/${attempt?.id}/replay`)).status;
  };
  assert.equal(await replay(person.customerId), 409);
  assert.equal(await replay(other.customerId), 202);
});

Deno.test("erasing a customer with 100,000 events leaves nothing of them and changes no others", async () => {
  const { world, person, other } = await createScene();
  await using _ = world;
  const token = await world.signInAs("member");
  const get = (path: string) => world.send({ path, token, workspaceId: world.workspaceId });
  const path = `/customers/${person.customerId}`;
  const before = await get(`/customers/${other.customerId}`);
  const timeline = await get(`/customers/${other.customerId}/events`);
  const everything = await dump(world);
  for (const trace of [...person.traces, ...other.traces]) assert(everything.includes(trace));

  const edit = { first_name: "esmeralda", attributes: { nickname: "esmeralda" } };
  const call = { path, token, workspaceId: world.workspaceId };
  assert.equal((await world.send({ ...call, method: "PATCH", body: edit })).status, 200);
  assert.equal((await world.send({ ...call, method: "DELETE" })).status, 204);

  assert.equal((await get(path)).status, 404);
  assert.deepEqual((await get("/customers?q=esmeralda")).body.data, []);
  const seen = await get("/events?limit=200");
  assert(!JSON.stringify(seen.body).includes("esmeralda"), "events are out of sight at once");

  assert(await workErasures(world, "0 s") >= events / 5000);
  await workErasures(world, "2 minutes");
  const [farewell] = await world.sql<{ id: string }[]>`
    select m.id from public.webhook_messages as m where m.event_type = 'customer.deleted'`;
  const waiting = await dump(world);
  assert(waiting.includes("esmeralda-new"), "the destination has not heard of it yet");
  await world.sql`delete from private.webhook_queue where message_id = ${farewell!.id}`;
  await workErasures(world, "5 minutes");

  const isLogged = (line: string) => line.startsWith("audit_log: ");
  const lines = (await dump(world)).split("\n");
  const rest = lines.filter((line) => !isLogged(line)).join("\n");
  for (const trace of person.traces) assert(!rest.includes(trace), `"${trace}" is still there`);
  // The log keeps the edit and the erasure under our id, which leads to nobody any more.
  const log = lines.filter(isLogged);
  assert.deepEqual(log.map((line) => line.includes(person.customerId)), [true, true]);
  assert(!log.join().includes("esmeralda"));
  for (const trace of other.traces) assert(rest.includes(trace), `"${trace}" is gone`);
  assert.deepEqual((await get(`/customers/${other.customerId}`)).body, before.body);
  assert.deepEqual((await get(`/customers/${other.customerId}/events`)).body, timeline.body);
  const erasures = await world.sql`select from private.erasures`;
  assert.equal(erasures.length, 0);
});

Deno.test("a reused id of an erased customer belongs to a new customer", async () => {
  await using world = await createApiWorld();
  const person = await createPerson(world, "esmeralda");
  const token = await world.createKey(["customers:write"]);
  const path = `/customers/${person.customerId}`;
  assert.equal((await world.send({ method: "DELETE", path, token })).status, 204);
  const entry = { kind: "event" as const, external_id: "esmeralda-new", name: "came_back" };
  const again = await ingest(world, [entry]);
  await workErasures(world, "5 minutes");
  assert(!person.traces.includes(again[0]!.customer_id));
  const reader = await world.createKey(["customers:read"]);
  const found = await world.send({
    path: `/customers/${again[0]!.customer_id}/events`,
    token: reader,
  });
  assert.deepEqual(found.body.data.map(({ name }: { name: string }) => name), ["came_back"]);
});

Deno.test("events that arrive during an erasure are erased too, or belong to a new customer", async () => {
  await using world = await createApiWorld();
  const person = await createPerson(world, "esmeralda");
  const token = await world.createKey(["customers:write"]);
  const path = `/customers/${person.customerId}`;
  const event = { kind: "event" as const, external_id: "esmeralda-new", name: "seen" };
  const arrive = () => ingest(world, [event]);
  const [erased] = await Promise.all([
    world.send({ method: "DELETE", path, token }),
    ...Array.from({ length: 40 }, arrive),
  ]);
  assert.equal(erased.status, 204);
  await workErasures(world, "5 minutes");
  const [row] = await world.sql<{ orphans: number; customers: number }[]>`
    select
      (select count(*)::integer from public.events as e where not exists (
        select from public.identities as i
        where i.workspace_id = e.workspace_id and i.id = e.identity_id)) as orphans,
      (select count(distinct i.customer_id)::integer from public.identities as i
        where i.value = 'esmeralda-new') as customers`;
  assert.equal(row!.orphans, 0);
  assert(row!.customers <= 1);
});

Deno.test("deleting a workspace ends all access immediately and erases every row", async () => {
  await using world = await createApiWorld();
  await createPerson(world, "esmeralda");
  const owner = await world.signInAs("owner");
  const key = await world.createKey(["events:read"]);
  const { workspaceId } = world;
  const path = `/workspaces/${workspaceId}`;
  assert.equal((await world.send({ method: "DELETE", path, token: owner })).status, 204);
  assert.equal((await world.send({ path, token: owner })).status, 404);
  assert.equal((await world.send({ path: "/events", token: key })).status, 401);
  assert.equal(
    await workErasures(world, "0 s"),
    0,
    "function instances may store for a few seconds",
  );
  await workErasures(world, "2 minutes");
  const rest = await dump(world);
  assert(!rest.includes(workspaceId));
});

Deno.test("a destination that was disabled during an erasure can recover its message", async () => {
  await using world = await createApiWorld();
  const { sql, workspaceId } = world;
  const person = await createPerson(world, "esmeralda");
  const [destination] = await sql<{ id: string }[]>`
    insert into public.destinations (workspace_id, name, url, event_types, enabled)
    values (${workspaceId}, 'Warehouse', 'http://127.0.0.1:9/', '{customer.deleted}', false)
    returning id`;
  const token = await world.createKey(["customers:write"]);
  const path = `/customers/${person.customerId}`;
  assert.equal((await world.send({ method: "DELETE", path, token })).status, 204);
  for (const later of ["0 s", "2 minutes", "4 minutes"]) await workErasures(world, later);
  const erasures = await sql`select step, search_terms from private.erasures`;
  assert.deepEqual([...erasures], [{ step: "deletion_message", search_terms: "{}" }]);

  await sql`update public.destinations set enabled = true where id = ${destination!.id}`;
  await sql`select ops.recover_missed(${destination!.id})`;
  await workJobs(sql);
  const queued = await sql`
    select m.event_type
    from private.webhook_queue as q
    join public.webhook_messages as m
      on m.workspace_id = q.workspace_id and m.id = q.message_id and m.body is not null`;
  assert.deepEqual([...queued], [{ event_type: "customer.deleted" }]);

  await sql`delete from private.webhook_queue`;
  await workErasures(world, "6 minutes");
  assert(!(await dump(world)).includes("esmeralda"));
});

Deno.test("rejected entries of an erased customer are found among any number of others", async () => {
  await using world = await createApiWorld();
  const { sql, workspaceId } = world;
  const person = await createPerson(world, "esmeralda");
  const other = {
    workspace_id: workspaceId,
    origin: "track",
    entry: "{}",
    code: "invalid_input",
    error: "Field is bad",
    request_id: crypto.randomUUID(),
  };
  const others = JSON.stringify(Array.from({ length: 50 }, () => other));
  await sql`select private.reject_entries(${others})`;
  const late = { ...other, entry: JSON.stringify({ external_id: "esmeralda-new" }) };
  await sql`select private.reject_entries(${JSON.stringify([late])})`;
  await sql`select private.reject_entries(${others})`;
  const token = await world.createKey(["customers:write"]);
  const path = `/customers/${person.customerId}`;
  assert.equal((await world.send({ method: "DELETE", path, token })).status, 204);

  for (const later of ["0 s", "2 minutes", "4 minutes"]) await workErasures(world, later, 20);

  const left = await sql`select distinct entry from public.rejected_entries`;
  assert.deepEqual([...left], [{ entry: "{}" }]);
});
