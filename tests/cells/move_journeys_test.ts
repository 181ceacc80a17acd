import assert from "node:assert/strict";
import type postgres from "postgres";
import type { Definition } from "../../supabase/functions/_shared/journeys/definition.ts";
import { createCellWorld } from "../../testing/service/cell_world.ts";
import {
  fold,
  hour,
  minute,
  readPaths,
  startJourneyWorld,
  startWork,
} from "../journeys/journey_world.ts";

const definition: Definition = {
  trigger: { event: "signed_up" },
  start: "tag",
  steps: {
    tag: { update: { attributes: { tagged: true } }, next: "bought" },
    bought: { wait_for: { event: "bought", timeout: "1h" }, next: "yes", on_timeout: "no" },
    yes: { exit: {} },
    no: { exit: {} },
  },
};

Deno.test("runs move with their workspace: each step once, also of those that are claimed", async (t) => {
  await using cells = await createCellWorld();
  const { workspaceId, track } = cells;
  const open = (id: string) =>
    startJourneyWorld({
      sql: cells.servers.get(id)!.db.sql as postgres.Sql,
      workspaceId,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
  const [from, to] = [open("00"), open("01")];
  const send = async (external_id: string, name: string) => {
    const { status, body } = await track.send({ external_id, name });
    assert.equal(status, 200, JSON.stringify(body));
  };
  from.now = Date.now() + minute;
  await from.publish(definition);
  for (const person of ["ada", "bob", "cleo"]) await send(person, "signed_up");
  await from.settle();
  await send("dora", "signed_up");
  await fold(from);
  const waiting = "tag next, at bought";
  assert.deepEqual(await readPaths(from), [waiting, waiting, waiting, "at tag"]);

  const work = startWork(from);
  const runs = await work.claim({ limit: 10, isOnlyProven: false });
  assert.deepEqual(runs.map(({ step }) => step), ["tag"]);
  const { signal } = new AbortController();
  const results = await Promise.all(runs.map((run) => work.run(run, signal)));

  await t.step("a worker records nothing in the old cell, and others are not held up", async () => {
    await cells.move("01", async (step) => {
      if (step === "take_out") assert.equal(await work.record(results), 0);
    });
    assert.equal(await work.record(results), 0);
    assert.deepEqual(await cells.tablesWithRows("00"), []);
  });

  await t.step("the claimed run is moved on in the new cell at once", async () => {
    to.now = Date.now() + minute;
    await to.settle();
    assert.deepEqual(await readPaths(to), [waiting, waiting, waiting, waiting]);
  });

  await t.step("events and timeouts move runs there", async () => {
    await send("bob", "bought");
    await to.settle();
    to.now += 2 * hour;
    await to.settle();
    assert.deepEqual(
      (await readPaths(to)).toSorted(),
      [
        ...Array(3).fill("tag next, bought timeout, no end, completed"),
        "tag next, bought next, yes end, completed",
      ].toSorted(),
    );
  });
});
