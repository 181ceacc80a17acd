import assert from "node:assert/strict";
import { hasWords } from "../../dashboard/src/app/has_words.ts";
import { pageWords } from "../../dashboard/src/app/page_words.ts";

/** Returns the paths of the pages that are found by other words than their title. */
function findPages(typed: string): string[] {
  return Object.keys(pageWords).filter((path) => hasWords(pageWords[path]!, typed));
}

Deno.test("the search finds the messages to try again by what people call that", () => {
  for (const typed of ["retry", "Retry failed", "resend", "try again", "failed deliv"]) {
    assert.deepEqual(findPages(typed), ["/messages"], typed);
  }
});
