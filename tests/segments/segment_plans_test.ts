import assert from "node:assert/strict";
import type postgres from "postgres";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { createSegment, foldAll } from "./fold_world.ts";

const people = 400;
const tables = [
  "feature_marks",
  "feature_buckets",
  "segment_members",
  "segment_checks",
  "identities",
];
const viewed = { event: "viewed", within: "7d", count: { gte: 1 } };
const spent = { event: "viewed", sum: { property: "total", gte: 1 } };
const named = { field: "is_identified", op: "eq", value: true };

async function viewOnce(sql: postgres.Sql, workspaceId: string): Promise<void> {
  await ingestEntries(
    sql as never,
    Array.from({ length: people }, (_, n) => ({
      workspace_id: workspaceId,
      kind: "event" as const,
      external_id: `user-${n}`,
      name: "viewed",
      properties: { total: 5 },
    })),
  );
}

/** Folds once, and fails if a table is read more than a few times per person. */
async function foldCheaply(sql: postgres.Sql): Promise<number> {
  return await sql.begin(async (tx) => {
    const [row] = await tx<{ done: number }[]>`select private.fold_segments() as done`;
    const reads = await tx<{ name: string; rows: number }[]>`
      select relname as name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
      from pg_stat_xact_user_tables where relname in ${tx(tables)}`;
    for (const { name, rows } of reads) {
      assert(rows <= 30 * people, `reads ${rows} rows of ${name}`);
    }
    return row!.done;
  });
}

Deno.test("folds and computations read rows by key, also before the first analyze", async (t) => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  await viewOnce(sql, workspaceId);
  const conditions = [viewed, spent, { all: [viewed, named] }, { all: [spent, named] }];

  await t.step("a computation", async () => {
    for (const condition of conditions) await createSegment(sql, workspaceId, condition);
    while ((await foldCheaply(sql)) > 0);
  });

  await t.step("a fold of events", async () => {
    await viewOnce(sql, workspaceId);
    while ((await foldCheaply(sql)) > 0);
  });

  await t.step("all members are there", async () => {
    await foldAll(sql, Date.now());
    const rows = await sql<{ members: number }[]>`select members::int from public.segments`;
    assert.deepEqual(rows.map(({ members }) => members), conditions.map(() => people));
  });
});
