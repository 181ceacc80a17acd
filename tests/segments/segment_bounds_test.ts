import assert from "node:assert/strict";
import type postgres from "postgres";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createPlan, createWorkspace } from "../../testing/data/factories.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { eventNames } from "./condition_arbitrary.ts";
import { compareMembers, createSegment, editSegment, foldAll, ingestSome } from "./fold_world.ts";
import { createRandom } from "./segment_world.ts";

const unused = 300;
const edits = 50;

async function ingestEvent(sql: postgres.Sql, workspaceId: string, name: string): Promise<void> {
  await ingestEntries(sql as never, [
    { workspace_id: workspaceId, kind: "event", external_id: "ada", name },
  ]);
}

async function countRows(sql: postgres.Sql, table: string): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`select count(*)::int as rows from ${sql(table)}`;
  return row!.rows;
}

Deno.test("conditions of 100 leaves, and those that hold for everybody, follow the model", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const events = Array.from({ length: 100 }, (_, n) => ({
    event: eventNames[n % 3],
    within: `${1 + n}h`,
    count: { gte: 1 + n % 5 },
  }));
  const mixed = events.map((leaf, n) =>
    n % 2 === 0 ? leaf : { field: "attributes.score", op: "gte", value: n }
  );
  for (const leaves of [events, mixed]) {
    await createSegment(sql, workspaceId, { any: leaves });
    await createSegment(sql, workspaceId, {
      all: [{ any: leaves.slice(0, 50) }, { not: { all: leaves.slice(50) } }],
    });
  }
  const everybody = [
    { event: "never", count: { eq: 0 } },
    { not: { field: "email", op: "eq", value: "nobody@example.com" } },
  ];
  for (const condition of everybody) await createSegment(sql, workspaceId, condition);
  const random = createRandom(61);
  const now = Date.now();
  for (let round = 0; round < 20; round++) await ingestSome(sql, random, { workspaceId, now });
  await foldAll(sql, now + 1000);
  for (let round = 0; round < 10; round++) {
    await ingestSome(sql, random, { workspaceId, now });
    const at = now + round * 5 * 3_600_000 + 2000;
    await foldAll(sql, at);
    await compareMembers(sql, { workspaceId, now: at });
  }
  await assert.rejects(
    createSegment(sql, workspaceId, { any: [...events, { event: "one_more" }] }),
    { code: "SP400" },
  );
});

Deno.test("segments that an event does not concern cost its fold nothing", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const planId = await createPlan(sql, { limits: { max_segments: unused + 1 } });
  const workspaceId = await createWorkspace(sql, { planId });
  await ingestEvent(sql, workspaceId, "signed_up");
  await createSegment(sql, workspaceId, { event: "bought" });
  const conditions = Array.from({ length: unused }, (_, n) => {
    const field = { field: `attributes.a${n}`, op: "eq", value: 1 };
    return n % 2 === 0 ? { all: [{ event: `other_${n}`, within: "7d" }, field] } : field;
  });
  await sql`
    select private.insert_segment(${workspaceId}, jsonb_build_object('name', 'Unused', 'condition', c))
    from jsonb_array_elements(${sql.json(conditions)}) as c`;
  await foldAll(sql, Date.now());
  await ingestEvent(sql, workspaceId, "viewed");
  assert.equal(await countRows(sql, "private.signals"), 0, "nothing depends on the event");
  await ingestEvent(sql, workspaceId, "bought");
  assert.equal(await countRows(sql, "private.signals"), 1);
  const calls = await sql.begin(async (tx) => {
    await tx`set local track_functions = 'all'`;
    await tx`select private.fold_segments()`;
    const rows = await tx<{ name: string; calls: number }[]>`
      select funcname as name, calls::int from pg_stat_xact_user_functions
      where funcname in ('answer_nodes', 'evaluate_segment', 'compile_condition')`;
    return Object.fromEntries(rows.map((row) => [row.name, row.calls]));
  });
  assert.deepEqual(calls, { answer_nodes: 1 });
  await compareMembers(sql, { workspaceId, now: Date.now() });
});

Deno.test("50 edits in a row during traffic leave the members of the last, and no other state", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const random = createRandom(71);
  const id = await createSegment(sql, workspaceId, { event: eventNames[0] });
  const now = Date.now();
  for (let n = 0; n < edits; n++) {
    const condition = {
      event: eventNames[n % 3],
      within: `${1 + n}d`,
      ...(n % 5 === 0
        ? { sum: { property: "total", gte: n } }
        : { count: { [n % 2 === 0 ? "gte" : "lte"]: 1 + n % 20 } }),
    };
    await editSegment(sql, { workspaceId, id, condition });
    await ingestSome(sql, random, { workspaceId, now });
    if (n % 3 === 0) await sql`select private.fold_segments(clock_timestamp(), 5)`;
    assert.equal(await countRows(sql, "private.segment_jobs"), 1);
  }
  await foldAll(sql, Date.now());
  await compareMembers(sql, { workspaceId, now: Date.now() });
  const [left] = await sql`
    select
      (select count(*)::int from private.features) as features,
      (select count(*)::int from private.segment_jobs) as jobs,
      (select count(*)::int from private.signals) as signals,
      (select count(*)::int from private.event_interests) as interests,
      (select count(*)::int from public.segment_members as m
       join public.segments as s on s.id = m.segment_id where m.version <> s.version) as old_members,
      (select count(*)::int from private.feature_marks as m
       where m.feature_id not in (select f.id from private.features as f)) as marks,
      (select count(*)::int from private.feature_buckets) as buckets`;
  assert.deepEqual({ ...left }, {
    features: 1,
    jobs: 0,
    signals: 0,
    interests: 1,
    old_members: 0,
    marks: 0,
    buckets: 0,
  });
});
