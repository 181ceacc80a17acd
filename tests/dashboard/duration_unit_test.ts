import assert from "node:assert/strict";
import { splitDuration, writeDuration } from "../../dashboard/src/format/duration.ts";

const cases: [text: string, number: string, unit: string | undefined][] = [
  ["10s", "10", "s"],
  ["2d", "2", "d"],
  ["s", "", "s"],
  ["30", "30", undefined],
  ["", "", undefined],
  ["1.5h", "1.5", "h"],
  ["5mm", "5m", "m"],
  ["abcd", "abc", "d"],
];

for (const [text, number, unit] of cases) {
  Deno.test(`splitDuration() reads "${text}" as "${number}" and ${unit ?? "no unit"}`, () => {
    assert.deepEqual(splitDuration(text), { number, unit });
  });
}

Deno.test("writeDuration() writes the number, also of one", () => {
  const texts = ["1h", "1d", "7d", "10m", "soon", "attributes.delay"];
  const written = ["1 hour", "1 day", "7 days", "10 minutes", "soon", "attributes.delay"];
  assert.deepEqual(texts.map(writeDuration), written);
});
