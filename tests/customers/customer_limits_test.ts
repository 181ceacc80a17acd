import assert from "node:assert/strict";
import { createTrackWorld, type TrackWorld } from "../../testing/service/app.ts";
import { createApiKey, createWorkspace } from "../../testing/data/factories.ts";

/** Stores entries in one transaction: the results, and which rows of customers and ids it touched. */
async function ingestCounted(world: TrackWorld, entries: readonly object[]) {
  const all = entries.map((entry) => ({ workspace_id: world.workspaceId, ...entry }));
  return await world.db.sql.begin(async (tx) => {
    const count = async () => {
      const [row] = await tx<{ written: number; read: number }[]>`
        select sum(n_tup_ins + n_tup_upd + n_tup_del)::int as written, sum(idx_tup_fetch)::int as read
        from pg_stat_xact_user_tables where relname in ('customers', 'identities')`;
      return row!;
    };
    const before = await count();
    const [stored] = await tx`select private.ingest(${JSON.stringify(all)}) as results`;
    const after = await count();
    return {
      results: stored!.results as { ok: boolean }[],
      written: after.written - before.written,
      read: after.read - before.read,
    };
  });
}

async function listenToAll(world: TrackWorld): Promise<void> {
  await world.db.sql`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${world.workspaceId}, 'Test', 'https://example.com/', '{*}')`;
}

async function readDocument(world: TrackWorld, externalId: string) {
  const [row] = await world.db.sql`
    select d.document
    from public.identities as i
    cross join lateral private.customer_documents(i.workspace_id, array[i.customer_id]) as d
    where i.workspace_id = ${world.workspaceId} and i.kind = 'external' and i.value = ${externalId}`;
  return row!.document;
}

function attributesOf(call: number, keys: number, length = 60) {
  const names = Array.from({ length: keys }, (_, i) => `key_${call}_${i}`);
  return Object.fromEntries(names.map((name) => [name, "x".repeat(length)]));
}

Deno.test("40 identifies with 290 new keys in a bulk: 64 KiB are stored, the rest is rejected, others are served", async () => {
  await using world = await createTrackWorld();
  await listenToAll(world);
  const events = Array.from({ length: 40 }, (_, call) => {
    return { type: "identify", external_id: "fat", attributes: attributesOf(call, 290, 50) };
  });
  const neighbour = await createApiKey(world.db.sql, {
    workspaceId: await createWorkspace(world.db.sql),
  });
  const other = world.startInstance({ key: neighbour });
  const [{ status, body }, served] = await Promise.all([
    world.send({ events }),
    other.send({ external_id: "ada", name: "viewed" }),
  ]);

  assert.equal(served.status, 200);
  assert.equal(status, 200);
  assert.deepEqual([body.accepted, body.rejected], [3, 37]);
  assert.deepEqual([body.results[39].code, body.results[39].field], [
    "payload_too_large",
    "events[39].attributes",
  ]);
  assert.match(
    body.results[39].error,
    /attributes must not be over 65536 bytes of JSON or 1000 keys/,
  );
  const { attributes } = await readDocument(world, "fat");
  assert.equal(Object.keys(attributes).length, 870);
});

Deno.test("identifies of one customer in a bulk cause one write and at most eleven messages", async () => {
  await using world = await createTrackWorld();
  await listenToAll(world);
  const identify = { kind: "identify", external_id: "ada" };
  await ingestCounted(world, [identify]);
  const entries = Array.from({ length: 500 }, (_, n) => ({
    ...identify,
    ...(n === 400 ? { profile: { first_name: "Ada" } } : { attributes: { n } }),
  }));
  const { results, written } = await ingestCounted(world, entries);
  assert(results.every(({ ok }) => ok));
  assert.equal(written, 1);
  const { first_name, attributes } = await readDocument(world, "ada");
  assert.deepEqual([first_name, attributes], ["Ada", { n: 499 }]);
  const events = await world.db.sql`select from public.events where kind = 'identify'`;
  assert.equal(events.length, 501);
  const messages = await world.db.sql`
    select body::jsonb -> 'payload' as payload from public.webhook_messages
    where event_type = 'customer.updated' order by id`;
  assert.equal(messages.length, 11);
  assert.deepEqual(messages[0]!.payload.changed, ["attributes"]);
  assert.deepEqual(messages[10]!.payload.changed, ["first_name", "attributes"]);
  assert.deepEqual(messages[10]!.payload.customer.attributes, { n: 499 });
});

Deno.test("a customer's attributes are accepted up to 1,000 keys and 64 KiB, and rejected just beyond", async () => {
  await using world = await createTrackWorld();
  const identify = (attributes: object) =>
    world.send({ type: "identify", external_id: "ada", attributes });
  for (let call = 0; call < 4; call++) {
    assert.equal((await identify(attributesOf(call, 250, 1))).status, 200);
  }
  const refused = await identify({ one_more: 1 });
  assert.deepEqual([refused.status, refused.body.code], [413, "payload_too_large"]);
  assert.equal((await identify({ key_0_0: null, one_more: 1 })).status, 200);

  const bytes = (world: string, length: number) => ({
    type: "identify",
    external_id: world,
    attributes: { a: "x".repeat(length) },
  });
  await world.send({ ...bytes("bob", 32_000) });
  await world.send({ ...bytes("bob", 32_000), attributes: { b: "x".repeat(32_000) } });
  const document = await readDocument(world, "bob");
  const [row] = await world.db.sql`
    select octet_length(${world.db.sql.json(document.attributes)}::jsonb::text) as bytes`;
  const room = 65_536 - row!.bytes - ', "c": ""'.length;
  const fill = (length: number) =>
    world.send({ type: "identify", external_id: "bob", attributes: { c: "x".repeat(length) } });
  assert.equal((await fill(room + 1)).status, 413);
  assert.equal((await fill(room)).status, 200);
});

