import assert from "node:assert/strict";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";

/** Names of which several are the same but for their case. */
const names = ["beta", "Alpha", "alpha", "Émile", "Beta", "ALPHA", "gamma", "b"];

/** Creates a named resource; returns nothing. */
const makers: Record<string, (name: string, n: number) => { path: string; body: unknown }> = {
  "/destinations": (name) => ({
    path: "/destinations",
    body: { name, url: "https://example.com/", event_types: ["*"] },
  }),
  "/sources": (name) => ({ path: "/sources", body: { name, scheme: "service" } }),
  "/segments": (name) => ({ path: "/segments", body: { name, condition: { event: "seen" } } }),
  "/topics": (name, n) => ({
    path: "/topics",
    body: { name, key: `topic-${n}`, default: "unsubscribed" },
  }),
  "/templates": (name) => ({
    path: "/templates",
    body: { name, subject: "Hi", text: "Hi {{ unsubscribe_url }}" },
  }),
};

interface Row {
  id: string;
  name: string;
}

/** Reads a list page by page, two rows each. */
async function readPages<R = Row>(
  world: ApiWorld,
  { path, token }: { path: string; token: string },
): Promise<R[]> {
  const rows: R[] = [];
  let cursor: string | null = null;
  do {
    const query = `${path.includes("?") ? "&" : "?"}limit=2${cursor ? `&cursor=${cursor}` : ""}`;
    const { workspaceId } = world;
    const { status, body } = await world.send({ path: `${path}${query}`, token, workspaceId });
    assert.equal(status, 200, JSON.stringify(body));
    rows.push(...body.data);
    cursor = body.next_cursor;
  } while (cursor !== null);
  return rows;
}

function byName(a: Row, b: Row): number {
  const [x, y] = [a.name.toLowerCase(), b.name.toLowerCase()];
  return x < y ? -1 : x > y ? 1 : a.id < b.id ? -1 : 1;
}

Deno.test("lists of named resources are sorted by name and by age, page by page", async (t) => {
  await using world = await createApiWorld();
  const { workspaceId } = world;
  const token = await world.signInAs("owner", workspaceId);
  for (const [path, make] of Object.entries(makers)) {
    await t.step(path, async () => {
      for (const [n, name] of names.entries()) {
        const { status, body } = await world.send({
          method: "POST",
          ...make(name, n),
          token,
          workspaceId,
        });
        assert.equal(status, 201, JSON.stringify(body));
      }
      const newest = await readPages(world, { path, token });
      assert.deepEqual(newest.map(({ name }) => name), names.toReversed());
      const oldest = await readPages(world, { path: `${path}?sort=oldest`, token });
      assert.deepEqual(oldest, newest.toReversed());
      const named = await readPages(world, { path: `${path}?sort=name`, token });
      assert.deepEqual(named.map(({ id }) => id), newest.toSorted(byName).map(({ id }) => id));
    });
  }
});

/** Rows that share their times, as many calls within a millisecond do. */
async function fillLogs({ sql, workspaceId }: ApiWorld): Promise<void> {
  await sql`
    insert into public.audit_log (workspace_id, actor_kind, action, created_at)
    select ${workspaceId}, 'system', 'test', '2026-11-01Z'::timestamptz + n / 3 * interval '1 s'
    from generate_series(1, 9) as n`;
  await sql`
    insert into public.deliveries (
      workspace_id, id, destination_id, message_id, message_created_at, event_type,
      attempt_number, trigger, ok, attempted_at
    )
    select
      ${workspaceId}, private.uuid_v7(t.at), gen_random_uuid(), gen_random_uuid(), t.at, 'seen',
      1, 'event', n % 2 = 0, t.at
    from generate_series(1, 9) as n
    cross join lateral (
      select date_trunc('milliseconds', now()) - (n / 3) * interval '1 millisecond'
    ) as t (at)`;
  await sql`
    insert into public.customers (workspace_id, id, email)
    select ${workspaceId}, private.uuid_v7(now() - n * interval '1 minute'), n || '@example.com'
    from generate_series(1, 9) as n`;
}

Deno.test("lists by time are read from the oldest row on, page by page", async (t) => {
  await using world = await createApiWorld();
  await fillLogs(world);
  const token = await world.signInAs("owner");
  for (const path of ["/audit-log", "/deliveries", "/customers"]) {
    await t.step(path, async () => {
      const newest = await readPages(world, { path, token });
      assert.equal(newest.length, 9);
      const oldest = await readPages(world, { path: `${path}?sort=oldest`, token });
      assert.deepEqual(oldest, newest.toReversed());
    });
  }
  await t.step("with a filter", async () => {
    const path = "/deliveries?ok=true";
    const newest = await readPages(world, { path, token });
    assert.equal(newest.length, 4);
    const oldest = await readPages(world, { path: `${path}&sort=oldest`, token });
    assert.deepEqual(oldest, newest.toReversed());
  });
});

Deno.test("a cursor is refused with another order, and a search of customers with any", async () => {
  await using world = await createApiWorld();
  await fillLogs(world);
  const { workspaceId } = world;
  const token = await world.signInAs("owner");
  const send = (path: string) => world.send({ path, token, workspaceId });
  const { body } = await send("/audit-log?limit=2&sort=oldest");
  const other = await send(`/audit-log?limit=2&cursor=${body.next_cursor}`);
  assert.deepEqual([other.status, other.body.details[0].field], [400, "cursor"]);
  const searched = await send("/customers?q=a&sort=oldest");
  assert.deepEqual(searched.body.details, [
    { field: "sort", message: "must not be combined with q" },
  ]);
  const unknown = await send("/destinations?sort=url");
  assert.deepEqual(unknown.body.details, [
    { field: "sort", message: 'must be one of "newest", "oldest", "name"' },
  ]);
});

Deno.test("an export has the order of its list", async () => {
  await using world = await createApiWorld();
  await fillLogs(world);
  const { workspaceId } = world;
  const token = await world.signInAs("owner");
  const list = await readPages(world, { path: "/audit-log?sort=oldest", token });
  const path = "/audit-log/export?format=ndjson&sort=oldest";
  const { body } = await world.send({ path, token, workspaceId });
  const rows = body.trimEnd().split("\n").map((line: string) => JSON.parse(line));
  assert.deepEqual(rows, list);
});
