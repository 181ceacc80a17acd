import assert from "node:assert/strict";
import { phraseList } from "../../tools/lint/phrase_list.ts";
import { lintPhrases } from "../../tools/lint/phrases.ts";

function findNames(fileName: string, text: string): string[] {
  return lintPhrases(fileName, text).map(({ name }) => name);
}

for (const { name, bad, plain } of phraseList) {
  Deno.test(`lintPhrases() finds "${name}" and accepts the plain version`, () => {
    assert.ok(findNames("a.ts", bad).includes(name), bad);
    assert.deepEqual(findNames("a.ts", plain), []);
  });
}

Deno.test("lintPhrases() names the line, the words and the alternative", () => {
  assert.deepEqual(lintPhrases("a.md", "One.\n\nStart\nanew, in\nplace of it.\n"), [
    { line: 4, found: "anew", name: "anew", instead: "again" },
    { line: 4, found: "in place of", name: "in place of", instead: "instead of" },
  ]);
});

Deno.test("lintPhrases() joins the lines of comments, strings and quotations", () => {
  assert.deepEqual(findNames("a.ts", "/**\n * Sent in\n * place of it.\n */"), ["in place of"]);
  assert.deepEqual(findNames("a.ts", "// Sent in\n// place of it."), ["in place of"]);
  assert.deepEqual(findNames("a.ts", 'f("Sent in " +\n    "place of it");'), ["in place of"]);
  assert.deepEqual(findNames("a.sql", "-- Sent in\n-- place of it."), ["in place of"]);
  assert.deepEqual(findNames("a.md", "> Sent in\n> place of it."), ["in place of"]);
});

Deno.test("lintPhrases() reads the comments of SQL objects as docstrings", () => {
  assert.equal(findNames("a.sql", "comment on table a is 'Who may';").length, 1);
  assert.equal(findNames("a.sql", "comment on table a is\n  'Where it is';").length, 1);
});

Deno.test("lintPhrases() ignores code in Markdown", () => {
  const text =
    "Run `start anew`:\n\n```sh\necho anew\n```\n\n1. Then:\n   ```sh\n   anew\n   ```\n";
  assert.deepEqual(findNames("a.md", text), []);
});
