import assert from "node:assert/strict";
import type { Definition } from "../../supabase/functions/_shared/journeys/definition.ts";
import type { ClaimedRun, RunResult } from "../../supabase/functions/automation/run_queue.ts";
import {
  fold,
  hour,
  type JourneyWorld,
  publishVersion,
  readPaths,
  setState,
  startWork,
  type TestEntry,
  testInWorlds,
} from "./journey_world.ts";

const bought: Definition = {
  trigger: { event: "signed_up" },
  entry: { again: "after_exit" },
  start: "go",
  steps: {
    go: { split: [{ weight: 1, next: "bought" }] },
    bought: {
      wait_for: { event: "order_created", timeout: "1h" },
      next: "yes",
      on_timeout: "no",
    },
    yes: { update: { attributes: { bought: true } } },
    no: { update: { attributes: { bought: false } } },
  },
};

/** Claims what is due now, and returns how to record the decisions later. */
async function claim(world: JourneyWorld) {
  const work = startWork(world);
  const runs = await work.claim({ limit: 100, isOnlyProven: false });
  const signal = new AbortController().signal;
  const results: RunResult[] = await Promise.all(
    runs.map((run: ClaimedRun) => work.run(run, signal)),
  );
  return { runs, complete: () => work.record(results) };
}

/** Returns the path of a run whose awaited event comes so long after its step. */
async function orderAt(world: JourneyWorld, ms: number): Promise<string> {
  await world.publish(bought);
  await world.track({ name: "signed_up" });
  await world.settle();
  world.now += ms;
  await world.track({ name: "order_created" });
  await world.pass(hour - ms);
  return (await readPaths(world)).join();
}

const merge = {
  kind: "alias",
  external_id: "user-1",
  previous_id: "user-2",
} as never;

const pro = { kind: "identify", attributes: { plan: "pro" } } as never;

/** Tracks calls with which a customer enters a segment that triggers a journey; then folds. */
async function orderAtChange(world: JourneyWorld, calls: TestEntry[][]): Promise<void> {
  const { sql, workspaceId } = world;
  const condition = {
    any: [{ event: "signed_up" }, { field: "attributes.plan", op: "eq", value: "pro" }],
  };
  const segment = { name: "S", condition };
  const [row] = await sql<{ id: string }[]>`
    select private.insert_segment(${workspaceId}, ${sql.json(segment)}) as id`;
  await world.track({ name: "order_created" });
  await world.settle();
  await world.publish({ ...bought, trigger: { segment: row!.id, on: "enter" } });
  for (const entries of calls) {
    world.now += 10;
    await world.track(...entries);
  }
  await world.pass(1000);
}

