import assert from "node:assert/strict";
import { countRejected } from "../../dashboard/src/api/use_unresolved.ts";

Deno.test("countRejected() says when there are more than a thousand", () => {
  assert.equal(countRejected({ entries: 12, is_complete: true }), "12");
  assert.equal(countRejected({ entries: 1_000, is_complete: true }), "1,000");
  assert.equal(countRejected({ entries: 1_001, is_complete: false }), "1,000+");
  // Of those that were checked, some were resent.
  assert.equal(countRejected({ entries: 990, is_complete: false }), "990+");
});
