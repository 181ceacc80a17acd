import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";

const docs = new URL("../../docs/", import.meta.url);

/** Joins the lines of a paragraph or an item of a list. */
function unwrap(text: string): string {
  return text.replaceAll(/\n {2}(?=\S)/g, " ");
}

Deno.test("docs/architecture.md lists every decision with its title", () => {
  const architecture = readFileSync(new URL("architecture.md", docs), "utf8");
  const listed = unwrap(architecture).split("\n").filter((line) => /^- \[\d{4}\]/.test(line));
  const files = readdirSync(new URL("adr/", docs)).filter((name) => /^\d{4}-/.test(name)).sort();
  const expected = files.map((name) => {
    const text = readFileSync(new URL(`adr/${name}`, docs), "utf8");
    const [, number, title = ""] = text.match(/^# (\d{4})\. (.+?)\n\n/s) ?? [];
    return `- [${number}](adr/${name}): ${title.replaceAll("\n", " ")}`;
  });
  assert.deepEqual(listed, expected);
});
