import assert from "node:assert/strict";
import { mergeChanges } from "../../dashboard/src/api/merge_changes.ts";

const before = { name: "Spring", subject: "Hello", tags: ["a"] };
const cases = [
  {
    says: "nothing was changed here: all of theirs is taken",
    mine: before,
    theirs: { ...before, name: "Summer", tags: ["a", "b"] },
    merged: { name: "Summer", subject: "Hello", tags: ["a", "b"] },
    conflicts: [],
  },
  {
    says: "different fields were changed: both changes are taken",
    mine: { ...before, subject: "Hi" },
    theirs: { ...before, name: "Summer" },
    merged: { name: "Summer", subject: "Hi", tags: ["a"] },
    conflicts: [],
  },
  {
    says: "one field was changed by both: mine wins, and it is a conflict",
    mine: { ...before, name: "Autumn", subject: "Hi" },
    theirs: { ...before, name: "Summer", tags: [] },
    merged: { name: "Autumn", subject: "Hi", tags: [] },
    conflicts: [{ field: "name", theirs: "Summer" }],
  },
  {
    says: "both made the same change: nothing conflicts",
    mine: { ...before, tags: ["b"] },
    theirs: { ...before, tags: ["b"] },
    merged: { ...before, tags: ["b"] },
    conflicts: [],
  },
];

for (const { says, mine, theirs, merged, conflicts } of cases) {
  Deno.test(`mergeChanges(): ${says}`, () => {
    assert.deepEqual(mergeChanges(mine, { before, theirs }), { merged, conflicts });
  });
}
