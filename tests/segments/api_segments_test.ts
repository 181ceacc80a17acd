import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";

const guide = readFileSync(new URL("../../docs/segments.md", import.meta.url), "utf8");
const day = 86_400_000;

async function createShop() {
  const world = await createApiWorld();
  const scopes = ["segments:read", "segments:write", "customers:read", "events:read"] as const;
  const token = await world.createKey(scopes);
  return {
    world,
    call: (method: string, path: string, body?: unknown) =>
      world.send({ method, path, token, body }),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

interface Person {
  profile?: Record<string, string>;
  attributes?: Record<string, unknown>;
  /** Each as name, age in days, properties. */
  events?: [name: string, days: number, properties?: Record<string, unknown>][];
}

/** Stores a person; an id that begins with "anon" is anonymous. */
async function addPerson({ sql, workspaceId }: ApiWorld, id: string, person: Person = {}) {
  const who = id.startsWith("anon") ? { anon_id: id } : { external_id: id };
  const entry = { workspace_id: workspaceId, ...who };
  const { profile = {}, attributes = {}, events = [] } = person;
  await ingestEntries(sql, [
    { ...entry, kind: "identify" as const, profile, attributes },
    ...events.map(([name, days, properties = {}]) => ({
      ...entry,
      kind: "event" as const,
      name,
      properties,
      occurred_at: new Date(Date.now() - days * day).toISOString(),
    })),
  ]);
}

/** Folds until nothing is due. */
async function fold({ sql }: ApiWorld): Promise<void> {
  for (;;) {
    const [row] = await sql<{ done: number }[]>`select private.fold_segments() as done`;
    if (row!.done === 0) return;
  }
}

/** The members that each recipe of the guide has in the shop below. */
const recipes: Record<string, string[]> = {
  "Returned within 7 days": ["back"],
  "Bought in the last 30 days": ["anon-buyer", "spender"],
  "Viewed three products and never bought": ["looker"],
  "Spent 500 in 90 days": ["spender"],
  "Has not been seen for 14 days": ["away"],
  "Pays, in one of three countries": ["payer"],
  "Trial ends within 3 days": ["trial"],
  "Anonymous visitor who bought": ["anon-buyer"],
};

async function fillShop(world: ApiWorld): Promise<void> {
  const page: [string, number] = ["page_viewed", 1];
  const view: [string, number] = ["product_viewed", 2];
  await addPerson(world, "back", { events: [page, page, ["page_viewed", 8]] });
  await addPerson(world, "once", { events: [page, ["page_viewed", 8]] });
  await addPerson(world, "looker", { events: [view, view, view] });
  await addPerson(world, "spender", {
    events: [view, view, view, ["order_completed", 20, { total: 300 }], ["order_completed", 80, {
      total: 200,
    }]],
  });
  await addPerson(world, "anon-buyer", { events: [["order_completed", 3, { total: 499 }]] });
  await addPerson(world, "payer", { profile: { country: "AT" }, attributes: { plan: "pro" } });
  await addPerson(world, "abroad", { profile: { country: "FR" }, attributes: { plan: "pro" } });
  const ends = (days: number) => ({
    trial_ends_at: new Date(Date.now() + days * day).toISOString(),
  });
  await addPerson(world, "trial", { attributes: ends(2) });
  await addPerson(world, "long-trial", { attributes: ends(4) });
  await addPerson(world, "away");
  await world.sql`
    update public.customers as c set last_seen_at = now() - interval '15 days'
    from public.identities as i where i.value = 'away' and c.id = i.customer_id`;
}

Deno.test("each recipe of docs/segments.md finds the customers that its title describes", async (t) => {
  await using shop = await createShop();
  await fillShop(shop.world);
  const found = guide.matchAll(/^### ([^\n]+)\n\n```json\n(.*?)```/gms);
  const written = new Map([...found].map(([, title = "", json = ""]) => [title, json]));
  assert.deepEqual([...written.keys()], Object.keys(recipes));
  for (const [title, expected] of Object.entries(recipes)) {
    await t.step(title, async () => {
      const condition = JSON.parse(written.get(title)!);
      const filter = encodeURIComponent(JSON.stringify(condition));
      const list = await shop.call("GET", `/customers?filter=${filter}`);
      assert.equal(list.status, 200, JSON.stringify(list.body));
      const idOf = (one: { external_id: string | null; anon_ids: string[] }) =>
        one.external_id ?? one.anon_ids[0];
      assert.deepEqual(list.body.data.map(idOf).toSorted(), expected);
      assert.deepEqual([list.body.count, list.body.is_exact], [expected.length, true]);
      const { data, next_cursor } = list.body;
      const uncounted = await shop.call("GET", `/customers?count=false&filter=${filter}`);
      assert.deepEqual(uncounted.body, { data, next_cursor });
      const preview = await shop.call("POST", "/segments/preview", { condition });
      assert.deepEqual(preview.body.examples.map(idOf).toSorted(), expected);
      const made = await shop.call("POST", "/segments", { name: title, condition });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      await fold(shop.world);
      const members = await shop.call("GET", `/segments/${made.body.id}/customers`);
      assert.deepEqual(members.body.data.map(idOf).toSorted(), expected);
      const { body } = await shop.call("GET", `/segments/${made.body.id}`);
      assert.deepEqual([body.state, body.progress, body.members], ["ready", 1, expected.length]);
      const everybody = await shop.call("GET", "/customers");
      for (const one of everybody.body.data) {
        const path = `/segments/${made.body.id}/explain`;
        const explained = await shop.call("POST", path, { customer_id: one.id });
        const isMember = expected.includes(idOf(one)!);
        assert.deepEqual([explained.body.member, explained.body.tree.is], [isMember, isMember]);
      }
    });
  }
});

Deno.test("PUT creates a segment by its key with 201, and replaces all its fields with 200", async () => {
  await using shop = await createShop();
  const condition = { event: "order_completed" };
  const first = await shop.call("PUT", "/segments/vip", { name: "A", description: "x", condition });
  assert.equal(first.status, 201, JSON.stringify(first.body));
  assert.deepEqual([first.body.key, first.body.description], ["vip", "x"]);
  const again = await shop.call("PUT", "/segments/vip", { key: "vip", name: "B", condition });
  assert.equal(again.status, 200);
  assert.deepEqual([again.body.id, again.body.name, again.body.description], [
    first.body.id,
    "B",
    null,
  ]);
  const other = await shop.call("PUT", "/segments/vip", { key: "pro", name: "B", condition });
  assert.deepEqual([other.status, other.body.details[0].field], [400, "key"]);
  const kind = await shop.call("PUT", "/segments/vip", { name: "B", kind: "static" });
  assert.equal(kind.status, 409);
  const byId = await shop.call("PUT", `/segments/${first.body.id}`, { name: "C", condition });
  assert.deepEqual([byId.status, byId.body.key, byId.body.name], [200, "vip", "C"]);
  const without = { key: null, name: "C", condition };
  const cleared = await shop.call("PUT", `/segments/${first.body.id}`, without);
  assert.deepEqual([cleared.status, cleared.body.key], [200, null]);
});

Deno.test("a condition may have 8 levels, and an event at the lowest", async () => {
  await using shop = await createShop();
  const nest = (levels: number, leaf: unknown): unknown =>
    levels === 1 ? leaf : { all: [nest(levels - 1, leaf)] };
  const where = [{ property: "color", op: "in", value: ["red", "blue"] }];
  const condition = (levels: number) => nest(levels, { event: "order_completed", where });
  const create = (levels: number) =>
    shop.call("POST", "/segments", { name: "Deep", condition: condition(levels) });
  const put = await shop.call("PUT", "/segments/deep", { name: "Deep", condition: condition(8) });
  const preview = await shop.call("POST", "/segments/preview", { condition: condition(8) });
  const edit = await shop.call("PATCH", "/segments/deep", { condition: condition(7) });
  assert.deepEqual(
    [(await create(8)).status, put.status, preview.status, edit.status],
    [201, 201, 200, 200],
  );
  const deeper = await create(9);
  assert.deepEqual(
    [deeper.status, deeper.body.details[0].message],
    [400, "must not be deeper than 8 levels"],
  );
});

Deno.test("PUT refuses a path that cannot be a key", async () => {
  await using shop = await createShop();
  for (const key of ["a b", "-a", "a".repeat(101), "preview"]) {
    const path = `/segments/${encodeURIComponent(key)}`;
    const { status, body } = await shop.call("PUT", path, { name: "A", kind: "static" });
    assert.deepEqual([status, body.details?.[0].field], [400, "id"], key);
  }
});

Deno.test("circles of segments are refused, and a segment in use is not deleted", async () => {
  await using shop = await createShop();
  const condition = { event: "order_completed" };
  await shop.call("PUT", "/segments/a", { name: "A", condition });
  const b = await shop.call("PUT", "/segments/b", { name: "B", condition: { segment: "a" } });
  assert.equal(b.status, 201, JSON.stringify(b.body));
  for (const segment of ["a", "b", "nowhere"]) {
    const circle = await shop.call("PATCH", "/segments/a", { condition: { segment } });
    assert.deepEqual([circle.status, circle.body.code], [400, "invalid_input"], segment);
    assert.match(circle.body.details[0].field, /^condition/);
  }
  assert.equal((await shop.call("DELETE", "/segments/a")).status, 409);
  const used = await shop.call("GET", "/segments/a");
  assert.deepEqual(used.body.used_by, [{ kind: "segment", id: b.body.id, name: "B" }]);
  assert.equal((await shop.call("DELETE", "/segments/b")).status, 204);
  assert.equal((await shop.call("DELETE", "/segments/a")).status, 204);
});

Deno.test("static segments take 1 to 10,000 customers a call, by ids and addresses", async () => {
  await using shop = await createShop();
  await addPerson(shop.world, "ada", { profile: { email: "ada@example.com" } });
  await addPerson(shop.world, "bob");
  await shop.call("POST", "/segments", { name: "List", key: "list", kind: "static" });
  const path = "/segments/list/customers";
  const added = await shop.call("PUT", path, {
    external_ids: ["bob", "nobody"],
    emails: ["ADA@example.com"],
  });
  assert.equal(added.status, 200, JSON.stringify(added.body));
  assert.deepEqual([added.body.changed, added.body.unknown.external_ids], [2, ["nobody"]]);
  const [bob] = (await shop.call("GET", "/customers?external_id=bob")).body.data;
  const memberships = await shop.call("GET", `/customers/${bob.id}/segments`);
  assert.deepEqual(memberships.body.data.map(({ key }: { key: string }) => key), ["list"]);
  const removed = await shop.call("DELETE", path, { customer_ids: [bob.id] });
  assert.deepEqual([removed.status, removed.body.changed], [200, 1]);
  const most = Array.from({ length: 10_000 }, (_, n) => `u${n}`);
  assert.equal((await shop.call("PUT", path, { external_ids: most })).status, 200);
  for (const body of [{}, { external_ids: [] }, { external_ids: most, emails: ["a@b.c"] }]) {
    assert.equal((await shop.call("PUT", path, body)).status, 400);
  }
  await shop.call("PUT", "/segments/live", { name: "Live", condition: { event: "x" } });
  const live = await shop.call("PUT", "/segments/live/customers", { external_ids: ["bob"] });
  assert.equal(live.status, 409);
});

Deno.test("an export has every member once, and no cell of a CSV is a formula", async () => {
  await using shop = await createShop();
  await shop.call("PUT", "/segments/all", { name: "All", kind: "static" });
  const ids = Array.from({ length: 450 }, (_, n) => `user-${n}`);
  for (const id of ids) await addPerson(shop.world, id);
  const profile = {
    first_name: "=cmd|' /C calc'!A0",
    last_name: 'a "b", c\nd',
    phone: "+14155550123",
  };
  await addPerson(shop.world, "user-0", { profile });
  await shop.call("PUT", "/segments/all/customers", { external_ids: ids });
  const json = await shop.call("GET", "/segments/all/export?format=ndjson");
  assert.equal(json.headers.get("content-type"), "application/x-ndjson; charset=utf-8");
  const rows = json.body.trimEnd().split("\n").map((line: string) => JSON.parse(line));
  const exported = rows.map((row: { external_id: string }) => row.external_id);
  assert.deepEqual(exported.toSorted(), ids.toSorted());
  const csv = await shop.call("GET", "/segments/all/export");
  assert.equal(csv.headers.get("content-disposition"), 'attachment; filename="all.csv"');
  assert.match(csv.body, /^id,external_id,.*,email,/);
  assert(
    csv.body.includes(`,'+14155550123,"'=cmd|' /C calc'!A0","a ""b"", c\nd",`) ||
      csv.body.includes(`,"'+14155550123","'=cmd|' /C calc'!A0","a ""b"", c\nd",`),
  );
  assert.equal((await shop.call("GET", "/segments/none/export")).status, 404);
});

Deno.test("events are filtered by their own properties and by their customer", async () => {
  await using shop = await createShop();
  const order = (total: number): [string, number, { total: number }] => ["order", 1, { total }];
  await addPerson(shop.world, "ada", {
    profile: { country: "DE" },
    events: [order(5), order(500)],
  });
  await addPerson(shop.world, "bob", { profile: { country: "FR" }, events: [order(700)] });
  const filter = encodeURIComponent(JSON.stringify({
    all: [
      { property: "total", op: "gte", value: 100 },
      { field: "country", op: "eq", value: "DE" },
    ],
  }));
  const { status, body } = await shop.call("GET", `/events?name=order&filter=${filter}`);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body.data.map((one: { properties: unknown }) => one.properties), [{
    total: 500,
  }]);
  assert.deepEqual([body.count, body.is_exact], [1, true]);
  const uncounted = await shop.call("GET", `/events?name=order&count=false&filter=${filter}`);
  assert.deepEqual(uncounted.body, { data: body.data, next_cursor: null });
  const { received_at } = body.data[0];
  for (const [range, count] of [[`since=${received_at}`, 1], [`until=${received_at}`, 0]]) {
    const ranged = await shop.call("GET", `/events?name=order&${range}&filter=${filter}`);
    assert.deepEqual([ranged.body.data.length, ranged.body.count], [count, count], `${range}`);
  }
  for (const bad of ["nonsense", "{}", JSON.stringify({ all: [{ event: 7 }] })]) {
    const refused = await shop.call("GET", `/events?filter=${encodeURIComponent(bad)}`);
    assert.equal(refused.status, 400);
    assert.match(refused.body.details[0].field, /^filter/);
  }
});

Deno.test("a key without customers:read filters events by events, not by profiles", async () => {
  await using shop = await createShop();
  const { world } = shop;
  await addPerson(world, "ada", { profile: { country: "DE" }, events: [["order", 1, {}]] });
  const token = await world.createKey(["events:read"]);
  const list = (condition: unknown) => {
    const filter = encodeURIComponent(JSON.stringify(condition));
    return world.send({ path: `/events?name=order&filter=${filter}`, token });
  };
  const country = { field: "country", op: "eq", value: "DE" };
  for (const condition of [country, { any: [{ event: "order" }, { not: country }] }]) {
    const refused = await list(condition);
    assert.deepEqual([refused.status, refused.body.code], [403, "insufficient_scope"]);
  }
  const { status, body } = await list({ event: "order" });
  assert.deepEqual([status, body.count], [200, 1]);
});

Deno.test("an unknown segment or topic in a condition is refused with its path", async () => {
  await using shop = await createShop();
  const refuse = async (condition: unknown) => {
    const { status, body } = await shop.call("POST", "/segments/preview", { condition });
    return [status, body.error];
  };
  assert.deepEqual(await refuse({ all: [{ event: "order" }, { not: { segment: "vip" } }] }), [
    400,
    'Field "condition.all[1].not.segment" must name a segment: none has the id or key "vip"',
  ]);
  assert.deepEqual(await refuse({ any: [{ topic: "news" }] }), [
    400,
    'Field "condition.any[0].topic" must name a topic: none has the id or key "news"',
  ]);
  for (const list of ["customers", "events"]) {
    const filter = encodeURIComponent(JSON.stringify({ all: [{ segment: "vip" }] }));
    const { status, body } = await shop.call("GET", `/${list}?filter=${filter}`);
    assert.deepEqual([status, body.details[0].field], [400, "filter.all[0].segment"], list);
  }
});
