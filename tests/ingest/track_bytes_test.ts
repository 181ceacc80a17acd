import assert from "node:assert/strict";
import { createTrackWorld, type TrackWorld } from "../../testing/service/app.ts";
import { createInboundWorld } from "../../testing/data/inbound.ts";
import { createPlan } from "../../testing/data/factories.ts";

const kib = 1024;

function createMeteredWorld(ingestBytesPerDay: number, now?: () => Date): Promise<TrackWorld> {
  return createTrackWorld({
    plan: (db) => createPlan(db.sql, { ingestPerSecond: 50, ingestBytesPerDay }),
    ...(now && { now }),
  });
}

/** An event that stores about so many KiB. */
function eventOf(kibs: number, name = "viewed") {
  return { external_id: "user-1", name, properties: { text: "x".repeat(kibs * kib) } };
}

async function storedBytes({ db }: TrackWorld): Promise<number> {
  await db.sql`select private.fold_usage()`;
  const [row] = await db
    .sql`select coalesce(sum(bytes), 0)::integer as bytes from public.usage_stats`;
  return row!.bytes;
}

/** Moves what was stored into the past. */
async function letHoursPass({ db }: TrackWorld, hours: number): Promise<void> {
  await db.sql`update public.usage_stats set hour = hour - ${hours} * interval '1 hour'`;
}

Deno.test("stored bytes are counted once, before compression, and nothing else is", async () => {
  await using world = await createMeteredWorld(1024 ** 4);
  const properties = { "größe": "xl", text: "x".repeat(8 * kib) };
  const event = { external_id: "user-1", name: "viewed", properties };
  await world.send({ ...event, context: { ip: "1.2.3.4" }, idempotency_key: "once" });
  const bytes = await storedBytes(world);
  const json = new TextEncoder().encode(JSON.stringify([properties, { ip: "1.2.3.4" }]));
  assert(Math.abs(bytes - json.byteLength) < 32, `${bytes} bytes, ${json.byteLength} of JSON`);
  await world.send({ ...event, idempotency_key: "once" });
  await world.send({ ...event, nmae: "refused" });
  assert.equal(await storedBytes(world), bytes);
});

Deno.test("message bodies are counted once for any number of destinations", async () => {
  await using world = await createMeteredWorld(1024 ** 4);
  const { db, workspaceId } = world;
  await db.sql`
    insert into public.destinations (workspace_id, name, url, event_types)
    select ${workspaceId}, n, 'https://example.com/', array['customer.updated']
    from unnest(array['a', 'b']) as n`;
  const attributes = { text: "x".repeat(30 * kib) };
  const made = await world.send({ type: "identify", external_id: "user-1", attributes });
  assert.equal(made.status, 200);
  const before = await storedBytes(world);
  const changes = Array.from({ length: 10 }, (_, i) => {
    return { type: "identify", external_id: "user-1", first_name: `${i}` };
  });
  for (const change of changes) assert.equal((await world.send(change)).status, 200);
  const [kept] = await db.sql`
    select count(*)::integer as messages, sum(octet_length(m.body))::integer as bytes,
      -- A sum is a value of its own, which no compression has made smaller.
      (select sum(pg_column_size(e.properties || '{}') + pg_column_size(e.context || '{}'))::integer
        from public.events as e) as entries
    from public.webhook_messages as m`;
  assert.equal(kept!.messages, 10);
  assert(await storedBytes(world) - before > 10 * 30 * kib);
  assert.equal(await storedBytes(world), kept!.bytes + kept!.entries);
});

Deno.test("track returns 429 once messages for destinations use up the daily bytes", async () => {
  await using world = await createMeteredWorld(150 * kib);
  await world.db.sql`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${world.workspaceId}, 'a', 'https://example.com/', array['customer.*'])`;
  const attributes = { text: "x".repeat(30 * kib) };
  const made = await world.send({ type: "identify", external_id: "user-1", attributes });
  assert.equal(made.status, 200);
  for (let i = 0; i < 5; i++) {
    const change = { type: "identify", external_id: "user-1", first_name: `${i}` };
    assert.equal((await world.send(change)).status, 200);
  }
  await storedBytes(world);
  assert.equal((await world.startInstance().send(eventOf(1))).status, 429);
});

