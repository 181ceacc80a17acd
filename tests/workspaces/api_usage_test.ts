import assert from "node:assert/strict";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";

function ingest({ sql, workspaceId }: ApiWorld, names: string[]) {
  return ingestEntries(
    sql,
    names.map((name, i) => ({
      workspace_id: workspaceId,
      kind: "event" as const,
      name,
      external_id: `user-${i % 3}`,
    })),
  );
}

async function readUsage(world: ApiWorld, query = "") {
  const token = await world.createKey(["events:read"]);
  const { status, body } = await world.send({ path: `/usage${query}`, token });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

Deno.test("usage includes the latest entries, before and after they are folded", async () => {
  await using world = await createApiWorld();
  await ingest(world, ["seen", "seen", "bought"]);
  await world.sql`
    insert into public.delivery_stats
    values (${world.workspaceId}, gen_random_uuid(), date_trunc('hour', now()), 5, 2)`;
  const fresh = await readUsage(world);
  assert.deepEqual(fresh.totals, {
    events: 3,
    customers: 3,
    // 16 for each event: empty properties and an empty context.
    bytes: 48,
    deliveries: 7,
    failures: 2,
    throttled: 0,
    busiest_minute: 3,
  });
  assert.equal(fresh.data.length, 25);
  await world.sql`select private.fold_usage()`;
  const folded = await readUsage(world);
  assert.deepEqual(folded.totals, fresh.totals);
  assert.deepEqual(folded.top_events, [{ name: "seen", events: 2 }, { name: "bought", events: 1 }]);
  await ingest(world, ["seen"]);
  assert.equal((await readUsage(world, "?interval=day")).totals.events, 4);
});

Deno.test("the busiest minute counts all its entries, of several folds", async () => {
  await using world = await createApiWorld();
  const range = "?since=2026-10-20T09:00:00Z&until=2026-10-20T11:00:00Z&interval=hour";
  const folds: [string, number][][] = [
    [["09:58:10", 5], ["09:58:50", 2]],
    [["09:58:59", 3], ["09:59:00", 4], ["10:00:00", 6]],
    // The first of these comes late: its minute is not the newest any more.
    [["09:58:00", 9], ["09:59:59", 7], ["10:00:30", 1]],
  ];
  const busiest: number[] = [];
  for (const deltas of folds) {
    for (const [time, events] of deltas) {
      await world.sql`
        insert into private.usage_deltas (workspace_id, at, name, events)
        values (${world.workspaceId}, ${`2026-10-20T${time}Z`}, 'seen', ${events})`;
    }
    busiest.push((await readUsage(world, range)).totals.busiest_minute);
    await world.sql`select private.fold_usage()`;
  }
  // Entries of a minute that is partly folded count together.
  assert.deepEqual(busiest, [7, 10, 11]);
  const { totals, data } = await readUsage(world, range);
  assert.deepEqual(
    data.map((hour: Record<string, unknown>) => [hour.events, hour.busiest_minute]),
    [[30, 11], [7, 7]],
  );
  assert.deepEqual([totals.events, totals.busiest_minute], [37, 11]);
});

Deno.test("duplicates and rejected entries are not counted", async () => {
  await using world = await createApiWorld();
  const entry = { workspace_id: world.workspaceId, external_id: "u", idempotency_key: "k" };
  for (const _ of [1, 2]) {
    await ingestEntries(world.sql, [{ ...entry, kind: "event", name: "seen" }]);
  }
  await ingestEntries(world.sql, [{ ...entry, kind: "alias", previous_id: "nobody" }]);
  assert.equal((await readUsage(world)).totals.events, 1);
});

Deno.test("private.fold_usage() adds each delta once, with concurrent folds and stores", async () => {
  await using world = await createApiWorld();
  const work = Array.from(
    { length: 40 },
    (_, i) =>
      i % 2 === 0 ? ingest(world, ["seen", "bought"]) : world.sql`select private.fold_usage()`,
  );
  await Promise.all(work);
  await world.sql`select private.fold_usage()`;
  const { totals, top_events } = await readUsage(world);
  assert.equal(totals.events, 40);
  assert.equal(totals.customers, 2);
  assert.deepEqual(top_events, [{ name: "bought", events: 20 }, { name: "seen", events: 20 }]);
  const [row] = await world.sql<
    { n: number }[]
  >`select count(*)::int as n from private.usage_deltas`;
  assert.equal(row!.n, 0);
});

Deno.test("private.fold_usage() keeps at most 1,000 names per workspace", async () => {
  await using world = await createApiWorld();
  await ingest(world, Array.from({ length: 900 }, (_, i) => `name-${i}`));
  await world.sql`select private.fold_usage()`;
  await ingest(world, Array.from({ length: 900 }, (_, i) => `other-${i}`));
  await world.sql`select private.fold_usage()`;
  await ingest(world, ["name-7", "brand-new"]);
  await world.sql`select private.fold_usage()`;
  const rows = await world.sql<{ name: string; events: string }[]>`
    select name, events from public.event_names`;
  assert.equal(rows.length, 1000);
  assert.equal(rows.find(({ name }) => name === "name-7")?.events, "2");
  assert.equal(rows.some(({ name }) => name === "brand-new"), false);
});

Deno.test("event types are the service's own and the names seen, page by page", async () => {
  await using world = await createApiWorld();
  for (const name of ["first", "second", "third"]) await ingest(world, [name]);
  await world.sql`select private.fold_usage()`;
  const token = await world.createKey(["destinations:read"]);
  const page = await world.send({ path: "/event-types?limit=2", token });
  const names = ({ body }: typeof page) => body.data.map(({ name }: { name: string }) => name);
  assert.deepEqual(names(page), ["third", "second"]);
  const next = await world.send({ path: `/event-types?cursor=${page.body.next_cursor}`, token });
  assert.deepEqual(names(next), ["first"]);
  assert(page.body.service.some(({ type }: { type: string }) => type === "customer.merged"));
});

Deno.test("an empty or too long range of usage is invalid input", async () => {
  await using world = await createApiWorld();
  const token = await world.createKey(["events:read"]);
  for (
    const query of [
      "since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z",
      "since=2026-01-01T00:00:00Z&until=2026-03-01T00:00:00Z",
      "since=yesterday",
      "interval=week",
    ]
  ) {
    assert.equal((await world.send({ path: `/usage?${query}`, token })).status, 400, query);
  }
});

Deno.test("days are those of UTC in a database of any time zone, also where its clocks change", async () => {
  await using world = await createApiWorld();
  await world.sql`
    insert into public.usage_stats
    select ${world.workspaceId}, at, 10, 0
    from generate_series('2026-10-20T05:00Z'::timestamptz, '2026-10-30T05:00Z', '24 hours') as at`;
  const database = new URL(world.db.url).pathname.slice(1);
  await world.sql.unsafe(`alter database ${database} set timezone = 'Europe/Berlin'`);
  const range = "since=2026-10-20T00:00:00Z&until=2026-10-31T00:00:00Z&interval=day";
  const { data } = await readUsage(world, `?${range}`);
  assert.deepEqual(
    data.map(({ at, events }: { at: string; events: number }) => `${at} ${events}`),
    Array.from({ length: 11 }, (_, day) => `2026-10-${20 + day}T00:00:00.000Z 10`),
  );
});
