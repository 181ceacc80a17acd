import assert from "node:assert/strict";
import { BoundedMap } from "../../supabase/functions/_shared/cache/bounded_map.ts";

Deno.test("BoundedMap drops the entry that was set first", () => {
  const dropped: number[] = [];
  const map = new BoundedMap<string, number>(2, { onDrop: (value) => void dropped.push(value) });
  map.set("a", 1).set("b", 2).set("a", 3).set("c", 4);
  assert.deepEqual([...map], [["a", 3], ["c", 4]]);
  assert.deepEqual(dropped, [2]);
});

Deno.test("BoundedMap keeps entries in use, and the newest one", () => {
  const map = new BoundedMap<string, boolean>(1, { isInUse: (isInUse) => isInUse });
  map.set("a", true).set("b", false);
  assert.deepEqual([...map.keys()], ["a", "b"]);
  map.set("c", false);
  assert.deepEqual([...map.keys()], ["a", "c"]);
});