Deno.test("track returns 429 with limit and plan once the daily bytes are used up", async () => {
  await using world = await createMeteredWorld(64 * kib);
  for (let i = 0; i < 3; i++) assert.equal((await world.send(eventOf(20))).status, 200);
  assert(await storedBytes(world) < 64 * kib);
  assert.equal((await world.startInstance().send(eventOf(20))).status, 200);
  assert(await storedBytes(world) >= 64 * kib);
  const response = await world.startInstance().send(eventOf(1));
  assert.deepEqual([response.status, response.body.code], [429, "rate_limited"]);
  const form =
    /^Cannot store more: the plan "plan-[-0-9a-f]+" allows 64 KiB a day: retry in (\d+) s$/;
  const [, seconds] = form.exec(response.body.error) ?? [];
  assert.equal(response.headers.get("retry-after"), seconds);
  assert(Number(seconds) > 24 * 3600 && Number(seconds) <= 25 * 3600, `${seconds} s`);
  assert.equal((await world.startInstance().send({ events: [eventOf(1)] })).status, 429);
});

Deno.test("track accepts entries again exactly when bytes from 24 hours ago no longer count", async () => {
  await using world = await createMeteredWorld(64 * kib);
  for (let i = 0; i < 3; i++) await world.send(eventOf(25));
  await storedBytes(world);
  await letHoursPass(world, 23);
  assert.equal((await world.startInstance().send(eventOf(1))).status, 429);
  await letHoursPass(world, 2);
  assert.equal((await world.startInstance().send(eventOf(1))).status, 200);
});

Deno.test("Retry-After gives the time when enough of the oldest hours no longer count", async () => {
  await using world = await createMeteredWorld(64 * kib);
  for (const hours of [0, 10, 5]) {
    await world.send(eventOf(30));
    await storedBytes(world);
    if (hours > 0) await letHoursPass(world, hours);
  }
  // 30 KiB twice 15 hours ago, and 30 KiB 5 hours ago: they are below 64 KiB once those are gone.
  const response = await world.startInstance().send(eventOf(1));
  assert.equal(response.status, 429);
  const hours = Number(response.headers.get("retry-after")) / 3600;
  assert(hours > 9 && hours <= 10, `${hours} h`);
});

Deno.test("a plan with more bytes takes effect within 10 s on instances that refused", async () => {
  let at = Date.now();
  await using world = await createMeteredWorld(20 * kib, () => new Date(at));
  await world.send(eventOf(30));
  await storedBytes(world);
  const instance = world.startInstance();
  assert.equal((await instance.send(eventOf(1))).status, 429);
  await world.db.sql`update public.plans set ingest_bytes_per_day = ${1024 ** 4}`;
  at += 10_000;
  assert.equal((await instance.send(eventOf(1))).status, 200);
});

Deno.test("six instances at full speed stay within 10 % of the daily bytes", async () => {
  const limit = 4 * kib * kib;
  await using world = await createMeteredWorld(limit);
  const instances = [world, ...Array.from({ length: 5 }, () => world.startInstance())];
  let at = 0;
  for (let i = 0; i < 60; i++) {
    const bulk = { events: Array.from({ length: 20 }, () => eventOf(1)) };
    await Promise.all(instances.map((instance) => instance.send(bulk)));
    // It runs every 10 s: here after each round of 120 KiB.
    at = await storedBytes(world);
  }
  assert(at >= limit * 0.9 && at <= limit * 1.1, `${at} of ${limit}`);
});

Deno.test("inbound counts stored bodies and refuses requests over the daily bytes like track", async () => {
  await using world = await createInboundWorld({ plan: { ingestBytesPerDay: 600 } });
  const mapping = { name: { value: "paid" }, external_id: "/user" };
  const source = await world.createSource({ mapping });
  const body = JSON.stringify({ user: "u1", text: "x".repeat(700) });
  assert.equal((await world.deliver({ source, body })).status, 200);
  await world.db.sql`select private.fold_usage()`;
  const [stored] = await world.db.sql`select bytes::integer from public.usage_stats`;
  assert(stored!.bytes >= body.length, `${stored!.bytes} bytes`);
  await using other = await createInboundWorld({ on: world });
  const response = await other.deliver({ source, body });
  assert.deepEqual([response.status, response.body.code], [429, "rate_limited"]);
  assert.match(response.body.error, /allows 600 B a day/);
});
