import assert from "node:assert/strict";
import { profileFieldNames } from "../../supabase/functions/_shared/entries/profile_names.ts";
import { createTrackWorld, type TrackWorld } from "../../testing/service/app.ts";

const fields = [...profileFieldNames, "attributes"] as const;

const ann = {
  email: "ann@example.com",
  phone: "+4930123456",
  first_name: "Ann",
  last_name: "Archer",
  country: "DE",
  timezone: "Europe/Berlin",
  locale: "de-DE",
  attributes: { plan: "pro", only_ann: 1 },
};
const bob = {
  email: "bob@example.com",
  phone: "+14155550123",
  first_name: "Bob",
  last_name: "Baker",
  country: "US",
  timezone: "America/New_York",
  locale: "en-US",
  attributes: { plan: "free", only_bob: 2 },
};
const blank = Object.fromEntries(fields.map((field) => [field, null]));

/** Each way two records become one: what the merged record is known by, and the call. */
const merges = [
  {
    title: "identify with an anon_id",
    merged: { anon_id: "merged" },
    call: { type: "identify", external_id: "survivor", anon_id: "merged" },
  },
  {
    title: "alias",
    merged: { external_id: "merged" },
    call: { type: "alias", external_id: "survivor", previous_id: "merged" },
  },
];

async function send(world: TrackWorld, call: unknown): Promise<string> {
  const { status, body } = await world.send(call);
  assert.equal(status, 200, JSON.stringify(body));
  return body.customer_id;
}

async function readCustomer(world: TrackWorld, id: string): Promise<Record<string, unknown>> {
  const rows = await world.db.sql`select * from public.customers where id = ${id}`;
  assert.equal(rows.length, 1);
  return rows[0]!;
}

async function assertProfile(world: TrackWorld, id: string, expected: object): Promise<void> {
  const customer = await readCustomer(world, id);
  const profile = Object.fromEntries(fields.map((field) => [field, customer[field]]));
  assert.deepEqual(profile, { ...blank, attributes: {}, ...expected });
}

for (const { title, merged, call } of merges) {
  Deno.test(`${title} keeps every field of the survivor and fills every blank`, async () => {
    const attributes = { plan: "pro", only_ann: 1, only_bob: 2 };
    for (
      const { survivor, other, expected } of [
        { survivor: ann, other: bob, expected: { ...ann, attributes } },
        { survivor: {}, other: bob, expected: bob },
        { survivor: ann, other: {}, expected: ann },
      ]
    ) {
      await using world = await createTrackWorld();
      const id = await send(world, { type: "identify", external_id: "survivor", ...survivor });
      await send(world, { type: "identify", ...merged, ...other });
      assert.equal(await send(world, call), id);
      await assertProfile(world, id, expected);
    }
  });

  Deno.test(`${title} keeps the older created_at and the later last_seen_at`, async () => {
    for (const [survivorYear, mergedYear] of [[2020, 2021], [2021, 2020]]) {
      await using world = await createTrackWorld();
      const id = await send(world, { external_id: "survivor", name: "viewed" });
      const mergedId = await send(world, { ...merged, name: "viewed" });
      await world.db.sql`
        update public.customers set
          created_at = make_date(
            case id when ${id}::uuid then ${survivorYear!}::integer else ${mergedYear!}::integer end,
            1, 1),
          last_seen_at = now() + case id when ${mergedId}::uuid then interval '1 h' else '1 s' end
      `;
      await send(world, call);
      const customer = await readCustomer(world, id);
      assert.equal((customer.created_at as Date).getFullYear(), 2020);
      assert((customer.last_seen_at as Date).getTime() > Date.now() + 30 * 60_000);
    }
  });

  Deno.test(`${title} deletes the merged record and moves its events, tokens and ids`, async () => {
    await using world = await createTrackWorld();
    const id = await send(world, { external_id: "survivor", name: "viewed" });
    const mergedId = await send(world, { ...merged, name: "viewed" });
    const token = { ...merged, token: "token-1", platform: "ios" };
    assert.equal((await world.send(token, { path: "/track/devices" })).status, 200);
    await send(world, call);
    const rows = await world.db.sql`
      select
        (select count(*)::integer from public.customers where id = ${mergedId}) as merged,
        (select count(*)::integer from public.identities where customer_id = ${id}) as ids,
        (select count(*)::integer from public.device_tokens where customer_id = ${id}) as tokens,
        (select count(*)::integer from public.events as e join public.identities as i
          on i.workspace_id = e.workspace_id and i.id = e.identity_id
          where i.customer_id = ${id}) as events
    `;
    assert.deepEqual({ ...rows[0] }, { merged: 0, ids: 2, tokens: 1, events: 3 });
    assert.equal(await send(world, { ...merged, name: "viewed" }), id);
  });
}

Deno.test("identify with an anon_id lets the call's own fields win over both records", async () => {
  await using world = await createTrackWorld();
  const id = await send(world, { type: "identify", external_id: "survivor", ...ann });
  await send(world, { type: "identify", anon_id: "merged", ...bob });
  await send(world, {
    ...merges[0]!.call,
    email: "own@example.com",
    phone: null,
    attributes: { plan: "own", only_bob: null },
  });
  const attributes = { plan: "own", only_ann: 1 };
  await assertProfile(world, id, { ...ann, email: "own@example.com", phone: null, attributes });
});

Deno.test("a merge keeps the times of the merged record in the form of all times", async () => {
  await using world = await createTrackWorld();
  await send(world, { type: "identify", external_id: "survivor", ...ann });
  const mergedId = await send(world, { ...merges[0]!.merged, name: "viewed" });
  const { created_at, updated_at, last_seen_at } = await readCustomer(world, mergedId);
  await send(world, merges[0]!.call);

  const [merge] = await world.db.sql`select profile from public.customer_merges`;
  const profile = JSON.parse(JSON.stringify({ created_at, updated_at, last_seen_at }));
  assert.deepEqual({ ...merge!.profile, ...profile }, merge!.profile);
  const kept = [...fields, "created_at", "updated_at", "last_seen_at"];
  assert.deepEqual(Object.keys(merge!.profile).toSorted(), kept.toSorted());
});
