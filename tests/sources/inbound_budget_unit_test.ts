import assert from "node:assert/strict";
import { ApiError } from "../../supabase/functions/_shared/errors/errors.ts";
import { measureJson } from "../../supabase/functions/_shared/sources/json_size.ts";
import {
  createCharacterBudget,
  maxBuiltCharacters,
} from "../../supabase/functions/_shared/sources/character_budget.ts";
import { createGate } from "../../supabase/functions/inbound/gate.ts";
import fc from "fast-check";

Deno.test("createCharacterBudget() yields to other requests once its slice is over, and then continues", async () => {
  let time = 0;
  let yields = 0;
  const budget = createCharacterBudget({
    clock: () => time,
    yieldToOthers: () => Promise.resolve(void (yields++)),
  });
  for (const step of [1, 2, 1.9, 0.2, 4, 2]) {
    time += step;
    await budget.breathe();
  }
  assert.equal(yields, 2);
});

Deno.test("createCharacterBudget() takes a token per 4 KiB, and stops at the limit of a request", async () => {
  let taken = 0;
  const budget = createCharacterBudget({ takeToken: () => Promise.resolve(taken++) });
  budget.spend(4 * 1024 - 1);
  await budget.breathe();
  assert.equal(taken, 0);
  budget.spend(3 * 4 * 1024);
  await budget.breathe();
  assert.deepEqual([taken, budget.paid()], [3, 3]);
  assert.throws(
    () => budget.spend(maxBuiltCharacters),
    (error) => error instanceof ApiError && error.code === "payload_too_large",
  );
});

Deno.test("measureJson() counts what JSON.stringify writes, except escapes", () => {
  const text = fc.stringMatching(/^[a-z ]*$/);
  const value = fc.anything({
    key: text,
    values: [text, fc.integer(), fc.boolean(), fc.constant(null)],
    maxDepth: 4,
  });
  fc.assert(fc.property(value, (any) => {
    const written = JSON.stringify(any);
    const size = measureJson(JSON.parse(written), Infinity);
    assert.ok(size <= written.length && size >= written.length - holes(written), written);
  }));
});

Deno.test("measureJson() stops at its limit, and measures an object once", () => {
  let reads = 0;
  const big: Record<string, unknown> = {};
  for (let i = 0; i < 1000; i++) {
    Object.defineProperty(big, `k${i}`, {
      enumerable: true,
      get: () => (reads++, "x".repeat(100)),
    });
  }
  const sizes = new Map<object, number>();
  assert.ok(measureJson(big, 1000, sizes) > 1000);
  assert.ok(reads < 12, `${reads} reads`);
  const before = reads;
  assert.ok(measureJson(big, 1000, sizes) > 1000);
  assert.equal(reads, before);
});

Deno.test("createGate() admits requests in order while there is room, and refuses too many", async () => {
  const gate = createGate({ size: 10, maxWaiting: 8 });
  const order: string[] = [];
  const first = await gate.enter(7);
  const second = gate.enter(5).then((room) => (order.push("second"), room));
  const third = gate.enter(3).then((room) => (order.push("third"), room));
  await assert.rejects(gate.enter(1), (error) => {
    return error instanceof ApiError && error.code === "unavailable";
  });
  assert.deepEqual(order, []);
  first.shrinkTo(5);
  (await second).leave();
  (await second).leave();
  await third;
  assert.deepEqual(order, ["second", "third"]);
  first.leave();
  (await third).leave();
  // Work larger than the gate has it to itself.
  const whole = await gate.enter(1000);
  const next = gate.enter(1);
  whole.leave();
  (await next).leave();
});

/** An empty array or object is a character longer than counted. */
function holes(text: string): number {
  return text.split(/\[\]|\{\}/).length - 1;
}
