import assert from "node:assert/strict";
import { createCellWorld } from "../../testing/service/cell_world.ts";
import { undoMove } from "../../tools/cells/move_workspace.ts";

Deno.test("moveWorkspace() moves everything, and old keys continue working", async (t) => {
  await using world = await createCellWorld();
  const entry = { external_id: "ada", name: "viewed", idempotency_key: "first" };
  const first = await world.track.send(entry);
  assert.equal(first.status, 200, JSON.stringify(first.body));
  await world.delivered([first.body.event_id]);

  await t.step("to another cell", async () => {
    const { pausedMs } = await world.move("01");
    assert(pausedMs !== undefined);
    assert.deepEqual(await world.tablesWithRows("00"), []);
    assert((await world.tablesWithRows("01")).includes("events"));
  });

  await t.step("an old key still returns the first ids", async () => {
    for (const instance of [world.track, world.startTrack()]) {
      const { body } = await instance.send(entry);
      assert.deepEqual(body, { ...first.body, duplicate: true });
    }
  });

  await t.step("new events are delivered from the new cell", async () => {
    const { body } = await world.track.send({ external_id: "ada", name: "viewed" });
    assert.equal(body.customer_id, first.body.customer_id);
    await world.delivered([body.event_id]);
    assert.deepEqual(await world.tablesWithRows("00"), []);
  });

  await t.step("and back", async () => {
    await world.move("00");
    assert.deepEqual(await world.tablesWithRows("01"), []);
    const { body } = await world.track.send(entry);
    assert.deepEqual(body, { ...first.body, duplicate: true });
  });

  await t.step("nothing was sent twice", () => {
    assert.deepEqual([...world.got.values()], [1, 1]);
  });
});

Deno.test("a move says when changes no longer arrive, and is continued by running it again", async () => {
  await using world = await createCellWorld();
  const { sql } = world.cells.get("01")!;
  const first = await world.track.send({ external_id: "ada", name: "viewed" });
  const breakTarget = async (step: string) => {
    if (step !== "take_out") return;
    await sql`alter table private.move_marks add constraint broken check (false) not valid`;
  };
  await assert.rejects(
    world.move("01", breakTarget, { outageMs: 3_000 }),
    /no change has arrived in cell "01" for 3000 ms\. The worker of subscription "signalpost_move_/,
  );
  await sql`alter table private.move_marks drop constraint broken`;
  await world.move("01");
  assert.deepEqual(await world.tablesWithRows("00"), []);
  await world.delivered([first.body.event_id]);
});

Deno.test("undoMove() leaves the workspace as it was, from every step before the switch", async (t) => {
  await using world = await createCellWorld();
  const { cells, workspaceId } = world;
  const eventIds: string[] = [];
  for (const step of ["copy", "hold", "fence", "take_out", "adopt"] as const) {
    await t.step(step, async () => {
      const stopped = new Error("stopped");
      await assert.rejects(
        world.move("01", (next) => {
          if (next === step) throw stopped;
        }),
        stopped,
      );
      await undoMove({ cells, workspaceId, to: "01" });
      assert.deepEqual(await world.tablesWithRows("01"), []);
      const { status, body } = await world.track.send({ external_id: "ada", name: step });
      assert.equal(status, 200, JSON.stringify(body));
      eventIds.push(body.event_id);
      await world.delivered(eventIds);
    });
  }
});
