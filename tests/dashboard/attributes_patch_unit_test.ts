import assert from "node:assert/strict";
import { attributesPatch } from "../../dashboard/src/pages/customers/attributes_patch.ts";

Deno.test("attributesPatch() removes with null what was taken out and keeps the rest", () => {
  const patch = attributesPatch({ plan: "pro", seats: 3 }, '{"plan": "free", "city": "London"}');
  assert.deepEqual(patch, { seats: null, plan: "free", city: "London" });
});

Deno.test("attributesPatch() hands on text that is no object, to be refused", () => {
  for (const text of ["{", "[1]", '"a"', "null"]) assert.equal(attributesPatch({}, text), text);
});
