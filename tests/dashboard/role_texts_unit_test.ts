import assert from "node:assert/strict";
import { roleTexts } from "../../dashboard/src/pages/team/members.ts";

Deno.test("the text of a role stands alone", () => {
  for (const text of Object.values(roleTexts)) assert.doesNotMatch(text, /\balso\b/i);
});
