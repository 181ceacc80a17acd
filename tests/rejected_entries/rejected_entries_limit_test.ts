import assert from "node:assert/strict";
import { generateApiKey } from "../../supabase/functions/_shared/access/keys.ts";
import { createTrackWorld, type TrackWorld } from "../../testing/service/app.ts";
import { createPlan } from "../../testing/data/factories.ts";

/** A world whose plan keeps so many refused entries, or bytes of them, a day. */
function createKeepingWorld(limits: { entries?: number; bytes?: number }): Promise<TrackWorld> {
  return createTrackWorld({
    async plan({ sql }) {
      const id = await createPlan(sql);
      const { entries = 1_000_000, bytes = 1024 ** 4 } = limits;
      await sql`
        update public.plans
        set rejected_entries_per_day = ${entries}, rejected_bytes_per_day = ${bytes}
        where id = ${id}`;
      return id;
    },
  });
}

function badEntry(n: number, text = "") {
  return { external_id: "user-1", name: "ping", properties: { n, text } };
}

async function readKept({ db }: TrackWorld) {
  return await db.sql<{ entry: string; error: string; field: string }[]>`
    select entry, error, field from public.rejected_entries order by rejected_at, id`;
}

async function readCounts({ db }: TrackWorld) {
  const rows = await db.sql`select kept, not_kept from public.rejected_entry_stats`;
  return rows.map((row) => Object.values(row));
}

Deno.test("rejected entries beyond the plan's daily number are counted and not kept", async () => {
  await using world = await createKeepingWorld({ entries: 5 });
  const events = [0, 1, 2].map((n) => badEntry(n));
  assert.equal((await world.send({ events })).body.rejected, 3);
  assert.equal((await world.send({ events })).body.rejected, 3);
  assert.equal((await world.send(badEntry(9))).status, 400);
  assert.equal((await readKept(world)).length, 5);
  assert.deepEqual(await readCounts(world), [[5, 2]]);
});

Deno.test("rejected entries beyond the plan's daily bytes are counted and not kept", async () => {
  await using world = await createKeepingWorld({ bytes: 10_000 });
  for (let n = 0; n < 4; n++) await world.send(badEntry(n, "x".repeat(3_000)));
  assert.equal((await readKept(world)).length, 3);
  assert.deepEqual(await readCounts(world), [[3, 1]]);
});

Deno.test("twenty concurrent callers keep exactly as many rejected entries as the plan allows", async () => {
  await using world = await createKeepingWorld({ entries: 7 });
  const instances = [world, world.startInstance(), world.startInstance()];
  await Promise.all(Array.from({ length: 20 }, (_, n) => instances[n % 3]!.send(badEntry(n))));
  assert.equal((await readKept(world)).length, 7);
  assert.deepEqual(await readCounts(world), [[7, 13]]);
});

Deno.test("rejected entries are kept again the next day", async () => {
  await using world = await createKeepingWorld({ entries: 1 });
  for (const n of [0, 1]) await world.send(badEntry(n));
  assert.equal((await readKept(world)).length, 1);
  await world.db.sql`update public.rejected_entry_stats set day = day - interval '1 day'`;
  await world.send(badEntry(2));
  assert.equal((await readKept(world)).length, 2);
});

Deno.test("no rejected entry contains a key, at any position", async () => {
  await using world = await createKeepingWorld({});
  const { key } = await generateApiKey();
  const entries = [
    { ...badEntry(0), context: { writeKey: key } },
    { ...badEntry(1), nested: { list: [{ url: `https://example.com/?key=${key}&x=1` }] } },
    { ...badEntry(2), nam: `Bearer ${key}` },
    { ...badEntry(3), [key]: 1 },
    // Cut at 64 KiB, in the middle of the key.
    { ...badEntry(4), properties: { text: "x".repeat(64 * 1024 - 90), key } },
  ];
  assert.equal((await world.send({ events: entries })).body.rejected, entries.length);
  const kept = await readKept(world);
  assert.equal(kept.length, entries.length);
  for (const row of kept) {
    assert.doesNotMatch(JSON.stringify(row), /pk_[0-9A-Za-z]{4}/);
    assert.match(row.entry, /"external_id":"user-1"/);
  }
  assert.equal(JSON.parse(kept[0]!.entry).context.writeKey, `pk_…${key.slice(-4)}`);
});
