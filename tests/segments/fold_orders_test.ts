import assert from "node:assert/strict";
import type postgres from "postgres";
import fc from "fast-check";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { createConditionArbitrary } from "./condition_arbitrary.ts";
import { compareMembers, createEntries, createSegment, foldAll, ingestSome } from "./fold_world.ts";
import { createRandom } from "./segment_world.ts";

const conditions = fc.sample(createConditionArbitrary(), { seed: 7, numRuns: 12 });

async function createSegments(sql: postgres.Sql, workspaceId: string): Promise<void> {
  for (const condition of conditions) await createSegment(sql, workspaceId, condition);
}

Deno.test("a fold that is rolled back at any statement leaves nothing, and the next does it all", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  await createSegments(sql, workspaceId);
  await foldAll(sql, Date.now());
  const random = createRandom(11);
  for (let round = 0; round < 10; round++) {
    await ingestSome(sql, random, { workspaceId, now: Date.now() });
  }
  for (const table of ["segment_members", "segment_changes", "segment_stats"]) {
    const breaks = `
      create function private.break_fold() returns trigger language plpgsql as $$
      begin raise exception 'Broken'; end $$;
      create trigger breaks after insert on public.${table}
        for each statement execute function private.break_fold()`;
    const before = await sql`select count(*) from private.signals`;
    await sql.unsafe(breaks);
    await sql`select private.fold_segments()`;
    await sql.unsafe(`drop trigger breaks on public.${table}; drop function private.break_fold()`);
    assert.deepEqual([...await sql`select count(*) from private.signals`], [...before], table);
    const [lane] = await sql`select last_error from private.segment_lanes`;
    assert.match(lane!.last_error, /Broken/);
    await sql`update private.segment_lanes set rest_until = '-infinity'`;
  }
  await foldAll(sql, Date.now());
  await compareMembers(sql, { workspaceId, now: Date.now() });
});

Deno.test("several folders, computations and ingest at once end with the members of the model", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const random = createRandom(21);
  // History, so that the computations overlap the traffic.
  for (let round = 0; round < 10; round++) {
    await ingestSome(sql, random, { workspaceId, now: Date.now() });
  }
  let isOver = false;
  const fold = async () => {
    while (!isOver) await sql`select private.fold_segments(clock_timestamp(), 5)`;
  };
  const traffic = async (seed: number) => {
    const own = createRandom(seed);
    for (let round = 0; round < 30; round++) {
      const entries = createEntries(own, { workspaceId, now: Date.now() });
      for (let tries = 0; tries < 20; tries++) {
        try {
          await ingestEntries(sql as never, entries);
          break;
        } catch (error) {
          // A race that was lost is sent again.
          assert(["40001", "40P01"].includes((error as { code: string }).code), String(error));
        }
      }
    }
  };
  const folders = [fold(), fold()];
  await Promise.all([traffic(1), traffic(2), createSegments(sql, workspaceId)]);
  isOver = true;
  await Promise.all(folders);
  const now = Date.now();
  await foldAll(sql, now);
  assert(await compareMembers(sql, { workspaceId, now }) > 100);
});

Deno.test("the same traffic in other batches and folds ends with the same members", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const now = Date.now();
  const results: unknown[] = [];
  for (const size of [1, 4, 500]) {
    const workspaceId = await createWorkspace(sql);
    await createSegments(sql, workspaceId);
    const random = createRandom(31);
    const entries = Array.from(
      { length: 10 },
      () => createEntries(random, { workspaceId, now: now - 60_000 }),
    ).flat();
    for (let from = 0; from < entries.length; from += size) {
      await ingestEntries(sql as never, entries.slice(from, from + size));
      await sql`select private.fold_segments(clock_timestamp(), ${size})`;
    }
    await foldAll(sql, now + 1);
    const rows = await sql`
      select s.condition::text, array_agg(distinct i.value order by i.value) as ids
      from public.segments as s
      join public.segment_members as m
        on m.workspace_id = s.workspace_id and m.segment_id = s.id and m.version = s.version
      join public.identities as i on i.workspace_id = m.workspace_id and i.customer_id = m.customer_id
      where s.workspace_id = ${workspaceId} and not s.condition::text ~ 'bucket|_at'
      group by s.id, s.condition order by 1`;
    results.push(rows.map(({ condition, ids }) => ({ condition, ids })));
  }
  assert.deepEqual(results[1], results[0]);
  assert.deepEqual(results[2], results[0]);
});
