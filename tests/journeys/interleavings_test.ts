import assert from "node:assert/strict";
import type { Definition } from "../../supabase/functions/_shared/journeys/definition.ts";
import type { ClaimedRun, RunResult } from "../../supabase/functions/automation/run_queue.ts";
import {
  createJourneyWorld,
  fold,
  hour,
  type JourneyWorld,
  publishVersion,
  readPaths,
  setState,
  startWork,
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

Deno.test("the awaited event may come in the same call as the trigger", async () => {
  await using world = await createJourneyWorld();
  await world.publish(bought);
  await world.track({ name: "signed_up" }, { name: "order_created" });
  await world.settle();
  assert.deepEqual(await readPaths(world), ["go 0, bought next, yes next, completed"]);
});

Deno.test("an event before the trigger in the same call is not awaited", async () => {
  await using world = await createJourneyWorld();
  await world.publish(bought);
  await world.track({ name: "order_created" }, { name: "signed_up" });
  await world.settle();
  assert.deepEqual(await readPaths(world), ["go 0, at bought"]);
});

Deno.test("the awaited event may be folded between claim and park", async () => {
  await using world = await createJourneyWorld();
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
});

Deno.test("the awaited event may be stored between claim and park, and folded after", async () => {
  await using world = await createJourneyWorld();
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
});

Deno.test("at the instant of the timeout, exactly one of the two ways is taken", async () => {
  for (const early of [1, 0]) {
    await using world = await createJourneyWorld();
    await world.publish(bought);
    await world.track({ name: "signed_up" });
    await world.settle();
    world.now += hour - early;
    await world.track({ name: "order_created" });
    world.now += early;
    await world.settle();
    const way = early ? "go 0, bought next, yes next" : "go 0, bought timeout, no next";
    assert.deepEqual(await readPaths(world), [`${way}, completed`]);
  }
});

const merge = {
  kind: "alias",
  external_id: "user-1",
  previous_id: "user-2",
} as never;

Deno.test("a merge while a run is claimed voids the claim, and the survivor continues", async () => {
  await using world = await createJourneyWorld();
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
});

Deno.test("a run whose claim a merge voided is due at once, however long it has been due", async () => {
  await using world = await createJourneyWorld();
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
});

Deno.test("a merge while the survivor's run is claimed lets it see the events of the other", async () => {
  await using world = await createJourneyWorld();
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
});

Deno.test("an event between the change of a segment and its fold is awaited", async () => {
  const { trigger: _, ...rest } = bought;
  const conditions = {
    event: { event: "signed_up" },
    profile: { field: "attributes.plan", op: "eq", value: "pro" },
  };
  const causes = {
    event: { name: "signed_up" },
    profile: { kind: "identify", attributes: { plan: "pro" } } as never,
  };
  for (const cause of ["event", "profile"] as const) {
    for (const isSameCall of [true, false]) {
      await using world = await createJourneyWorld();
      const { sql, workspaceId } = world;
      const segment = { name: "S", condition: conditions[cause] };
      const [row] = await sql<{ id: string }[]>`
        select private.insert_segment(${workspaceId}, ${sql.json(segment)}) as id`;
      await world.track({ name: "order_created" });
      await world.settle();
      await world.publish({ ...rest, trigger: { segment: row!.id, on: "enter" } });
      world.now += 1000;
      const order = { name: "order_created" };
      if (isSameCall) await world.track(causes[cause], order);
      else {
        await world.track(causes[cause]);
        world.now += 10;
        await world.track(order);
      }
      world.now += 1000;
      await world.settle();
      const expected = ["go 0, bought next, yes next, completed"];
      assert.deepEqual(await readPaths(world), expected, `${cause} ${isSameCall}`);
    }
  }
});

Deno.test("a merge while a run is parked lets it see the survivor's events", async () => {
  await using world = await createJourneyWorld();
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
});

Deno.test("of two customers who are both inside, the run that entered first continues", async () => {
  await using world = await createJourneyWorld();
  await world.publish(bought);
  await world.track({ name: "signed_up", external_id: "user-2" });
  world.now += 1000;
  await world.track({ name: "signed_up" });
  await world.settle();
  await world.track(merge);
  await world.settle();
  assert.deepEqual(await readPaths(world), ["go 0, at bought", "go 0, bought exit, merged"]);
});

Deno.test("a publication with move voids claims, and waits count from when the step was entered", async () => {
  await using world = await createJourneyWorld();
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
  assert.deepEqual(await readPaths(world), ["go 0, at bought"]);
  await world.pass(2 * hour - 1000);
  assert.deepEqual(await readPaths(world), ["go 0, at bought"]);
  await world.pass(1000);
  assert.deepEqual(await readPaths(world), ["go 0, bought timeout, no next, completed"]);
});

Deno.test("a publication with move takes runs to the next step that is left, or out", async () => {
  await using world = await createJourneyWorld();
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
  assert.deepEqual(await readPaths(world), ["go 0, no next, completed"]);
});

Deno.test("a pause while a run is claimed moves nothing", async () => {
  await using world = await createJourneyWorld();
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
});

Deno.test("a worker that is gone has done nothing, and another repeats its runs once", async () => {
  await using world = await createJourneyWorld();
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
});

Deno.test("results that are recorded twice count once", async () => {
  await using world = await createJourneyWorld();
  await world.publish(bought);
  await world.track({ name: "signed_up" }, { name: "order_created" });
  await fold(world);
  const claimed = await claim(world);
  assert.equal(await claimed.complete(), 1);
  assert.equal(await claimed.complete(), 0);
  await world.settle();
  assert.deepEqual(await readPaths(world), ["go 0, bought next, yes next, completed"]);
});
