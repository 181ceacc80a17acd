import assert from "node:assert/strict";
import { systemClock } from "../../supabase/functions/_shared/work/clock.ts";
import { createLanes } from "../../supabase/functions/_shared/work/lanes.ts";

interface Parcel {
  depot: string;
  id: string;
}

function parcels(depot: string, ids: readonly string[]): Parcel[] {
  return ids.map((id) => ({ depot, id }));
}

/** Makes lanes of two at once whose items run until the test ends them. */
function createSlowLanes() {
  const running = new Map<string, () => void>();
  const lanes = createLanes<Parcel>({
    laneOf: ({ depot }) => depot,
    concurrencyOf: () => 2,
    run: ({ id }) =>
      new Promise((resolve) => {
        running.set(id, () => {
          running.delete(id);
          resolve();
        });
      }),
    clock: systemClock,
  });
  return { lanes, running };
}

Deno.test("each lane runs as many items at once as it may, independent of other lanes", async () => {
  const { lanes, running } = createSlowLanes();

  lanes.add(parcels("slow", ["1", "2", "3", "4"]));
  lanes.add(parcels("other", ["5"]));
  assert.deepEqual([...running.keys()], ["1", "2", "5"]);
  assert.equal(lanes.size, 5);
  running.get("1")!();
  await Promise.resolve();

  assert.deepEqual([...running.keys()].sort(), ["2", "3", "5"]);
  assert.equal(lanes.size, 4);
});

Deno.test("waiting items can be taken back, and running ones cannot", async () => {
  const { lanes, running } = createSlowLanes();
  lanes.add(parcels("a", ["1", "2", "3"]));
  lanes.add(parcels("b", ["4", "5", "6"]));

  assert.deepEqual(lanes.takeWaiting(-Infinity), []);
  assert.deepEqual(lanes.takeLane("a").map(({ id }) => id), ["3"]);
  assert.deepEqual(lanes.takeLane("unknown"), []);
  assert.deepEqual(lanes.takeWaiting(Infinity).map(({ id }) => id), ["6"]);
  assert.equal(lanes.size, 4);

  const isEmpty = lanes.empty();
  for (const finish of [...running.values()]) finish();
  await isEmpty;
  assert.equal(lanes.size, 0);
});
