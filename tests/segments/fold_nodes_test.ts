import assert from "node:assert/strict";
import fc from "fast-check";
import type postgres from "postgres";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { createEventConditionArbitrary } from "./condition_arbitrary.ts";
import { compareMembers, createSegment, foldAll, ingestSome } from "./fold_world.ts";
import { createRandom } from "./segment_world.ts";

const conditions = fc.sample(createEventConditionArbitrary(), { seed: 3, numRuns: 120 });

/** Counts answers, and those that differ between the stored nodes and the compiled condition. */
async function compareForms(
  sql: postgres.Sql,
  { workspaceId, now }: { workspaceId: string; now: number },
): Promise<{ answers: number; differences: number }> {
  const [row] = await sql<{ answers: number; differences: number }[]>`
    with dirt as materialized (
      select s.id, array_agg(row(s.id, c.id, 'event', null, null)::private.segment_truth) as dirt
      from public.segments as s
      join public.customers as c on c.workspace_id = s.workspace_id
      where s.workspace_id = ${workspaceId}
      group by s.id
    ), compiled as materialized (
      select t.*
      from dirt as d
      join public.segments as s on s.workspace_id = ${workspaceId} and s.id = d.id
      cross join lateral unnest(private.evaluate_segment(s, d.dirt, ${new Date(now)})) as t
    ), stored as materialized (
      select t.*
      from dirt as d
      cross join lateral unnest(
        private.answer_nodes(${workspaceId}, d.dirt, ${new Date(now)})
      ) as t
    )
    select count(*)::int as answers, count(*) filter (
      where c.holds is distinct from s.holds or c.until is distinct from s.until
    )::int as differences
    from compiled as c
    full join stored as s on s.segment_id = c.segment_id and s.customer_id = c.customer_id`;
  return row!;
}

Deno.test("stored nodes and compiled conditions give the same answers and change at the same time", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const random = createRandom(41);
  const start = Date.now();
  for (const condition of conditions) await createSegment(sql, workspaceId, condition);
  for (let round = 0; round < 25; round++) {
    await ingestSome(sql, random, { workspaceId, now: start });
  }
  await foldAll(sql, start);
  const [nodes] = await sql<{ segments: number }[]>`
    select count(distinct segment_id)::int as segments from private.segment_nodes`;
  assert.equal(nodes!.segments, conditions.length);
  let compared = 0;
  for (let round = 0; round < 6; round++) {
    const now = start + Math.floor(random() ** 2 * 30 * 86_400_000);
    const { answers, differences } = await compareForms(sql, { workspaceId, now });
    assert.equal(differences, 0);
    compared += answers;
  }
  assert(compared > 10_000, `${compared} answers`);
});

Deno.test("membership of segments about events alone is that of the model at every step", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const random = createRandom(51);
  let now = Date.now();
  for (const condition of conditions.slice(0, 60)) await createSegment(sql, workspaceId, condition);
  await foldAll(sql, now);
  let comparisons = 0;
  for (let round = 0; round < 12; round++) {
    for (let batch = 0; batch < 3; batch++) await ingestSome(sql, random, { workspaceId, now });
    now = Math.max(now, Date.now()) + Math.floor(random() * 2 * 86_400_000);
    await foldAll(sql, now);
    comparisons += await compareMembers(sql, { workspaceId, now });
  }
  assert(comparisons > 10_000, `${comparisons} comparisons`);
});
