import assert from "node:assert/strict";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";

const span = { since: "2026-11-01T00:00:00Z", until: "2026-11-08T00:00:00Z" };

/** 3,000 customers with one or two events each, and limits of half as many. */
async function fillWorld({ sql, workspaceId }: ApiWorld): Promise<void> {
  await sql.unsafe(`
    create or replace function private.exploration_limits(out read_rows integer, out index_rows integer)
    language sql immutable as $$ select 1500, 1500 $$`);
  await sql`
    with people as (
      insert into public.customers (workspace_id) select ${workspaceId} from generate_series(1, 3000)
      returning id
    )
    insert into public.identities (workspace_id, kind, value, customer_id)
    select ${workspaceId}, 'external', p.id, p.id from people as p`;
  await sql`
    insert into public.events (workspace_id, id, identity_id, name, occurred_at, received_at, properties)
    select ${workspaceId}, private.uuid_v7(t.at), i.id, n.name, t.at, t.at,
      jsonb_build_object('plan', case when i.id % 4 = 0 then 'pro' else 'free' end, 'total', 2.5)
    from public.identities as i
    cross join (values ('seen', 1), ('bought', 2)) as n (name, hours)
    cross join lateral (
      select ${span.since}::text::timestamptz + (i.id % 100 + n.hours) * interval '1 hour' as at
    ) as t
    where n.name = 'seen' or i.id % 2 = 0`;
  await sql`
    insert into public.event_names (workspace_id, name, events, first_seen_at, last_seen_at)
    values (${workspaceId}, 'seen', 3000, ${span.since}, ${span.until}),
      (${workspaceId}, 'bought', 1500, ${span.since}, ${span.until})`;
  await sql`
    insert into public.event_name_stats (workspace_id, day, name, events)
    values (${workspaceId}, '2026-11-02T00:00Z', 'seen', 3000),
      (${workspaceId}, '2026-11-02T00:00Z', 'bought', 1500)`;
}

Deno.test("above its limits an exploration reads a sample, says so, and scales the numbers", async () => {
  await using world = await createApiWorld();
  await fillWorld(world);
  const token = await world.createKey(["events:read"]);
  const explore = async (kind: string, body: object) => {
    const response = await world.send({
      method: "POST",
      path: `/explore/${kind}`,
      token,
      body: { ...body, ...span },
    });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body;
  };
  const near = (found: number, expected: number) =>
    assert(Math.abs(found - expected) < expected * 0.15, `${found} is not about ${expected}`);

  const all = await explore("counts", { event: { event: "seen" } });
  assert.equal(all.is_exact, true, "counting in the index alone needs no sample");
  assert.equal(all.series[0].total, 3000);

  const values = await explore("counts", { event: { event: "seen" }, property: "plan" });
  assert.equal(values.is_exact, false);
  assert.equal(values.sampled_share, 0.5);
  near(values.series[0].total, 2250);
  near(values.series[1].total, 750);

  const sums = { event: { event: "seen" }, value: "total" };
  const sum = await explore("counts", { ...sums, measure: "sum" });
  assert.equal(sum.is_exact, false);
  near(sum.series[0].total, 7500);
  const average = await explore("counts", { ...sums, measure: "average" });
  assert.equal(average.is_exact, false);
  assert.equal(average.series[0].total, 2.5, "an average is not scaled");

  const funnel = await explore("funnel", {
    steps: [{ event: "seen" }, { event: "bought" }],
    within: "2h",
  });
  assert.equal(funnel.is_exact, false);
  near(funnel.steps[0].customers, 3000);
  near(funnel.steps[1].customers, 1500);

  const retention = await explore("retention", {
    start: { event: "seen" },
    return: { event: "bought" },
    interval: "week",
    periods: 1,
  });
  assert.equal(retention.is_exact, false);
  const members = retention.cohorts.reduce(
    (sum: number, { customers }: { customers: number }) => sum + customers,
    0,
  );
  near(members, 3000);

  const paths = await explore("paths", { start: { event: "seen" }, depth: 1 });
  assert.equal(paths.is_exact, false);
  near(paths.customers, 3000);
  // A sixth of 1,500 customers is followed.
  assert(paths.sampled_share < 0.09);
});

Deno.test("a small sample reads the timelines of its customers, and finds the same events", async () => {
  await using world = await createApiWorld();
  await fillWorld(world);
  const event = { event: "seen", where: [{ property: "plan", op: "eq", value: "pro" }] };
  const find = async (share: number, explored: unknown) => {
    const source = { ...span, share, count: 1_000_000, has_customers: true };
    const [made] = await world.sql<{ text: string }[]>`
      select private.explored_sql(
        jsonb_populate_record(null::private.explored_source, ${
      JSON.stringify(source)
    }::text::jsonb),
        ${JSON.stringify(explored)}::text::jsonb
      ) as text`;
    const rows = await world.sql.unsafe<{ id: string; customer_id: string }[]>(
      `select s.id, s.customer_id from (${made!.text}) as s
       where (uuid_hash(s.customer_id)::bigint & 65535) < 4096 order by s.id`,
      [world.workspaceId],
    );
    return rows.map(({ id, customer_id }) => [id, customer_id]);
  };
  for (const explored of [{ event: "seen" }, event]) {
    const small = await find(4096 / 65536, explored);
    assert.ok(small.length > 10, `${small.length} events are in the sample`);
    assert.deepEqual(small, await find(4097 / 65536, explored));
  }
});
