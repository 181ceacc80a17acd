import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import plugin from "../../tools/lint/plugin.ts";

const root = new URL("../../", import.meta.url);

/** Rules with a program of their own, and the tests with a sample that breaks each. */
const others: Readonly<Record<string, string>> = {
  phrases: "tests/lint/phrases_unit_test.ts",
  registered_tables: "tests/schema/registered_tables_test.ts",
};

function readRules(): string[] {
  const page = readFileSync(new URL("CONTRIBUTING.md", root), "utf8");
  const [, table = ""] = page.split("| rule | requires |");
  return [...table.split("\n\n")[0]!.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name!);
}

Deno.test("CONTRIBUTING.md lists every rule that tools check, and no other", () => {
  const checks = readdirSync(new URL("tools/lint/checks", root))
    .map((name) => name.replace(".ts", ""));
  const rules = [...checks, ...Object.keys(plugin.rules), ...Object.keys(others)];
  assert.deepEqual(readRules().sort(), rules.sort());
});

Deno.test("every listed rule has a test with a sample that breaks it", () => {
  const read = (path: string) => readFileSync(new URL(path, root), "utf8");
  const ofPlugin = read("tests/lint/rules_unit_test.ts");
  const ofChecks = read("tests/lint/checks_unit_test.ts");
  for (const rule of readRules()) {
    if (others[rule]) assert.match(read(others[rule]), /Deno\.test\(/, rule);
    else if (rule in plugin.rules) assert.match(ofPlugin, new RegExp(`Deno\\.test\\("${rule} `));
    else assert.match(ofChecks, new RegExp(`checks/${rule}\\.ts"`), rule);
  }
});
