import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const workflowsFolder = join(root, ".github", "workflows");

const workflows = readdirSync(workflowsFolder).map((name) => ({
  name,
  lines: readFileSync(join(workflowsFolder, name), "utf8").split("\n"),
}));

/** An action of somebody else at one commit, with the release that the commit is. */
const pinned = /^\s*(?:- )?uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

Deno.test("every action is pinned to a commit, with its release beside it", () => {
  const uses = workflows.flatMap(({ name, lines }) =>
    lines.filter((line) => /\buses:/.test(line)).map((line) => `${name}: ${line.trim()}`)
  );
  assert.notEqual(uses.length, 0);
  assert.deepEqual(uses.filter((use) => !pinned.test(use.slice(use.indexOf(": ") + 2))), []);
});

Deno.test("every script that a workflow runs exists and can be executed", () => {
  const scripts = workflows.flatMap(({ lines }) =>
    lines.flatMap((line) => [...line.matchAll(/\.ci\/\w+/g)].map(([script]) => script))
  );
  assert.notEqual(scripts.length, 0);
  for (const script of scripts) assert.ok(statSync(join(root, script)).mode & 0o100, script);
});

Deno.test("every path of the tests that a script of CI names exists", () => {
  for (const name of readdirSync(join(root, ".ci"))) {
    const text = readFileSync(join(root, ".ci", name), "utf8");
    for (const [path] of text.matchAll(/\btests\/[\w/.]+/g)) statSync(join(root, path));
  }
});
