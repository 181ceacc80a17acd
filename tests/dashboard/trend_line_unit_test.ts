import assert from "node:assert/strict";
import { placePoints } from "../../dashboard/src/charts/trend_line.tsx";

Deno.test("placePoints() spreads values from edge to edge, and an even line over the middle", () => {
  assert.equal(placePoints([0, 5, 10]), "2,22 48,12 94,2");
  assert.equal(placePoints([7, 7]), "2,12 94,12");
  assert.equal(placePoints([3]), "2,12");
});
