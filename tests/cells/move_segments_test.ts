import assert from "node:assert/strict";
import type postgres from "postgres";
import { createCellWorld } from "../../testing/service/cell_world.ts";
import { createSegment, foldAll } from "../segments/fold_world.ts";

const hour = 3_600_000;

/** Reads who entered and left which segment of a cell, with the cause. */
async function readChanges(sql: postgres.Sql): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`
    select concat_ws(' ', i.value, c.segment_id, c.change, c.cause) as text
    from public.segment_changes as c
    join public.identities as i on i.workspace_id = c.workspace_id and i.customer_id = c.customer_id
    order by c.at, 1`;
  return rows.map(({ text }) => text);
}

Deno.test("segments move with their workspace: what waits for a fold is folded in the new cell", async (t) => {
  await using world = await createCellWorld();
  const { workspaceId, track } = world;
  const from = world.servers.get("00")!.db.sql;
  const to = world.servers.get("01")!.db.sql;
  const view = async (id: string) => {
    const { status, body } = await track.send({ external_id: id, name: "viewed" });
    assert.equal(status, 200, JSON.stringify(body));
  };
  const ids = [
    await createSegment(from, workspaceId, { event: "viewed", within: "1h" }),
    await createSegment(from, workspaceId, { event: "viewed", count: { gte: 2 } }),
    await createSegment(from, workspaceId, {
      all: [{ event: "viewed" }, { field: "is_identified", op: "eq", value: true }],
    }),
  ];
  await foldAll(from, Date.now());
  await view("ada");
  await foldAll(from, Date.now());
  const members = async (sql: postgres.Sql) => {
    const rows = await sql<{ id: string; members: number }[]>`
      select id, members::int from public.segments where workspace_id = ${workspaceId}`;
    return ids.map((id) => rows.find((row) => row.id === id)?.members);
  };
  assert.deepEqual(await members(from), [1, 0, 1]);
  const before = await readChanges(from);

  await t.step("the old cell keeps nothing to fold", async () => {
    // Signals that wait, and a timer that falls due in the new cell.
    await view("ada");
    await view("bob");
    await world.move("01");
    assert.deepEqual(await world.tablesWithRows("00"), []);
    const [row] = await from<{ done: number }[]>`select private.fold_segments() as done`;
    assert.equal(row!.done, 0);
  });

  await t.step("waiting signals and new ones are folded in the new cell", async () => {
    assert.deepEqual(await members(to), [1, 0, 1]);
    await foldAll(to, Date.now());
    assert.deepEqual(await members(to), [2, 1, 2]);
    await view("bob");
    await foldAll(to, Date.now());
    assert.deepEqual(await members(to), [2, 2, 2]);
  });

  await t.step("timers fire there", async () => {
    await foldAll(to, Date.now() + 2 * hour);
    assert.deepEqual(await members(to), [0, 2, 2]);
  });

  await t.step("each change is there once", async () => {
    const changes = await readChanges(to);
    assert.equal(before.length, 2);
    assert.equal(changes.length, 2 + 4 + 2);
    assert.equal(new Set(changes).size, changes.length);
    assert.deepEqual(
      (await to<{ differences: number }[]>`
        select count(*)::int as differences from ops.audit_segments(1)
        where segment_id <> ${ids[0]!}`)[0],
      { differences: 0 },
    );
  });
});
