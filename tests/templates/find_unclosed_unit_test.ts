import assert from "node:assert/strict";
import { findUnclosed } from "../../supabase/functions/compile-mjml/find_unclosed.ts";

const cases: [string, string | null][] = [
  ["<mjml><mj-body><mj-text>a<br>b</mj-text></mj-body></mjml>", null],
  ['<mjml>\n<mj-image src="a>b" />\n</mjml>', null],
  ["<mjml><!-- <mj-body> --></mjml>", null],
  ["<MJML><mj-raw><p></mj-raw></MJML>", null],
  [
    "<mjml>\n<mj-body>\n<mj-text>\n</mj-body></mjml>",
    "4: Element mj-text of line 3 is not closed before mj-body",
  ],
  ["<mjml>\n<mj-body>", "2: Element mj-body is not closed"],
  ["<mjml></mjml></mj-body>", "1: Element mj-body is closed but was not opened"],
];

for (const [source, fault] of cases) {
  Deno.test(`findUnclosed(): ${JSON.stringify(source)}`, () => {
    const [found] = findUnclosed(source);
    assert.equal(found === undefined ? null : `${found.line}: ${found.message}`, fault);
  });
}

Deno.test("findUnclosed() takes no longer than the source is long", () => {
  const source = `<mjml><mj-text ${'a="'.repeat(80_000)}`;
  const startedAt = performance.now();
  findUnclosed(source);
  assert(performance.now() - startedAt < 2_000);
});

Deno.test("findUnclosed() looks for the end of a comment once", () => {
  assert.deepEqual(findUnclosed("<!--".repeat(125_000)), []);
});
