import assert from "node:assert/strict";
import { countLines } from "../../dashboard/src/ui/count_lines.ts";

Deno.test("countLines() counts equal lines, the most frequent first, and leaves out unknown rows", () => {
  assert.deepEqual(countLines(["a", "b", undefined, "b"]), ["2 × b", "a"]);
  assert.deepEqual(countLines([]), []);
});

Deno.test("countLines() shows five lines and the number of the others", () => {
  const texts = ["a", "b", "c", "d", "e"];
  assert.deepEqual(countLines(texts), texts);
  assert.deepEqual(countLines([...texts, "f", "g"]), [...texts, "And 2 more"]);
});
