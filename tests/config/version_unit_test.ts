import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { version } from "../../supabase/functions/_shared/config/version.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const read = (path: string) => readFileSync(join(root, path), "utf8");

/** Source files that could spell the version out, by their path below the root. */
function findSources(): string[] {
  return ["supabase/functions", "dashboard", "local", "testing", "tools", "docs"].flatMap((
    folder,
  ) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((path) => join(folder, path))
      .filter((path) => /\.(?:tsx?|json|html|md)$/.test(path))
      .filter((path) => !/(?:^|\/)(?:node_modules|dist)\//.test(path))
  );
}

Deno.test("the version of the service is defined once", () => {
  const spelled = new RegExp(`\\b${version.replaceAll(".", "\\.")}\\b(?!-)`);
  const found = findSources().filter((path) => {
    // Packages of ours that are pinned may have the same number.
    return read(path).split("\n").some((line) => spelled.test(line) && !line.includes("npm:"));
  });
  assert.deepEqual(found, ["supabase/functions/_shared/config/version.ts"]);
});

Deno.test("the changelog's newest section belongs to the version", () => {
  const headings = read("CHANGELOG.md").split("\n").filter((line) => line.startsWith("## "));
  for (const heading of headings) {
    assert.match(heading, /^## \[\d+\.\d+\.\d+\] - (?:Unreleased|\d{4}-\d\d-\d\d)$/);
  }
  assert.equal(/\[(.+)\]/.exec(headings[0]!)?.[1], version);
  assert.deepEqual(headings.slice(1).filter((heading) => heading.endsWith("Unreleased")), []);
});
