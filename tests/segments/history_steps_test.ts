import assert from "node:assert/strict";
import type postgres from "postgres";
import type { Sql } from "../../supabase/functions/_shared/db/connect.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createEntries, createSegment } from "./fold_world.ts";
import { createRandom } from "./segment_world.ts";

const conditions = [
  { event: "bought" },
  { event: "bought", within: "7d", count: { gte: 3 } },
  { event: "bought", where: [{ property: "total", op: "gte", value: 5 }], count: { gte: 2 } },
  { event: "bought", sum: { property: "total", gte: 100 } },
];

/** One step of the computation over history, or of the fold; both take a few events only. */
interface Steps {
  /** The first step waits for calls of ingest that still run. */
  build(options?: { isFirst?: false }): Promise<void>;
  fold(): Promise<void>;
  ingest(sql: Sql): Promise<void>;
}

function createSteps(sql: postgres.Sql, workspaceId: string, random: () => number): Steps {
  return {
    build: async ({ isFirst } = {}) => {
      await sql`
        select private.build_feature(f, 3) from private.features as f
        where f.workspace_id = ${workspaceId} and f.state = 'building'
          and (f.is_fenced or ${isFirst ?? true})
        order by md5(f.id::text || ${random()}::text) limit 1`;
    },
    fold: async () => {
      await sql`select private.fold_workspace(${workspaceId}, ${new Date()}, 4)`;
    },
    ingest: async (tx) => {
      const entries = createEntries(random, { workspaceId, now: Date.now() }).map((entry) => {
        // Few people with many events each, late ones among them.
        const isRegular = entry.kind === "event" && random() < 0.7;
        return isRegular
          ? { ...entry, anon_id: undefined, external_id: `user-${Math.floor(random() * 3)}` }
          : entry;
      }).map((entry) => entry.kind === "event" ? { ...entry, name: "bought" } : entry);
      await ingestEntries(tx, entries);
    },
  };
}

/** An ingest call that is committed only after other steps. */
async function ingestSlowly(sql: postgres.Sql, steps: Steps, between: () => Promise<void>) {
  await sql.begin(async (tx) => {
    await steps.ingest(tx as unknown as Sql);
    await between();
  });
}

async function isAnythingLeft(sql: postgres.Sql, workspaceId: string): Promise<boolean> {
  const [row] = await sql<{ left: boolean }[]>`
    select exists (select from private.signals as s where s.workspace_id = ${workspaceId})
      or exists (
        select from private.features as f
        where f.workspace_id = ${workspaceId} and f.state = 'building'
      ) as left`;
  return row!.left;
}

/** The state of each feature, and the same by a plain reading of all events. */
async function readState(sql: postgres.Sql, workspaceId: string) {
  const hits = sql`
    select f.id as feature_id, f.keep, f.property, e.identity_id,
      least(e.occurred_at, e.received_at) as at, e.properties
    from private.features as f
    join public.events as e on e.workspace_id = f.workspace_id and e.name = f.event
    where f.workspace_id = ${workspaceId}
      and (f.conditions = '[]' or (
        jsonb_typeof(e.properties -> 'total') = 'number' and (e.properties ->> 'total')::numeric >= 5
      ))`;
  const [marks, expectedMarks, sums, expectedSums] = await Promise.all([
    sql`
      select m.feature_id::int, m.identity_id::int, m.marks::text
      from private.feature_marks as m where m.workspace_id = ${workspaceId} order by 1, 2`,
    sql`
      select h.feature_id::int, h.identity_id::int,
        ((array_agg(h.at order by h.at desc))[:min(h.keep)])::text as marks
      from (${hits}) as h where h.property is null group by 1, 2 order by 1, 2`,
    sql`
      select b.feature_id::int, b.identity_id::int, b.hour::text, b.sum::float8, b.min::float8,
        b.max::float8
      from private.feature_buckets as b where b.workspace_id = ${workspaceId} order by 1, 2, 3`,
    sql`
      select h.feature_id::int, h.identity_id::int,
        date_trunc('hour', h.at, 'UTC')::text as hour,
        sum((h.properties ->> 'total')::numeric)::float8 as sum,
        min((h.properties ->> 'total')::numeric)::float8 as min,
        max((h.properties ->> 'total')::numeric)::float8 as max
      from (${hits}) as h
      where h.property is not null and jsonb_typeof(h.properties -> 'total') = 'number'
      group by 1, 2, 3 order by 1, 2, 3`,
  ]);
  return {
    state: { marks: [...marks], sums: [...sums] },
    expected: { marks: [...expectedMarks], sums: [...expectedSums] },
  };
}

Deno.test("history counts each event once, even if events are stored and folded between its steps", async (t) => {
  await using db = await createTestDatabase();
  const { sql } = db;
  for (let seed = 1; seed <= 12; seed++) {
    await t.step(`world ${seed}`, async () => {
      const random = createRandom(seed);
      const workspaceId = await createWorkspace(sql);
      const steps = createSteps(sql, workspaceId, random);
      for (let n = 0; n < 4; n++) await steps.ingest(sql as unknown as Sql);
      for (const condition of conditions) await createSegment(sql, workspaceId, condition);
      const some = (options?: { isFirst: false }) =>
        random() < 0.7 ? steps.build(options) : steps.fold();
      for (let n = 0; n < 40; n++) {
        const kind = random();
        if (kind < 0.15) await steps.ingest(sql as unknown as Sql);
        else if (kind < 0.3) await ingestSlowly(sql, steps, () => some({ isFirst: false }));
        else await some();
      }
      while (await isAnythingLeft(sql, workspaceId)) {
        await steps.build();
        await steps.fold();
      }
      const { state, expected } = await readState(sql, workspaceId);
      assert(expected.marks.length > 0 && expected.sums.length > 0);
      assert.deepEqual(state, expected);
    });
  }
});
