import assert from "node:assert/strict";
import { sortKeys } from "../../dashboard/src/format/sort_keys.ts";

Deno.test("sortKeys() sorts the keys of all objects, and keeps values and the order of arrays", () => {
  const value = JSON.parse(
    '{"b":[3,1,{"z":null,"a":"x"}],"aa":{"y":true,"x":{}},"a":1,"__proto__":{"b":2,"a":1}}',
  );
  assert.equal(
    JSON.stringify(sortKeys(value)),
    '{"__proto__":{"a":1,"b":2},"a":1,"aa":{"x":{},"y":true},"b":[3,1,{"a":"x","z":null}]}',
  );
  for (const plain of [null, "text", 5, false]) assert.equal(sortKeys(plain), plain);
});
