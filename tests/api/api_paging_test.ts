import assert from "node:assert/strict";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";
import { startTrack } from "../../testing/service/app.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";

const rows = 10_000;

/** Ten thousand events and deliveries of a hundred customers, many in the same millisecond. */
async function fill({ sql, workspaceId }: ApiWorld): Promise<void> {
  await sql`
    with people as (
      insert into public.customers (workspace_id, id, email)
      select ${workspaceId}, private.uuid_v7(now() - n * interval '1 minute'), n || '@example.com'
      from generate_series(1, ${rows}) as n
      returning id
    ), ids as (
      insert into public.identities (workspace_id, kind, value, customer_id)
      select ${workspaceId}, 'external', 'user-' || row_number() over (), p.id from people as p
      returning id
    )
    insert into public.events (
      workspace_id, id, kind, identity_id, name, occurred_at, received_at
    )
    select ${workspaceId}, private.uuid_v7(t.at), 'event', i.id, 'seen', t.at, t.at
    from (select id, row_number() over () as n from ids) as i
    cross join lateral (
      select date_trunc('milliseconds', now()) - (i.n / 7) * interval '1 millisecond'
    ) as t (at)`;
  await sql`
    insert into public.deliveries (
      workspace_id, id, destination_id, message_id, message_created_at, event_type,
      attempt_number, trigger, ok, attempted_at
    )
    select
      ${workspaceId}, private.uuid_v7(t.at), gen_random_uuid(), gen_random_uuid(), t.at, 'seen',
      1, 'event', n % 2 = 0, t.at
    from generate_series(1, ${rows}) as n
    cross join lateral (
      select date_trunc('milliseconds', now()) - (n / 7) * interval '1 millisecond'
    ) as t (at)`;
}

/** Rows that arrive while somebody reads, until told to stop. */
function keepWriting({ sql, workspaceId }: ApiWorld) {
  let isStopped = false;
  let written = 0;
  const writing = (async () => {
    while (!isStopped) {
      await ingestEntries(
        sql,
        Array.from({ length: 20 }, () => ({
          workspace_id: workspaceId,
          kind: "event" as const,
          name: "late",
          external_id: `late-${crypto.randomUUID()}`,
        })),
      );
      await sql`
        insert into public.deliveries (
          workspace_id, id, destination_id, message_id, message_created_at, event_type,
          attempt_number, trigger, ok, attempted_at
        )
        select
          ${workspaceId}, private.uuid_v7(t.at), gen_random_uuid(), gen_random_uuid(), t.at,
          'late', 1, 'event', false, t.at
        from date_trunc('milliseconds', clock_timestamp()) as t (at)`;
      written += 20;
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await writing;
      assert(written > 0, "nothing was written meanwhile");
    },
  };
}

const lists = {
  "/events": "public.events",
  "/customers": "public.customers",
  "/deliveries": "public.deliveries",
};

Deno.test("paging returns each initial row exactly once while new rows arrive", async (t) => {
  await using world = await createApiWorld();
  await fill(world);
  const token = await world.createKey(["events:read", "customers:read", "deliveries:read"]);
  for (const [path, table] of Object.entries(lists)) {
    await t.step(path, async () => {
      const there = await world.sql.unsafe<{ id: string }[]>(
        `select id from ${table} where workspace_id = $1`,
        [world.workspaceId],
      );
      const writer = keepWriting(world);
      const seen = new Map<string, number>();
      let cursor: string | null = "";
      let pages = 0;
      while (cursor !== null) {
        const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
        const { status, body } = await world.send({ path: `${path}?limit=100${query}`, token });
        assert.equal(status, 200, JSON.stringify(body));
        for (const { id } of body.data) seen.set(id, (seen.get(id) ?? 0) + 1);
        cursor = body.next_cursor;
        pages++;
      }
      await writer.stop();
      assert(pages >= rows / 100);
      for (const { id } of there) assert.equal(seen.get(id), 1, `${path} ${id}`);
    });
  }
});

Deno.test("a cursor that is malformed or from another version or list is invalid input", async () => {
  await using world = await createApiWorld();
  await fill(world);
  const token = await world.createKey(["events:read", "customers:read"]);
  const page = await world.send({ path: "/customers?limit=1", token });
  const encode = (value: unknown) => btoa(JSON.stringify(value));
  const place = "0192f3c4-7a10-7cc3-8f4e-1b2a3c4d5e6f";
  const cursors = {
    "/events": [page.body.next_cursor],
    "/customers": [
      "nonsense",
      "e30",
      encode([2, "customers", place]),
      encode([1, "customers", "'; drop table customers"]),
      encode([1, "customers", place, place]),
      encode([1, "customers", 7]),
      "x".repeat(8001),
    ],
  };
  const times = [
    "9999-99-99T99:99:99.000Z",
    "2026-02-30T00:00:00.000Z",
    "2026-02-28T24:00:00.000Z",
    "0000-01-01T00:00:00.000Z",
    "2026-02-28T00:00:00.000+00:00",
  ];
  for (const time of times) cursors["/events"].push(encode([1, "events", time, place]));
  for (const [path, bad] of Object.entries(cursors)) {
    for (const cursor of bad) {
      const response = await world.send({ path: `${path}?cursor=${cursor}`, token });
      assert.equal(response.status, 400, cursor);
      assert.equal(response.body.details[0].field, "cursor");
    }
  }
});

Deno.test("every list accepts its own cursors, for any content of its rows", async () => {
  await using world = await createApiWorld();
  const key = await world.createKey(["track:write"]);
  await using track = startTrack({ url: world.db.url, key });
  const names = ["\u{1f600}".repeat(200), "\u0001".repeat(200), "seen"];
  const events = names.map((name) => ({ external_id: "u1", name }));
  const { body } = await track.send({ events });
  for (const letter of ["a", '"', "\\"]) {
    const device = { external_id: "u1", token: letter.repeat(2048), platform: "web" };
    await track.send(device, { path: "/track/devices" });
  }
  await world.sql`select private.run_frequent_tasks()`;
  const token = await world.createKey(["customers:read", "destinations:read"]);
  const devices = `/customers/${body.results[0].customer_id}/device-tokens`;
  for (const path of [devices, "/event-types"]) {
    let rows = 0;
    for (let cursor: string | null = ""; cursor !== null;) {
      const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const page = await world.send({ path: `${path}?limit=1${query}`, token });
      assert.equal(page.status, 200, JSON.stringify(page.body));
      rows += page.body.data.length;
      cursor = page.body.next_cursor;
    }
    assert.equal(rows, 3, path);
  }
});

Deno.test("a parameter of the address that is given twice is refused by its name", async () => {
  await using world = await createApiWorld();
  const token = await world.createKey(["customers:read"]);
  for (const query of ["limit=1&limit=2", "q=a&limit=1&q=a", "q=&q="]) {
    const { status, body } = await world.send({ path: `/customers?${query}`, token });
    const field = query[0] === "l" ? "limit" : "q";
    assert.deepEqual([status, body.code], [400, "invalid_input"], query);
    assert.equal(body.error, `Field "${field}" must be given once`);
  }
});
