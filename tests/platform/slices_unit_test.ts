import assert from "node:assert/strict";
import { mapInSlices } from "../../supabase/functions/_shared/platform/slices.ts";

Deno.test("mapInSlices() lets others run every few milliseconds, and keeps the order", async () => {
  let now = 0;
  const order: string[] = [];
  setTimeout(() => order.push("another request"), 0);
  const mapped = mapInSlices([1, 2, 3, 4], (item) => {
    now += 3;
    order.push(`item ${item}`);
    return item * 10;
  }, () => now);
  assert.deepEqual(await mapped, [10, 20, 30, 40]);
  assert.equal(order.indexOf("another request"), 2);
});
