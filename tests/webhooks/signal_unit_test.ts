import assert from "node:assert/strict";
import { Signal } from "../../supabase/functions/webhook-dispatch/signal.ts";

Deno.test("Signal wakes who waits, and tells that it was raised", async () => {
  const signal = new Signal();
  const waiting = signal.wait(60_000);
  signal.raise();
  assert.equal(await waiting, true);
  assert.equal(await signal.wait(1), false);
});

Deno.test("Signal remembers one raise for the next wait", async () => {
  const signal = new Signal();
  signal.raise();
  signal.raise();
  assert.equal(signal.isRaised, true);
  assert.equal(await signal.wait(60_000), true);
  assert.equal(signal.isRaised, false);
});

Deno.test("Signal that is given no time does not wait", async () => {
  const signal = new Signal();
  assert.equal(await signal.wait(0), false);
  assert.equal(await signal.wait(-5), false);
});
