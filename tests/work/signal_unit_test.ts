import assert from "node:assert/strict";
import { systemClock } from "../../supabase/functions/_shared/work/clock.ts";
import { createSignal } from "../../supabase/functions/_shared/work/signal.ts";

Deno.test("Signal wakes the waiting loop and reports that it was raised", async () => {
  const signal = createSignal(systemClock);
  const waiting = signal.wait(60_000);
  signal.raise();
  assert.equal(await waiting, true);
  assert.equal(await signal.wait(1), false);
});

Deno.test("Signal remembers one raise for the next wait", async () => {
  const signal = createSignal(systemClock);
  signal.raise();
  signal.raise();
  assert.equal(signal.isRaised, true);
  assert.equal(await signal.wait(60_000), true);
  assert.equal(signal.isRaised, false);
});

Deno.test("Signal does not wait when given no time", async () => {
  const signal = createSignal(systemClock);
  assert.equal(await signal.wait(0), false);
  assert.equal(await signal.wait(-5), false);
});
