import assert from "node:assert/strict";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import type { RunLimits, Task, Work } from "../../supabase/functions/_shared/work/work.ts";
import { createWorker } from "../../supabase/functions/_shared/work/worker.ts";
import { createVirtualClock } from "../../testing/time/virtual_clock.ts";

/** A kind of work that the service does not have: plants in beds that want water. */
interface Plant {
  bed: string;
  name: string;
  dueAt: number;
}

type Watering = { name: string; outcome: "watered" | "dry" | "returned"; at: number };

interface GardenOptions {
  plants: Plant[];
  /** Waters one plant. @default at once */
  water?: (plant: Plant, signal: AbortSignal) => Promise<Watering["outcome"]>;
  limits?: Partial<RunLimits>;
  tasks?: Task[];
  /** Failures of the next claims. */
  claimFailures?: Error[];
  /** The worker listens to announcements, and none arrives. */
  isHearing?: boolean;
  /** Runs right after a look at what is due next. */
  afterLook?: () => void;
}

/** A queue of plants in memory, and a worker that waters them by a clock of the test's own. */
function createGarden(options: GardenOptions) {
  const { plants, water = () => Promise.resolve("watered" as const), tasks = [] } = options;
  const { claimFailures = [], limits, isHearing, afterLook } = options;
  const clock = createVirtualClock();
  const due = new Set(plants);
  const batches: Watering[][] = [];
  const messages: string[] = [];
  const calls = { runs: 0, claims: 0, passedOn: 0, expired: 0 };
  const log = createLog({
    name: "garden",
    write: (line) => void messages.push(JSON.parse(line).msg),
  });
  const isDue = (plant: Plant) => plant.dueAt <= clock.now();

  function startWork(): Work<Plant, Watering> {
    calls.runs++;
    return {
      failedEvent: "watering_failed",
      claim({ limit }) {
        calls.claims++;
        const failure = claimFailures.shift();
        if (failure) return Promise.reject(failure);
        const claimed = [...due].filter(isDue).slice(0, limit);
        for (const plant of claimed) due.delete(plant);
        return Promise.resolve(claimed);
      },
      async run(plant, signal) {
        return { name: plant.name, outcome: await water(plant, signal), at: clock.now() };
      },
      giveBack: ({ name }) => ({ name, outcome: "returned", at: clock.now() }),
      record: (results) => Promise.resolve(void batches.push([...results])),
      laneOf: ({ bed }) => bed,
      concurrencyOf: () => 2,
      isLaneFailing: ({ outcome }) => outcome === "dry",
      expireClaims: () => Promise.resolve(calls.expired++),
      findNextWork() {
        const next = Math.min(...[...due].map(({ dueAt }) => dueAt - clock.now()));
        afterLook?.();
        return Promise.resolve(next === Infinity ? null : next);
      },
      watch: () => Promise.resolve(),
      passOn: () => Promise.resolve(calls.passedOn++),
      tasks,
    };
  }

  const worker = createWorker({
    startWork,
    clock,
    log,
    ...limits && { limits },
    ...isHearing && { listen: () => ({ open() {}, isHearing }) },
  });
  return {
    clock,
    worker,
    due,
    batches,
    messages,
    calls,
    /** Names by what became of them, in the order in which they were recorded. */
    outcomes: (outcome: Watering["outcome"]) =>
      batches.flat().filter((each) => each.outcome === outcome).map(({ name }) => name),
  };
}

function grow(bed: string, count: number, dueAt = 0): Plant[] {
  return Array.from({ length: count }, (_, i) => ({ bed, name: `${bed}${i + 1}`, dueAt }));
}

Deno.test("a worker runs every due item once and records the results in batches", async () => {
  const plants = [...grow("a", 700), ...grow("b", 700)];
  const garden = createGarden({ plants });

  await garden.clock.runUntil(garden.worker.wake());

  const names = garden.outcomes("watered");
  assert.deepEqual(names.toSorted(), plants.map(({ name }) => name).toSorted());
  assert.ok(garden.batches.length < 10, `${garden.batches.length} batches`);
  assert.deepEqual(garden.messages, []);
});

Deno.test("a worker runs no more items of a lane at once than the lane allows", async () => {
  const running = new Map<string, number>();
  let most = 0;
  const garden = createGarden({
    plants: [...grow("a", 6), ...grow("b", 1)],
    async water({ bed }) {
      running.set(bed, (running.get(bed) ?? 0) + 1);
      most = Math.max(most, ...running.values());
      await Promise.resolve();
      running.set(bed, running.get(bed)! - 1);
      return "watered";
    },
  });

  await garden.clock.runUntil(garden.worker.wake());

  assert.equal(most, 2);
  assert.equal(garden.outcomes("watered").length, 7);
});

Deno.test("a lane that fails gives its waiting items back, and other lanes continue", async () => {
  const garden = createGarden({
    plants: [...grow("a", 4), ...grow("b", 4)],
    water: ({ bed }) => Promise.resolve(bed === "a" ? "dry" : "watered"),
  });

  await garden.clock.runUntil(garden.worker.wake());

  assert.deepEqual(garden.outcomes("dry"), ["a1", "a2"]);
  assert.deepEqual(garden.outcomes("returned"), ["a3", "a4"]);
  assert.deepEqual(garden.outcomes("watered"), ["b1", "b2", "b3", "b4"]);
});

