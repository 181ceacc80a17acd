import assert from "node:assert/strict";
import type { Condition } from "../../supabase/functions/api/contract/conditions/types.ts";
import { publishMessages } from "../../testing/service/dispatch_world.ts";
import { ingestFor } from "../../testing/data/erasures.ts";
import { addRule } from "../../testing/data/alerts.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";

interface FiltersWorld extends AsyncDisposable {
  api: ApiWorld;
  /** Creates a destination, or fails; returns its id. */
  add(filter: unknown, body?: object): Promise<string>;
  call(method: string, path: string, body?: unknown): ReturnType<ApiWorld["send"]>;
  /** Stores events as track does. */
  track(...events: { name?: string; properties?: object; context?: object }[]): Promise<void>;
  /** The property `n` of all messages that wait for a destination, or that it missed. */
  numbersOf(id: string): Promise<unknown[]>;
}

async function createFiltersWorld(): Promise<FiltersWorld> {
  const api = await createApiWorld();
  const { sql, workspaceId } = api;
  const scopes = ["destinations:read", "destinations:write", "deliveries:read", "deliveries:write"];
  const token = await api.createKey(scopes as Parameters<ApiWorld["createKey"]>[0]);
  const call = (method: string, path: string, body?: unknown) =>
    api.send({ method, path, token, body });
  return {
    api,
    call,
    async add(filter, body = {}) {
      const url = "https://a.example.com/";
      const given = { name: "Lake", url, event_types: ["order"], filter, ...body };
      const response = await call("POST", "/destinations", given);
      assert.equal(response.status, 201, JSON.stringify(response.body));
      return response.body.id;
    },
    async track(...events) {
      await ingestFor(
        sql,
        workspaceId,
        events.map((event) => ({
          kind: "event" as const,
          name: "order",
          external_id: "ada",
          ...event,
        } as Parameters<typeof ingestFor>[2][number])),
      );
    },
    async numbersOf(id) {
      const rows = await sql<{ n: unknown }[]>`
        select coalesce(
          m.body::jsonb #> '{payload,properties,n}', m.body::jsonb #> '{payload,n}',
          to_jsonb(m.event_type)
        ) as n
        from (
          select q.message_id from private.webhook_queue as q where q.destination_id = ${id}
          union all
          select q.message_id from public.missed_messages as q where q.destination_id = ${id}
        ) as q
        join public.webhook_messages as m on m.id = q.message_id
        order by m.created_at, m.id`;
      return rows.map(({ n }) => n).sort((a, b) => Number(a) - Number(b));
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

const large: Condition = { property: "total", op: "gte", value: 100 };

Deno.test("a destination gets only the events that meet its filter, one without a filter gets all", async () => {
  await using world = await createFiltersWorld();
  const all = await world.add(null);
  const omitted = await world.add(undefined);
  const filtered = await world.add(large);
  const other = await world.add({ not: large }, { event_types: ["ord*"] });
  const unrelated = await world.add(large, { event_types: ["refund"] });
  await world.track(
    { properties: { n: 1, total: 100 } },
    { properties: { n: 2, total: 99.5 } },
    { properties: { n: 3, total: "100" } },
    { properties: { n: 4 } },
    { name: "view", properties: { n: 5, total: 100 } },
  );
  assert.deepEqual(await world.numbersOf(all), [1, 2, 3, 4]);
  assert.deepEqual(await world.numbersOf(omitted), [1, 2, 3, 4]);
  assert.deepEqual(await world.numbersOf(filtered), [1]);
  assert.deepEqual(await world.numbersOf(other), [2, 3, 4]);
  assert.deepEqual(await world.numbersOf(unrelated), []);
});

Deno.test("an event that no destination's filter lets through is stored without a message", async () => {
  await using world = await createFiltersWorld();
  await world.add(large);
  await world.track({ properties: { total: 1 } }, { properties: { total: 1_000 } });
  const { sql } = world.api;
  const [row] = await sql`
    select (select count(*)::int from public.events) as events,
      (select count(*)::int from public.webhook_messages) as messages`;
  assert.deepEqual(row, { events: 2, messages: 1 });
});

Deno.test("a filter nests groups, and tests the context and nested properties", async () => {
  await using world = await createFiltersWorld();
  const id = await world.add({
    any: [
      { all: [large, { property: "address.country", op: "in", value: ["DE", "AT"] }] },
      { field: "context.page.path", op: "starts_with", value: "/vip" },
      { not: { property: "coupon", op: "not_exists" } },
    ],
  });
  await world.track(
    { properties: { n: 1, total: 100, address: { country: "AT" } } },
    { properties: { n: 2, total: 100, address: { country: "FR" } } },
    { properties: { n: 3 }, context: { page: { path: "/VIP/x" } } },
    { properties: { n: 4, context: { page: { path: "/vip" } } } },
    { properties: { n: 5, coupon: "a' or true --" } },
    { properties: { n: 6, coupon: null } },
  );
  assert.deepEqual(await world.numbersOf(id), [1, 3, 5]);
});

Deno.test("every operator answers as it does in a filter of the list of events", async () => {
  await using world = await createFiltersWorld();
  const token = await world.api.createKey(["events:read"]);
  const values = [
    "DE",
    "de",
    "",
    5,
    5.5,
    "5",
    true,
    null,
    ["DE"],
    { a: 1 },
    "2026-05-01T00:00:00Z",
  ];
  const tests = [
    ...["eq", "neq"].flatMap((op) => ["DE", 5, true].map((value) => ({ op, value }))),
    ...["in", "not_in"].map((op) => ({ op, value: ["DE", 5] })),
    ...["exists", "not_exists"].map((op) => ({ op })),
    ...["contains", "not_contains", "starts_with", "ends_with"].map((op) => ({ op, value: "D" })),
    ...["gt", "gte", "lt", "lte"].map((op) => ({ op, value: 5 })),
    ...["before", "after"].map((op) => ({ op, value: "2026-05-01T00:00:01.000Z" })),
  ];
  const conditions = tests.flatMap((test) => [
    { property: "v", ...test },
    { field: "context.v", ...test },
  ]);
  await world.api.sql`update public.plans set max_destinations = 100`;
  const ids = [];
  for (const condition of conditions) ids.push(await world.add(condition));
  await world.track(
    ...values.map((v, n) => ({ properties: { n, v }, context: { v } })),
    { properties: { n: values.length } },
  );
  for (const [index, condition] of conditions.entries()) {
    const path = `/events?limit=200&filter=${encodeURIComponent(JSON.stringify(condition))}`;
    const { status, body } = await world.api.send({ path, token });
    assert.equal(status, 200, JSON.stringify(body));
    const listed = body.data.map(({ properties }: { properties: { n: number } }) => properties.n);
    const text = JSON.stringify(condition);
    assert.deepEqual(
      await world.numbersOf(ids[index]!),
      listed.sort((a: number, b: number) => a - b),
      text,
    );
  }
});

Deno.test("a destination that is disabled misses only what its filter lets through", async () => {
  await using world = await createFiltersWorld();
  const id = await world.add(large, { enabled: false });
  await world.track({ properties: { n: 1, total: 1 } }, { properties: { n: 2, total: 100 } });
  const { body } = await world.call("GET", `/destinations/${id}`);
  assert.equal(body.health.missed, 1);
  const change = { enabled: true, filter: { property: "n", op: "eq", value: 1 } };
  assert.equal((await world.call("PATCH", `/destinations/${id}`, change)).status, 200);
  const recovered = await world.call("POST", `/destinations/${id}/recover`, {});
  assert.equal(recovered.body.matched, 1);
  assert.deepEqual(await world.numbersOf(id), [2]);
});

Deno.test("messages that are queued later go only where the filter lets them", async () => {
  await using world = await createFiltersWorld();
  const { sql, workspaceId } = world.api;
  await sql`update public.plans set max_destinations = 100`;
  const all = await world.add(null);
  for (let i = 0; i < 20; i++) await world.add(null);
  const filtered = await world.add({ property: "n", op: "lt", value: 3 });
  const payloads = Array.from({ length: 250 }, (_, n) => ({ properties: { n } }));
  await publishMessages(sql, { workspaceId, eventType: "order", payloads });
  const [later] = await sql`select count(*)::int as count from private.fan_outs`;
  assert.equal(later!.count, 250);
  while ((await sql`select private.work_fan_outs() as n`)[0]!.n > 0);
  assert.equal((await world.numbersOf(all)).length, 250);
  assert.deepEqual(await world.numbersOf(filtered), [0, 1, 2]);
});

Deno.test("messages of the service are filtered by their payload", async () => {
  await using world = await createFiltersWorld();
  const germans = { property: "customer.country", op: "eq", value: "DE" };
  const id = await world.add(germans, { event_types: ["customer.*"] });
  const { sql, workspaceId } = world.api;
  await ingestFor(
    sql,
    workspaceId,
    ["DE", "FR"].map((country) => ({
      kind: "identify" as const,
      external_id: country,
      profile: { country },
    })),
  );
  assert.deepEqual(await world.numbersOf(id), ["customer.created"]);
});

Deno.test("what names its destination ignores the filter: tests, and channels of alerts", async () => {
  await using world = await createFiltersWorld();
  const id = await world.add(large, { event_types: ["*"] });
  const path = `/destinations/${id}/test`;
  assert.equal((await world.call("POST", path)).status, 202);
  const test = { event_type: "order", payload: { properties: { n: 1 } } };
  assert.equal((await world.call("POST", path, test)).status, 202);
  assert.deepEqual(await world.numbersOf(id), ["ping", 1]);

  const { sql, workspaceId } = world.api;
  const channels = [{ type: "destination", destination_id: id }];
  const ruleId = await addRule(sql, workspaceId, { channels });
  const token = await world.api.createKey(["alerts:write"]);
  const tested = await world.api.send({
    method: "POST",
    path: `/alert-rules/${ruleId}/test`,
    token,
  });
  assert(tested.status < 300, JSON.stringify(tested.body));
  assert.deepEqual(await world.numbersOf(id), ["ping", 1, "alert.opened"]);
});

Deno.test("filters of one workspace never decide about another's messages", async () => {
  await using world = await createFiltersWorld();
  const id = await world.add(large);
  const { sql } = world.api;
  const other = await createWorkspace(sql);
  const [mine] = await sql<
    { workspace_id: string }[]
  >`select workspace_id from public.destinations`;
  const [theirs] = await sql<{ id: string }[]>`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${other}, 'Theirs', 'https://b.example.com', '{order}') returning id`;
  const entry = { kind: "event" as const, name: "order", external_id: "x" };
  await sql`select private.ingest(${
    JSON.stringify([mine!.workspace_id, other].map((workspace_id) => ({
      ...entry,
      workspace_id,
      properties: { n: 1 },
    })))
  })`;
  assert.deepEqual(await world.numbersOf(id), []);
  assert.deepEqual(await world.numbersOf(theirs!.id), [1]);
});

Deno.test("a filter is a condition on the event alone, and an error names the place", async () => {
  await using world = await createFiltersWorld();
  const deep = (levels: number): unknown => levels === 0 ? large : { not: deep(levels - 1) };
  const wide = (leaves: number) => ({ any: Array.from({ length: leaves }, () => large) });
  const refused: [filter: unknown, field: string][] = [
    [{ segment: "vip" }, "filter"],
    [{ event: "order" }, "filter"],
    [{ field: "country", op: "eq", value: "DE" }, "filter.field"],
    [{ field: "context.", op: "exists" }, "filter.field"],
    [{ field: "context.at", op: "within_last", value: "1d" }, "filter.op"],
    [{ property: "at", op: "within_last", value: "1d" }, "filter.op"],
    [{ all: [large, { property: "a..b", op: "exists" }] }, "filter.all[1].property"],
    [{ property: "total", op: "gte", value: "x" }, "filter.value"],
    [{ all: [] }, "filter.all"],
    [{}, "filter"],
    ["total > 1", "filter"],
    [wide(21), "filter"],
    [
      { property: "v", op: "in", value: Array.from({ length: 9 }, () => "x".repeat(900)) },
      "filter",
    ],
    [deep(8), "filter.not.not.not.not.not.not.not.not"],
  ];
  const body = { name: "x", url: "https://a.example.com/", event_types: ["*"] };
  for (const [filter, field] of refused) {
    const response = await world.call("POST", "/destinations", { ...body, filter });
    assert.equal(response.status, 400, JSON.stringify(filter));
    assert.equal(response.body.details[0].field, field, JSON.stringify(response.body));
  }
  for (const filter of [wide(20), deep(7)]) await world.add(filter);
});

Deno.test("all filters of a workspace have at most 200 leaves together", async () => {
  await using world = await createFiltersWorld();
  const wide = (leaves: number) => ({ any: Array.from({ length: leaves }, () => large) });
  for (let i = 0; i < 9; i++) await world.add(wide(20));
  const id = await world.add(wide(19));
  const change = (leaves: number) =>
    world.call("PATCH", `/destinations/${id}`, { filter: wide(leaves) });
  assert.equal((await change(20)).status, 200);
  const body = { name: "x", url: "https://a.example.com/", event_types: ["*"], filter: large };
  const refused = await world.call("POST", "/destinations", body);
  assert.equal(refused.status, 400);
  assert.equal(refused.body.details[0].field, "filter");
  // Its own old filter does not count.
  assert.equal((await change(20)).status, 200);
});

Deno.test("a filter that cannot be evaluated is not stored, not even in SQL", async () => {
  await using world = await createFiltersWorld();
  const id = await world.add(null);
  const broken = [
    {},
    { all: [] },
    { property: "a", op: "like", value: "b" },
    { property: "a", op: "gt", value: "x') or (true" },
    { field: "email", op: "exists" },
    { field: "email", op: "eq", value: "b" },
    { any: [large, { segment: "vip" }] },
  ];
  for (const filter of broken) {
    await assert.rejects(
      world.api.sql`
        update public.destinations set filter = ${
        JSON.stringify(filter)
      }::text::jsonb where id = ${id}`,
      /must be a condition on an event/,
      JSON.stringify(filter),
    );
  }
  await world.track({ properties: { n: 1 } });
  assert.deepEqual(await world.numbersOf(id), [1]);
});

Deno.test("the audit log has a filter before and after, and null removes it", async () => {
  await using world = await createFiltersWorld();
  const id = await world.add(large);
  const next = { property: "total", op: "gte", value: 200 };
  for (const filter of [next, null]) {
    const { status, body } = await world.call("PATCH", `/destinations/${id}`, { filter });
    assert.deepEqual([status, body.filter], [200, filter]);
  }
  await world.track({ properties: { n: 1 } });
  assert.deepEqual(await world.numbersOf(id), [1]);
  const entries = await world.api.sql<{ changes: unknown }[]>`
    select details -> 'changes' as changes from public.audit_log
    where action = 'destination.update' order by id`;
  assert.deepEqual(entries.map(({ changes }) => changes), [
    { filter: { before: large, after: next } },
    { filter: { before: next, after: null } },
  ]);
});
