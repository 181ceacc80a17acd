import assert from "node:assert/strict";
import type postgres from "postgres";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { allowLongPartitionWork } from "../../testing/data/partitions.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { createSegment, foldAll } from "./fold_world.ts";

const day = 86_400_000;
const ever = { event: "order_completed" };
const spent = { event: "order_completed", sum: { property: "total", gte: 10 } };
const lately = { event: "order_completed", within: "7d" };

async function order(sql: postgres.Sql, workspaceId: string, id: string): Promise<void> {
  await ingestEntries(sql as never, [{
    workspace_id: workspaceId,
    kind: "event",
    external_id: id,
    name: "order_completed",
    properties: { total: 10 },
  }]);
}

async function countMembers(sql: postgres.Sql, ids: string[]): Promise<number[]> {
  const rows = await sql<{ id: string; members: number }[]>`
    select id, members::int from public.segments`;
  return ids.map((id) => rows.find((row) => row.id === id)!.members);
}

Deno.test("members stay when the events that made them are deleted, and the audit accepts it", async (t) => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  await allowLongPartitionWork(sql);
  await sql`update private.partition_policies set keep = '30 days' where table_name = 'events'`;
  const lasting = [
    await createSegment(sql, workspaceId, ever),
    await createSegment(sql, workspaceId, spent),
  ];
  const windowed = await createSegment(sql, workspaceId, lately);
  const nested = await createSegment(sql, workspaceId, { all: [{ segment: lasting[0] }] });
  await foldAll(sql, Date.now());
  await order(sql, workspaceId, "ada");
  await foldAll(sql, Date.now());
  const later = Date.now() + 100 * day;
  await sql`select private.drop_expired_partitions(${new Date(later)})`;
  assert.equal((await sql`select from public.events`).length, 0);
  await foldAll(sql, later);
  const audit = () =>
    sql<{ segment_id: string }[]>`
      select segment_id from ops.audit_segments(1, ${new Date(later)})`;

  await t.step("what was counted stays counted, and a window ends", async () => {
    assert.deepEqual(await countMembers(sql, [...lasting, nested, windowed]), [1, 1, 1, 0]);
    assert.deepEqual([...await audit()], []);
  });

  await t.step("a new segment counts only what is stored", async () => {
    const condition = { all: [{ ...ever, where: [{ property: "total", op: "gte", value: 1 }] }] };
    const id = await createSegment(sql, workspaceId, condition);
    await foldAll(sql, later);
    assert.deepEqual(await countMembers(sql, [id, lasting[0]!]), [0, 1]);
    assert.deepEqual([...await audit()], []);
  });

  await t.step("a difference that history can show is still found", async () => {
    await sql`
      insert into public.segment_members (workspace_id, segment_id, version, customer_id, since)
      select s.workspace_id, s.id, s.version, c.id, now()
      from public.segments as s
      join public.customers as c on c.workspace_id = s.workspace_id
      where s.id = ${windowed}`;
    const found = await audit();
    assert.deepEqual(found.map(({ segment_id }) => segment_id), [windowed]);
  });
});
