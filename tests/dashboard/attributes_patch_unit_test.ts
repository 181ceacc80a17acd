import assert from "node:assert/strict";
import { attributesPatch } from "../../dashboard/src/pages/customers/attributes_patch.ts";

Deno.test("attributesPatch() sets removed keys to null and keeps the others", () => {
  const patch = attributesPatch({ plan: "pro", seats: 3 }, '{"plan": "free", "city": "London"}');
  assert.deepEqual(patch, { seats: null, plan: "free", city: "London" });
});

Deno.test("attributesPatch() returns text that is not a JSON object", () => {
  for (const text of ["{", "[1]", '"a"', "null"]) assert.equal(attributesPatch({}, text), text);
});
