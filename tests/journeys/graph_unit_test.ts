import assert from "node:assert/strict";
import { findSurvivor } from "../../supabase/functions/_shared/journeys/survivor.ts";
import { checkGraph } from "../../supabase/functions/api/contract/journeys/check_graph.ts";
import { describeFaults } from "../../supabase/functions/_shared/json/json.ts";
import { fullDefinition, readValid, smallestDefinition } from "../../testing/data/journeys.ts";

function faultsOf(steps: Record<string, unknown>, start = Object.keys(steps)[0]!): string[] {
  const faults = checkGraph(readValid({ ...smallestDefinition, steps, start }));
  return describeFaults(faults).map(({ field, message }) => `${field} ${message}`);
}

const pause = (next?: string) => ({ wait: { for: "1d" }, ...(next === undefined ? {} : { next }) });
const tag = (next?: string) => ({ update: { attributes: { a: 1 } }, ...(next ? { next } : {}) });
const when = { event: "a" };

Deno.test("a journey whose steps fit together has no fault", () => {
  assert.deepEqual(checkGraph(readValid(fullDefinition)), []);
  assert.deepEqual(checkGraph(readValid(smallestDefinition)), []);
  assert.deepEqual(faultsOf({ only: tag() }), []);
});

Deno.test("each way to a step that does not exist is a fault", () => {
  const faults = faultsOf({
    a: { branch: [{ when, next: "nowhere" }, { when, next: "b" }], else: "gone" },
    b: { wait_for: { event: "x", timeout: "1d" }, next: "c", on_timeout: "lost" },
    c: { wait: { until: { date: "attributes.a" }, on_missing: "away" }, next: "d" },
    d: { split: [{ weight: 1, next: "off" }] },
  }, "start");
  assert.deepEqual(faults.map((fault) => fault.split(" ")[0]), [
    "start",
    "steps.a.branch[0].next",
    "steps.a.else",
    "steps.b.on_timeout",
    "steps.c.wait.on_missing",
    "steps.d.split[0].next",
  ]);
  assert.equal(faults[0], 'start must name a step of the journey: "start" does not exist');
});

Deno.test("a step that cannot be reached, or that no run would leave, is a fault", () => {
  const faults = faultsOf({
    a: { branch: [{ when, next: "round" }], else: "end" },
    round: pause("again"),
    again: pause("round"),
    island: tag("end"),
    end: { exit: {} },
  });
  assert.deepEqual(faults, [
    "steps.island cannot be reached from the first step",
    "steps.round cannot reach an end: a run would never leave",
    "steps.again cannot reach an end: a run would never leave",
  ]);
});

Deno.test("a loop in which no time passes is a fault, and one with a wait is accepted", () => {
  const loop = (back: unknown) => ({
    a: tag("b"),
    b: { branch: [{ when, next: "c" }], else: "end" },
    c: back,
    end: { exit: {} },
  });
  const fault = 'steps.a must not be in a loop without a wait: "a" → "b" → "c" → "a"';
  assert.deepEqual(faultsOf(loop(tag("a"))), [fault]);
  assert.deepEqual(faultsOf(loop(pause("a"))), []);
  assert.deepEqual(faultsOf(loop({ wait: { until: { at: "09:00" } }, next: "a" })), []);
  const wait_for = { event: "x", timeout: "1d" };
  assert.deepEqual(faultsOf(loop({ wait_for, next: "a" })), []);
  // A date may have passed, and an event since the entry may be there already.
  assert.deepEqual(faultsOf(loop({ wait: { until: { date: "attributes.x" } }, next: "a" })), [
    fault,
  ]);
  assert.deepEqual(faultsOf(loop({ wait_for: { ...wait_for, since: "entry" }, next: "a" })), [
    fault,
  ]);
  const missing = { wait: { until: { date: "attributes.x" }, on_missing: "a" }, next: "end" };
  assert.deepEqual(faultsOf(loop(missing)), [fault]);
  assert.deepEqual(
    faultsOf({ a: { branch: [{ when, next: "a" }], else: "end" }, end: { exit: {} } }),
    [
      'steps.a must not be in a loop without a wait: "a" → "a"',
    ],
  );
});

Deno.test("all faults of a graph are found at once, in a graph of any shape", () => {
  const chain = Object.fromEntries(
    Array.from({ length: 198 }, (_, n) => [`s${n}`, tag(n < 197 ? `s${n + 1}` : undefined)]),
  );
  assert.deepEqual(faultsOf(chain), []);
  assert.equal(faultsOf({ ...chain, x: tag("x"), y: pause("nowhere") }).length, 2);
});

Deno.test("a run continues at the same step, else at the next one that survives, else it ends", () => {
  const old = readValid({
    ...smallestDefinition,
    start: "a",
    steps: {
      a: { branch: [{ when, next: "b" }], else: "c" },
      b: pause("d"),
      c: pause("d"),
      d: { exit: {} },
    },
  });
  const current = (...names: string[]) =>
    readValid({
      ...smallestDefinition,
      start: names[0],
      steps: Object.fromEntries(names.map((name) => [name, tag()])),
    });
  assert.equal(findSurvivor(old, current("a", "b"), "a"), "a");
  assert.equal(findSurvivor(old, current("c", "d"), "a"), "c");
  assert.equal(findSurvivor(old, current("d", "x"), "b"), "d");
  assert.equal(findSurvivor(old, current("x"), "a"), undefined);
  assert.equal(findSurvivor(old, current("x"), "unknown"), undefined);
});