Deno.test("a rejected identify changes nothing, and a later entry can use its anonymous id", async () => {
  await using world = await createTrackWorld();
  for (let call = 0; call < 4; call++) {
    await world.send({
      type: "identify",
      external_id: "ada",
      attributes: attributesOf(call, 250, 1),
    });
  }
  const tooMuch = { type: "identify", external_id: "ada", attributes: { one_more: 1 } };
  const { body } = await world.send({
    events: [
      { ...tooMuch, anon_id: "unused" },
      { ...tooMuch, anon_id: "used" },
      { anon_id: "used", name: "viewed" },
    ],
  });
  assert.deepEqual(body.results.map(({ ok }: { ok: boolean }) => ok), [false, false, true]);
  const { anon_ids } = await readDocument(world, "ada");
  assert.deepEqual(anon_ids, []);
  const rows = await world.db.sql`
    select i.value, i.customer_id = ${body.results[2].customer_id} as is_own
    from public.identities as i where i.kind = 'anon'`;
  assert.deepEqual([...rows], [{ value: "used", is_own: true }]);
});

Deno.test("a merge never fails because of attributes: the survivor's win, others fill the remaining space", async () => {
  await using world = await createTrackWorld();
  for (const [id, keys] of [["survivor", 600], ["merged", 600]] as const) {
    for (let call = 0; call < keys / 300; call++) {
      const attributes = Object.fromEntries(
        Object.entries(attributesOf(call, 300, 1)).map(([key, value]) => [`${id}_${key}`, value]),
      );
      await world.send({ type: "identify", external_id: id, attributes });
    }
  }
  const alias = { type: "alias", external_id: "survivor", previous_id: "merged" };
  assert.equal((await world.send(alias)).status, 200);

  const { attributes, external_ids } = await readDocument(world, "survivor");
  const keys = Object.keys(attributes);
  assert.equal(keys.length, 1_000);
  assert.equal(keys.filter((key) => key.startsWith("survivor_")).length, 600);
  assert.deepEqual(external_ids, ["survivor", "merged"]);
  const [merge] = await world.db.sql`select profile from public.customer_merges`;
  assert.equal(Object.keys(merge!.profile.attributes).length, 600);
});

Deno.test("3,000 anonymous ids in bulks of 500 cost the same per bulk, and 100 of them are returned", async () => {
  await using world = await createTrackWorld();
  await listenToAll(world);
  const written: number[] = [];
  const read: number[] = [];
  for (let bulk = 0; bulk < 6; bulk++) {
    const entries = Array.from({ length: 500 }, (_, i) => {
      const n = bulk * 500 + i;
      return { kind: "identify", external_id: "kiosk", anon_id: `v-${n}`, attributes: { n } };
    });
    const counted = await ingestCounted(world, entries);
    assert(counted.results.every(({ ok }) => ok));
    written.push(counted.written);
    read.push(counted.read);
  }
  // 500 ids and one profile each; the first makes the customer and its external id too.
  assert.deepEqual(written, [503, 501, 501, 501, 501, 501]);
  // Existing rows may be counted a few times, but never once for each entry.
  assert(read[5]! < 10_000 + 10 * 3_000, `${read} rows`);
  const document = await readDocument(world, "kiosk");
  assert.deepEqual([document.anon_ids.length, document.anon_ids_count], [100, 3_000]);
  assert.deepEqual([document.anon_ids[0], document.anon_ids[99]], ["v-2900", "v-2999"]);
  assert.deepEqual([document.external_id, document.external_ids_count], ["kiosk", 1]);
});

Deno.test("a customer has at most 10,000 ids per kind: one more is rejected, and no event is lost", async () => {
  await using world = await createTrackWorld();
  const { body: first } = await world.send({ external_id: "kiosk", name: "viewed" });
  await world.db.sql`
    insert into public.identities (workspace_id, kind, value, customer_id)
    select ${world.workspaceId}, 'anon', 'old-' || n, ${first.customer_id}
    from generate_series(1, 9998) as n`;
  const identify = (anon_id: string) => ({ type: "identify", external_id: "kiosk", anon_id });
  const { body } = await world.send({
    events: [
      identify("v-1"),
      { anon_id: "v-2", name: "viewed" },
      identify("v-2"),
      identify("v-3"),
      { anon_id: "v-3", name: "viewed" },
      { anon_id: "v-4", name: "viewed" },
      identify("v-4"),
      identify("v-1"),
    ],
  });
  const told = body.results.map((result: { ok: boolean; code?: string; field?: string }) => {
    return result.ok ? "ok" : `${result.code} ${result.field}`;
  });
  const refused = (index: number) => `payload_too_large events[${index}].anon_id`;
  assert.deepEqual(told.filter((text: string) => text !== "ok").length, 2);
  assert.deepEqual([told[0], told[1], told[4], told[5], told[7]], ["ok", "ok", "ok", "ok", "ok"]);
  assert(told.includes(refused(6)), told.join());
  const single = await world.send(identify("v-5"));
  assert.deepEqual([single.status, single.body.code], [413, "payload_too_large"]);
  assert.match(single.body.error, /"v-5".*10000 ids/);
  const { anon_ids_count } = await readDocument(world, "kiosk");
  assert.equal(anon_ids_count, 10_000);
});
