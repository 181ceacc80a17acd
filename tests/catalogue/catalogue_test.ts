import assert from "node:assert/strict";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";
import { eraseCustomers, ingestFor } from "../../testing/data/erasures.ts";
import { toCatalogued } from "../../dashboard/src/api/to_catalogued.ts";
import { addressOf } from "../../supabase/functions/api/contract/client.ts";
import { combineProperties } from "../../supabase/functions/api/resources/catalogue/describe_event.ts";

interface Sent {
  name?: string;
  external_id?: string;
  properties: Record<string, unknown>;
}

/** Stores events, adds them up and samples those that are due. */
async function send({ sql, workspaceId }: ApiWorld, events: Sent[]): Promise<string[]> {
  const customers = await ingestFor(
    sql,
    workspaceId,
    events.map(({ name = "order", external_id = "ada", properties }) => ({
      kind: "event" as const,
      name,
      external_id,
      properties,
    })),
  );
  await sql`select private.fold_usage()`;
  await sql`select private.sample_events()`;
  return customers;
}

async function read(world: ApiWorld, path: string, request: object = {}) {
  const token = await world.createKey(["events:read", "events:write"]);
  const { status, body } = await world.send({ path, token, ...request });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

Deno.test("the catalogue shows the properties of sampled events and their newest values", async () => {
  await using world = await createApiWorld();
  await send(world, [
    { properties: { total: 5, address: { city: "Berlin", geo: { lat: 1, at: { deep: 1 } } } } },
    { properties: { total: "7", tags: [], gone: null, "a.b": 1 } },
    { properties: { total: 9, paid: true } },
    { name: "other", properties: {} },
  ]);
  const { data } = await read(world, "/catalogue");
  assert.deepEqual(
    data.map(({ name, events, properties }: Record<string, unknown>) => ({
      name,
      events,
      properties,
    })).sort((a: { name: string }, b: { name: string }) => a.name < b.name ? -1 : 1),
    [
      { name: "order", events: 3, properties: 6 },
      { name: "other", events: 1, properties: 0 },
    ],
  );
  const event = await read(world, "/catalogue/order");
  assert.equal(event.sampled_events, 3);
  assert.equal(event.events_today, 3);
  assert.deepEqual(event.events_by_day, [0, 0, 0, 0, 0, 0, 0, 3]);
  assert.equal(event.days.at(-1).events, 3);
  const shown = Object.fromEntries(event.property_list.map((
    { property, share, types, example }: Record<string, never>,
  ) => [property, [share, types, example]]));
  const of = (type: string) => [{ type, share: 1 }];
  assert.deepEqual(shown, {
    total: [1, [{ type: "number", share: 2 / 3 }, { type: "string", share: 1 / 3 }], 9],
    "address.city": [1 / 3, of("string"), "Berlin"],
    "address.geo.at": [1 / 3, of("object"), { deep: 1 }],
    "address.geo.lat": [1 / 3, of("number"), 1],
    paid: [1 / 3, of("boolean"), true],
    tags: [1 / 3, of("array"), []],
  });
});

Deno.test("people describe an event name, and unexpected properties are marked", async () => {
  await using world = await createApiWorld();
  await send(world, [{ properties: { total: 5, note: "x" } }, { properties: { total: "5" } }]);
  const edit = {
    description: "A cart was paid for.",
    owner: "Checkout",
    status: "expected",
    properties: [
      { property: "total", type: "number", is_required: true },
      { property: "currency", type: "string", description: "ISO 4217" },
    ],
  };
  await read(world, "/catalogue/order", { method: "PATCH", body: edit });
  await read(world, "/catalogue/order", { method: "PATCH", body: { owner: null } });
  const event = await read(world, "/catalogue/order");
  assert.equal(event.description, edit.description);
  assert.equal(event.owner, null);
  assert.equal(event.unexpected_properties, 2);
  assert.deepEqual(
    event.property_list.map((
      { property, unexpected, is_required, share }: Record<string, unknown>,
    ) => [property, unexpected, is_required, share]),
    [
      ["total", "type", true, 1],
      ["note", "property", false, 0.5],
      ["currency", null, false, 0],
    ],
  );
  const list = (query: string) =>
    read(world, `/catalogue?${query}`).then(({ data }) => data.length);
  assert.deepEqual(
    await Promise.all([list("status=expected"), list("status=none"), list("q=RDE"), list("q=x")]),
    [1, 0, 1, 0],
  );
  const [entry] = await world.sql<{ entity_id: string; details: unknown }[]>`
    select entity_id, details from public.audit_log where action = 'event_definition.update'
    order by created_at limit 1`;
  assert.equal(entry!.entity_id, "order");
  const { properties: _, ...texts } = edit;
  const changes = Object.fromEntries(
    Object.entries(texts).map(([field, after]) => [field, { before: null, after }]),
  );
  assert.deepEqual(entry!.details, { fields: Object.keys(edit), changes });

  const token = await world.createKey(["events:write"]);
  const call = (path: string, body: unknown) => world.send({ method: "PATCH", path, token, body });
  assert.equal((await call("/catalogue/unknown", { owner: "x" })).status, 404);
  const twice = [{ property: "a" }, { property: "a" }];
  assert.equal((await call("/catalogue/order", { properties: twice })).status, 400);
});

Deno.test("every event name can be read and described, with any characters", async () => {
  await using world = await createApiWorld();
  const names = [".", "..", "...", "a/b", "a?b", "a#b", "50%", "%2e%2e", "a b", "-", "é"];
  await send(world, names.map((name) => ({ name, properties: {} })));
  for (const name of names) {
    const address = addressOf("GET /catalogue/{name}", toCatalogued(name));
    assert.equal((await read(world, address)).name, name);
    const described = await read(world, address, { method: "PATCH", body: { owner: name } });
    assert.deepEqual([described.name, described.owner], [name, name]);
  }
  const entries = await world.sql<{ entity_id: string; details: unknown }[]>`
    select entity_id, details -> 'changes' as details from public.audit_log order by created_at`;
  assert.deepEqual(
    entries.map(({ entity_id, details }) => [entity_id, details]),
    names.map((name) => [name, { owner: { before: null, after: name } }]),
  );
});

Deno.test("events per day are those so far on the first day, later a mean of whole days", async () => {
  await using world = await createApiWorld();
  const { sql } = world;
  const perDay = async () => {
    const { data: [listed] } = await read(world, "/catalogue");
    const event = await read(world, "/catalogue/order");
    assert.equal(listed.events_per_day, event.events_per_day);
    return event.events_per_day;
  };
  await send(world, [{ properties: {} }, { properties: {} }, { properties: {} }]);
  assert.equal(await perDay(), 3);
  await sql`update public.event_names set first_seen_at = first_seen_at - interval '48 hours'`;
  await sql`update public.event_name_stats set day = day - interval '48 hours'`;
  await send(world, [{ properties: {} }]);
  assert.equal(await perDay(), 1.5);
});

Deno.test("an erased customer's values, and names that hold an id, leave the catalogue", async () => {
  await using world = await createApiWorld();
  const { sql, workspaceId } = world;
  const [ada] = await send(world, [
    { external_id: "ada-1815", properties: { city: "London", votes: { "ada-1815": 1, bob: 2 } } },
  ]);
  const example = async () => {
    const { property_list } = await read(world, "/catalogue/order");
    return Object.fromEntries(
      property_list.map((row: Record<string, unknown>) => [row.property, row.example]),
    );
  };
  assert.deepEqual(await example(), { city: "London", "votes.ada-1815": 1, "votes.bob": 2 });
  await eraseCustomers(sql, workspaceId, [ada!]);
  assert.equal((await example()).city, null, "at once, before any step of the erasure");
  await sql`select private.run_erasures(clock_timestamp(), clock_timestamp() + interval '4 s')`;
  await sql`select private.sample_events(10, clock_timestamp() + interval '1 hour')`;
  assert.deepEqual(Object.keys(await example()), ["city", "votes.bob"]);
  const [kept] = await sql`
    select from public.event_properties as p where to_jsonb(p)::text ~ 'London|ada-1815'`;
  assert.equal(kept, undefined);
});

Deno.test("a name is sampled every 10 minutes, and no event twice", async () => {
  await using world = await createApiWorld();
  const { sql } = world;
  const sampled = async () => (await read(world, "/catalogue/order")).sampled_events;
  await send(world, [{ properties: { a: 1 } }]);
  await send(world, [{ properties: { a: 1 } }]);
  assert.equal(await sampled(), 1);
  await sql`select private.sample_events(10, clock_timestamp() + interval '11 minutes')`;
  assert.equal(await sampled(), 2);
  await sql`select private.sample_events(10, clock_timestamp() + interval '1 hour')`;
  assert.equal(await sampled(), 2, "nothing is due without new events");
});

Deno.test("a workspace has at most 100 properties per name", async () => {
  await using world = await createApiWorld();
  const many = (prefix: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, i]));
  await send(world, [{ properties: many("a", 90) }]);
  await world.sql`update public.event_samples set sampled_at = null`;
  await send(world, [{ properties: { ...many("a", 90), ...many("b", 60) } }]);
  assert.equal((await read(world, "/catalogue/order")).property_list.length, 100);
});