testInWorlds("nothing is lost or done twice between two steps", {
  async "the awaited event may come in the same call as the trigger"(world) {
    await world.publish(bought);
    await world.track({ name: "signed_up" }, { name: "order_created" });
    await world.settle();
    assert.deepEqual(await readPaths(world), ["go 0, bought next, yes next, completed"]);
  },

  async "an event before the trigger in the same call is not awaited"(world) {
    await world.publish(bought);
    await world.track({ name: "order_created" }, { name: "signed_up" });
    await world.settle();
    assert.deepEqual(await readPaths(world), ["go 0, at bought"]);
  },

  async "the awaited event may be folded between claim and park"(world) {
    await world.publish(bought);
    await world.track({ name: "signed_up" });
    await fold(world);
    const claimed = await claim(world);
    assert.equal(claimed.runs.length, 1);
    world.now += 1000;
    await world.track({ name: "order_created" });
    await fold(world);
    await claimed.complete();
    await world.settle();
    assert.deepEqual(await readPaths(world), ["go 0, bought next, yes next, completed"]);
  },

  async "the awaited event may be stored between claim and park, and folded after"(world) {
    await world.publish(bought);
    await world.track({ name: "signed_up" });
    await fold(world);
    const first = await claim(world);
    await first.complete();
    const second = await claim(world);
    assert.equal(second.runs.length, 1);
    world.now += 1000;
    await world.track({ name: "order_created" });
    await second.complete();
    await world.settle();
    assert.deepEqual(await readPaths(world), ["go 0, bought next, yes next, completed"]);
  },

  async "an event a millisecond before the timeout is awaited"(world) {
    assert.equal(await orderAt(world, hour - 1), "go 0, bought next, yes next, completed");
  },

  async "an event at the instant of the timeout is too late"(world) {
    assert.equal(await orderAt(world, hour), "go 0, bought timeout, no next, completed");
  },

  async "an event that was received before the timeout and committed after it is awaited"(world) {
    const { sql, workspaceId } = world;
    await world.publish(bought);
    world.now = Date.now() - hour / 2;
    await world.track({ name: "signed_up" });
    await world.settle();
    const stored = Promise.withResolvers<void>();
    const timedOut = Promise.withResolvers<void>();
    const order = {
      workspace_id: workspaceId,
      kind: "event",
      external_id: "user-1",
      name: "order_created",
    };
    const storing = sql.begin(async (tx) => {
      await tx`select private.ingest(${JSON.stringify([order])})`;
      stored.resolve();
      await timedOut.promise;
    });
    await stored.promise;
    await world.pass(hour / 2);
    world.now += hour / 2;
    await world.settle();
    assert.deepEqual(await readPaths(world), ["go 0, at bought"]);
    timedOut.resolve();
    await storing;
    await world.pass(1000);
    assert.deepEqual(await readPaths(world), ["go 0, bought next, yes next, completed"]);
  },

  async "a timeout comes as soon as no event is being stored"(world) {
    const { sql, workspaceId } = world;
    await world.publish(bought);
    await world.track({ name: "signed_up" });
    await world.settle();
    const other = { workspace_id: workspaceId, kind: "event", anon_id: "a-1", name: "seen" };
    await sql.begin(async (tx) => {
      await tx`select private.ingest(${JSON.stringify([other])})`;
      await world.pass(hour);
      assert.deepEqual(await readPaths(world), ["go 0, at bought"]);
    });
    await world.pass(20);
    assert.deepEqual(await readPaths(world), ["go 0, bought timeout, no next, completed"]);
  },

  async "a merge while a run is claimed voids the claim, and the survivor continues"(world) {
    await world.publish(bought);
    const [survivor] = await world.track({ name: "seen" });
    await world.track({ name: "signed_up", external_id: "user-2" });
    await world.settle();
    world.now += hour;
    const claimed = await claim(world);
    assert.equal(claimed.runs.length, 1);
    await world.track(merge);
    await claimed.complete();
    assert.deepEqual(await readPaths(world), ["go 0, at bought"]);
    await world.settle();
    assert.deepEqual(await readPaths(world), ["go 0, bought timeout, no next, completed"]);
    assert.equal((await world.readRuns())[0]!.customer_id, survivor);
  },

  async "a run whose claim a merge voided is due at once, however long it has been due"(world) {
    await world.publish(bought);
    // The merge is noted with the machine's time, which is later than the world's.
    world.now = Date.now() - 2 * hour;
    await world.track({ name: "seen" });
    await world.track({ name: "signed_up", external_id: "user-2" });
    await fold(world);
    const claimed = await claim(world);
    assert.equal(claimed.runs.length, 1);
    await world.track(merge);
    assert.equal(await claimed.complete(), 0);
    world.now = Date.now() + 2 * hour;
    await world.settle();
    assert.deepEqual(await readPaths(world), ["go 0, bought timeout, no next, completed"]);
  },

  async "a merge while the survivor's run is claimed lets it see the events of the other"(world) {
    await world.publish(bought);
    await world.track({ name: "signed_up" });
    await world.settle();
    world.now += 1000;
    await world.track({ name: "order_created", external_id: "user-2" });
    await world.settle();
    world.now += hour;
    const claimed = await claim(world);
    assert.equal(claimed.runs.length, 1);
    await world.track(merge);
    assert.equal(await claimed.complete(), 0);
    await world.settle();
    assert.deepEqual(await readPaths(world), ["go 0, bought next, yes next, completed"]);
  },

  async "an event in the call that changes a segment is awaited"(world) {
    const order = { name: "order_created" };
    await orderAtChange(world, [[{ name: "signed_up" }, order]]);
    assert.deepEqual(await readPaths(world), ["go 0, bought next, yes next, completed"]);
  },

  async "an event between the change of a segment and its fold is awaited"(world) {
    await orderAtChange(world, [[{ name: "signed_up" }], [{ name: "order_created" }]]);
    assert.deepEqual(await readPaths(world), ["go 0, bought next, yes next, completed"]);
  },

  async "an event between the change of a profile and its fold is awaited"(world) {
    await orderAtChange(world, [[pro], [{ name: "order_created" }]]);
    assert.deepEqual(await readPaths(world), ["go 0, bought next, yes next, completed"]);
  },

  async "an event before the change of a segment, in the same fold, is not awaited"(world) {
    await orderAtChange(world, [[{ name: "order_created" }, { name: "signed_up" }]]);
    assert.deepEqual(await readPaths(world), ["go 0, at bought"]);
  },

  async "a merge while a run is parked lets it see the survivor's events"(world) {
    await world.publish(bought);
    await world.track({ name: "seen" });
    await world.track({ name: "signed_up", external_id: "user-2" });
    await world.settle();
    world.now += 1000;
    await world.track({ name: "order_created" });
    await world.settle();
    assert.deepEqual(await readPaths(world), ["go 0, at bought"]);
    await world.track(merge);
    await world.settle();
    assert.deepEqual(await readPaths(world), ["go 0, bought next, yes next, completed"]);
  },

  async "of two customers who are both inside, the run that entered first continues"(world) {
    await world.publish(bought);
    await world.track({ name: "signed_up", external_id: "user-2" });
    world.now += 1000;
    await world.track({ name: "signed_up" });
    await world.settle();
    await world.track(merge);
    await world.settle();
    assert.deepEqual(await readPaths(world), ["go 0, at bought", "go 0, bought exit, merged"]);
  },

  async "a publication with move voids claims, and waits count from when the step was entered"(
    world,
  ) {
    const id = await world.publish(bought);
    await world.track({ name: "signed_up" });
    await world.settle();
    world.now += hour;
    const claimed = await claim(world);
    assert.equal(claimed.runs.length, 1);
    const { bought: _, ...steps } = bought.steps;
    const longer = {
      wait_for: { event: "order_created", timeout: "3h" },
      next: "yes",
      on_timeout: "no",
    };
    await publishVersion(world, {
      id,
      definition: { ...bought, steps: { bought: longer, ...steps } },
      inside: "move",
    });
    const tasks = startWork(world).tasks!;
    for (const task of tasks) {
      await task.work({ isSpent: () => false, noteWork: () => {}, spend: () => {} });
    }
    await claimed.complete();
    await world.settle();
    assert.deepEqual(await readPaths(world), ["go 0, bought move, at bought"]);
    await world.pass(2 * hour - 1000);
    assert.deepEqual(await readPaths(world), ["go 0, bought move, at bought"]);
    await world.pass(1000);
    assert.deepEqual(await readPaths(world), [
      "go 0, bought move, bought timeout, no next, completed",
    ]);
  },

  async "a publication with move takes runs to the next step that is left, or out"(world) {
    const id = await world.publish(bought);
    await world.track({ name: "signed_up" });
    await world.settle();
    const definition: Definition = {
      ...bought,
      start: "other",
      steps: { other: { wait: { for: "1d" } }, no: bought.steps.no! },
    };
    await publishVersion(world, { id, definition, inside: "move" });
    await world.settle();
    assert.deepEqual(await readPaths(world), ["go 0, bought move, no next, completed"]);
  },

  async "a pause while a run is claimed moves nothing"(world) {
    const id = await world.publish(bought);
    await world.track({ name: "signed_up" });
    await world.settle();
    world.now += hour;
    const claimed = await claim(world);
    assert.equal(claimed.runs.length, 1);
    await setState(world, { id, state: "paused" });
    await claimed.complete();
    await world.settle();
    assert.deepEqual(await readPaths(world), ["go 0, at bought"]);
    await setState(world, { id, state: "running" });
    await world.settle();
    assert.deepEqual(await readPaths(world), ["go 0, bought timeout, no next, completed"]);
  },

  async "a worker that is gone has done nothing, and another repeats its runs once"(world) {
    await world.publish(bought);
    await world.track({ name: "signed_up" }, { name: "order_created" });
    await fold(world);
    await (await claim(world)).complete();
    const lost = await claim(world);
    assert.equal(lost.runs.length, 1);
    world.now += 61_000;
    await startWork(world).expireClaims();
    await world.settle();
    await lost.complete();
    assert.deepEqual(await readPaths(world), ["go 0, bought next, yes next, completed"]);
  },

  async "results that are recorded twice count once"(world) {
    await world.publish(bought);
    await world.track({ name: "signed_up" }, { name: "order_created" });
    await fold(world);
    const claimed = await claim(world);
    assert.equal(await claimed.complete(), 1);
    assert.equal(await claimed.complete(), 0);
    await world.settle();
    assert.deepEqual(await readPaths(world), ["go 0, bought next, yes next, completed"]);
  },
});
