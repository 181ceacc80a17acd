import assert from "node:assert/strict";
import {
  describeProgress,
  measureProgress,
} from "../../dashboard/src/pages/campaigns/measure_progress.ts";

Deno.test("measureProgress() counts recipients that the figures do not know as waiting", () => {
  const measure = (recipients: number, waiting: number) =>
    measureProgress(33, { recipients, waiting });
  assert.deepEqual(measure(0, 0), { done: 0, waiting: 33 });
  assert.deepEqual(measure(10, 4), { done: 6, waiting: 27 });
  assert.deepEqual(measure(33, 1), { done: 32, waiting: 1 });
  assert.deepEqual(measure(33, 0), { done: 33, waiting: 0 });
});

Deno.test("describeProgress() says who got the campaign once nobody waits", () => {
  const describe = (recipients: number, sent: number, waiting = 0) =>
    describeProgress(recipients, { recipients, waiting, sent });
  assert.equal(describe(7, 7), "Sent to all 7 recipients");
  assert.equal(describe(1200, 1199), "Sent to 1,199 of 1,200 recipients");
  assert.equal(describe(1, 1), "Sent to its only recipient");
  assert.equal(describe(7, 0), "Sent to none of 7 recipients");
  assert.equal(describe(0, 0), "It had no recipients");
  assert.equal(describe(7, 1, 5), "2 of 7 recipients, 5 waiting");
});