Deno.test("combineProperties() keeps shares at 1 after samples were halved", () => {
  const row = {
    property: "a",
    by_type: { string: 6, number: 0, boolean: 0, array: 0, object: 0 },
    example: "x",
    unexpected: null,
    first_seen_at: "2026-11-22T00:00:00.000Z",
    last_seen_at: "2026-11-22T00:00:00.000Z",
  };
  assert.equal(combineProperties([row], [], 5)[0]!.share, 1);
});

Deno.test("the catalogue is sorted by name, by volume and by the last event, page by page", async () => {
  await using world = await createApiWorld();
  await send(world, ["b", "a", "a", "c", "b", "b"].map((name) => ({ name, properties: {} })));
  const seen = { a: "2026-11-03", b: "2026-11-01", c: "2026-11-02" };
  for (const [name, day] of Object.entries(seen)) {
    await world.sql`
      update public.event_names set last_seen_at = ${day}, first_seen_at = ${day}::date - 1
      where name = ${name}`;
  }
  const token = await world.createKey(["events:read"]);
  const readAll = async (sort: string) => {
    const names: string[] = [];
    let cursor = "";
    do {
      const path = `/catalogue?sort=${sort}&limit=1${cursor && `&cursor=${cursor}`}`;
      const { body } = await world.send({ path, token });
      names.push(...body.data.map(({ name }: { name: string }) => name));
      cursor = body.next_cursor ?? "";
    } while (cursor !== "");
    return names.join("");
  };
  assert.equal(await readAll("name"), "abc");
  assert.equal(await readAll("volume"), "bac");
  assert.equal(await readAll("last_seen"), "acb");
  assert.equal(await readAll("newest"), "acb");
  // Events of long ago do not count.
  await world
    .sql`update public.event_name_stats set day = day - interval '8 days' where name = 'b'`;
  assert.equal(await readAll("volume"), "acb");
  const { body } = await world.send({ path: "/catalogue?sort=volume&limit=1", token });
  const other = `/catalogue?sort=name&cursor=${body.next_cursor}`;
  assert.equal((await world.send({ path: other, token })).status, 400);
});

Deno.test("the catalogue tells the events of the service from those of the workspace", async () => {
  await using world = await createApiWorld();
  await send(world, [
    { name: "order", properties: {} },
    { name: "email_sent", properties: {} },
    { name: "email_sent_late", properties: {} },
    { name: "unsubscribed", properties: {} },
  ]);
  const list = async (query: string) => {
    const { data } = await read(world, `/catalogue${query}`);
    return data.map(({ name }: { name: string }) => name).sort();
  };
  assert.deepEqual(await list("?service=true"), ["email_sent", "unsubscribed"]);
  assert.deepEqual(await list("?service=false"), ["email_sent_late", "order"]);
  assert.deepEqual(await list("?service=true&q=email"), ["email_sent"]);
  assert.equal((await list("")).length, 4);
});