Deno.test("an item that waits in its lane for over five seconds is given back", async () => {
  const slow = Promise.withResolvers<"watered">();
  const garden = createGarden({ plants: grow("a", 3), water: () => slow.promise });

  const running = garden.worker.wake();
  garden.clock.after(6_000, () => slow.resolve("watered"));
  await garden.clock.runUntil(running);

  const returned = garden.batches.flat().filter(({ outcome }) => outcome === "returned");
  assert.deepEqual(returned.map(({ name }) => name), ["a3"]);
  assert.ok(returned[0]!.at > 5_000 && returned[0]!.at < 5_100, `at ${returned[0]!.at} ms`);
  assert.deepEqual(garden.outcomes("watered"), ["a1", "a2"]);
});

Deno.test("an idle run waits for an item that is due within its horizon", async () => {
  const garden = createGarden({
    plants: [...grow("soon", 1, 12_000), ...grow("late", 1, 60_000)],
    limits: { horizonMs: 15_000 },
  });

  await garden.clock.runUntil(garden.worker.wake());

  assert.deepEqual(garden.batches.flat(), [{ name: "soon1", outcome: "watered", at: 12_000 }]);
});

Deno.test("news right after a look that found nothing is acted on within a millisecond", async () => {
  const garden = createGarden({ plants: [...grow("a", 1), ...grow("b", 1, 21)] });

  const running = garden.worker.wake();
  // The run looks again 20 ms after its first claim, and finds nothing.
  garden.clock.after(21, () => void garden.worker.wake());
  await garden.clock.runUntil(running);

  assert.equal(garden.batches.flat().find(({ name }) => name === "b1")!.at, 21);
});

Deno.test("news without work make a worker look every 4 ms at most", async () => {
  const garden = createGarden({ plants: grow("a", 1) });

  const running = garden.worker.wake();
  for (let ms = 1; ms <= 100; ms++) garden.clock.after(ms, () => void garden.worker.wake());
  garden.clock.after(100, () => {
    assert.ok(garden.calls.claims <= 30, `${garden.calls.claims} claims`);
  });
  await garden.clock.runUntil(running);
});

Deno.test("a call after the last look of a run starts another, if its announcement is late", async () => {
  const [late] = grow("late", 1);
  const garden = createGarden({
    plants: [],
    isHearing: true,
    limits: { lingerMs: 0 },
    afterLook() {
      // The first look only decides how long to wait.
      if (garden.clock.now() === 0 || garden.calls.runs > 1) return;
      garden.due.add(late!);
      void garden.worker.wake();
    },
  });

  await garden.clock.runUntil(garden.worker.wake());

  assert.deepEqual(garden.outcomes("watered"), ["late1"]);
  assert.equal(garden.calls.runs, 2);
});

Deno.test("a call before the last look of a run starts no other", async () => {
  const garden = createGarden({ plants: grow("a", 1), isHearing: true });

  const running = garden.worker.wake();
  garden.clock.after(21, () => void garden.worker.wake());
  await garden.clock.runUntil(running);

  assert.equal(garden.calls.runs, 1);
});

Deno.test("a claim that fails is logged under the work's name and repeated", async () => {
  const garden = createGarden({ plants: grow("a", 1), claimFailures: [new Error("away")] });

  await garden.clock.runUntil(garden.worker.wake());

  assert.deepEqual(garden.messages, ["watering_failed"]);
  assert.deepEqual(garden.outcomes("watered"), ["a1"]);
});

Deno.test("a spent run hands over the remaining work", async () => {
  const garden = createGarden({ plants: grow("a", 5), limits: { maxItems: 3 } });

  await garden.clock.runUntil(garden.worker.wake());

  const taken = garden.outcomes("watered").length + garden.outcomes("returned").length;
  assert.equal(taken, 3);
  assert.ok(garden.calls.passedOn > 0);
});

Deno.test("a stopping worker releases waiting items and cancels running ones", async () => {
  const started = Promise.withResolvers<void>();
  const garden = createGarden({
    plants: grow("a", 3),
    water(_, signal) {
      started.resolve();
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve("dry")));
    },
  });
  const running = garden.worker.wake();
  await started.promise;

  await garden.clock.runUntil(garden.worker.stop(1_000));
  await running;

  assert.deepEqual(garden.outcomes("returned"), ["a3"]);
  const dry = garden.batches.flat().filter(({ outcome }) => outcome === "dry");
  assert.deepEqual(dry.map(({ name, at }) => ({ name, at })), [
    { name: "a1", at: 1_000 },
    { name: "a2", at: 1_000 },
  ]);
});

Deno.test("a run works its tasks beside the items, and logs the failure of one", async () => {
  const done = { often: 0, once: 0 };
  const garden = createGarden({
    plants: grow("a", 1, 12_000),
    tasks: [
      { failedEvent: "weeding_failed", work: () => Promise.resolve(void done.often++) },
      {
        failedEvent: "sowing_failed",
        isOncePerRun: true,
        work: () => Promise.reject(new Error(`no seed ${++done.once}`)),
      },
    ],
  });

  await garden.clock.runUntil(garden.worker.wake());

  assert.deepEqual(garden.messages, ["sowing_failed"]);
  assert.equal(done.once, 1);
  assert.ok(done.often > 1);
  assert.equal(garden.calls.expired, done.often);
});
