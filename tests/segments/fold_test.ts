import assert from "node:assert/strict";
import fc from "fast-check";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { createConditionArbitrary } from "./condition_arbitrary.ts";
import {
  compareMembers,
  createSegment,
  editSegment,
  foldAll,
  ingestSome,
  readNextCheck,
} from "./fold_world.ts";
import { createRandom, pick } from "./segment_world.ts";

Deno.test("membership is that of the model after any traffic, edit and passing of time", async (t) => {
  await using db = await createTestDatabase();
  const { sql } = db;
  let comparisons = 0;
  for (const seed of [1, 2, 3, 4]) {
    await t.step(`world ${seed}`, async () => {
      const random = createRandom(seed);
      const workspaceId = await createWorkspace(sql);
      const place = () => ({ workspaceId, now: Date.now() });
      await ingestSome(sql, random, place());
      const ids: string[] = [];
      const conditions = fc.sample(createConditionArbitrary(), { seed, numRuns: 40 });
      for (const condition of conditions) {
        // Segments are created during the traffic, and some name earlier ones.
        const other = ids.length > 3 && random() < 0.3 ? { segment: pick(random, ids) } : undefined;
        const whole = other ? { any: [other, condition] } : condition;
        ids.push(await createSegment(sql, workspaceId, whole));
        await ingestSome(sql, random, place());
        if (random() < 0.5) await sql`select private.fold_segments(clock_timestamp(), 3)`;
      }
      let now = Date.now();
      for (let round = 0; round < 12; round++) {
        for (let batch = 0; batch < 3; batch++) await ingestSome(sql, random, place());
        const action = random();
        if (action < 0.3) {
          const [condition] = fc.sample(createConditionArbitrary(), {
            seed: seed * 100 + round,
            numRuns: 1,
          });
          await editSegment(sql, { workspaceId, id: pick(random, ids), condition: condition! });
        } else if (action < 0.5) {
          const [gone] = await sql<{ id: string }[]>`
            select c.id from public.customers as c where c.workspace_id = ${workspaceId}
            order by md5(c.id::text || ${round}) limit 1`;
          await sql.begin(async (tx) => {
            await tx`select set_config('signalpost.workspace_id', ${workspaceId}, true),
              set_config('signalpost.scopes', 'customers:write', true)`;
            await tx`select private.erase_customer(${workspaceId}, ${gone!.id})`;
          });
        }
        // The clock continues, sometimes to the next timer, and just before it.
        const next = await readNextCheck(sql, workspaceId);
        if (random() < 0.5 && next !== undefined && next > now) {
          await foldAll(sql, next - 1);
          comparisons += await compareMembers(sql, { workspaceId, now: next - 1 });
          now = next;
        } else {
          now = Math.max(now, Date.now()) + Math.floor(random() * 4 * 86_400_000);
        }
        await foldAll(sql, now, pick(random, [1, 7, 1000]));
        comparisons += await compareMembers(sql, { workspaceId, now });
      }
    });
  }
  // A comparison that could not fail would prove nothing.
  const [spoiled] = await sql<{ workspace_id: string }[]>`
    with one as (
      select m.ctid, m.workspace_id from public.segment_members as m
      join public.segments as s
        on s.workspace_id = m.workspace_id and s.id = m.segment_id and s.version = m.version
      where s.kind = 'live' limit 1
    )
    delete from public.segment_members as m using one as o where m.ctid = o.ctid
    returning m.workspace_id`;
  await assert.rejects(
    compareMembers(sql, { workspaceId: spoiled!.workspace_id, now: Date.now() }),
  );
  assert(comparisons > 20_000, `${comparisons} comparisons`);
});
