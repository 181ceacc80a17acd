import assert from "node:assert/strict";
import { findLongFiles } from "../../tools/lint/checks/long_files.ts";
import { findImportCycles } from "../../tools/lint/checks/import_cycles.ts";
import { findUnsharedFiles } from "../../tools/lint/checks/unshared_files.ts";
import { findLongSqlFunctions, findSqlErrorTexts } from "../../tools/lint/checks/sql_functions.ts";
import { findContractBreaches, findUpwardImports } from "../../tools/lint/checks/upward_imports.ts";
import { type ImportGraph, readImportGraph } from "../../tools/lint/import_graph.ts";
import { findProblems } from "../../tools/lint/find_problems.ts";
import { describeProblem, type Problem, type Tree } from "../../tools/lint/tree.ts";

const shared = "supabase/functions/_shared";

/** Writes a tree from lists of the imports of each file. */
function writeTree(files: Record<string, string[]>): Tree {
  const tree = Object.entries(files).map(([path, targets]) => {
    const up = "../".repeat(path.split("/").length - 1) || "./";
    const lines = targets.map((target) => `import { value } from "${up}${target}";\n`);
    return [path, lines.join("")] as const;
  });
  return new Map(tree);
}

function readGraph(files: Record<string, string[]>): ImportGraph {
  return readImportGraph(writeTree(files));
}

function findUnshared(tree: Tree): Problem[] {
  return findUnsharedFiles(tree, readImportGraph(tree));
}

function assertOne(problems: Problem[], path: string, text: RegExp): void {
  assert.equal(problems.length, 1, JSON.stringify(problems));
  assert.equal(problems[0]!.path, path);
  assert.match(problems[0]!.text, text);
}

Deno.test("readImportGraph() finds imports of values, of types, late ones and those of several lines", () => {
  const source = `import "./a.ts";
import type { B } from "./b.ts";
import {
  type C,
} from "./c.ts";
export { d } from "./d.ts";
const e = await import("./e.ts");
import assert from "node:assert/strict";
`;
  const others = ["a", "b", "c", "d", "e"].map((name) => [`local/${name}.ts`, ""] as const);
  const graph = readImportGraph(new Map([["local/main.ts", source], ...others]));
  assert.deepEqual(graph.get("local/main.ts"), [
    { target: "local/a.ts", line: 1, isOfTypes: false },
    { target: "local/b.ts", line: 2, isOfTypes: true },
    { target: "local/c.ts", line: 3, isOfTypes: false },
    { target: "local/d.ts", line: 6, isOfTypes: false },
    { target: "local/e.ts", line: 7, isOfTypes: false },
  ]);
});

Deno.test("findUnsharedFiles() reports a file of _shared used by fewer than two functions", () => {
  const one = writeTree({
    [`${shared}/http/body.ts`]: [],
    "supabase/functions/track/app.ts": [`${shared}/http/body.ts`],
    "supabase/functions/track/index.ts": ["supabase/functions/track/app.ts"],
    "testing/app.ts": [`${shared}/http/body.ts`],
  });
  assertOne(findUnshared(one), `${shared}/http/body.ts`, /Only "track" uses this file/);
  const none = writeTree({ [`${shared}/http/body.ts`]: [] });
  assertOne(findUnshared(none), `${shared}/http/body.ts`, /No function uses this file/);
});

Deno.test("findUnsharedFiles() accepts a file that two functions use through others", () => {
  const tree = writeTree({
    [`${shared}/log/log.ts`]: [],
    [`${shared}/http/body.ts`]: [`${shared}/log/log.ts`],
    "supabase/functions/track/app.ts": [`${shared}/http/body.ts`],
    "supabase/functions/inbound/app.ts": [`${shared}/http/body.ts`],
  });
  assert.deepEqual(findUnshared(tree), []);
});

Deno.test("findUnsharedFiles() counts an import of a type only for a file of types and constants", () => {
  const users = [
    ["supabase/functions/track/app.ts", 'import { read } from "../_shared/http/body.ts";\n'],
    ["supabase/functions/inbound/app.ts", 'import type { Body } from "../_shared/http/body.ts";\n'],
  ] as const;
  const write = (text: string) => new Map([...users, [`${shared}/http/body.ts`, text]]);
  const withFunction = write("export interface Body {}\nexport async function read() {}\n");
  assertOne(findUnshared(withFunction), `${shared}/http/body.ts`, /Only "track" uses this file/);
  assert.deepEqual(findUnshared(write("export const kinds = [];\nexport type Body = 1;\n")), []);
});

Deno.test("findUpwardImports() reports imports above, beside or outside the floors", () => {
  const breaches: [string, string, RegExp][] = [
    [`${shared}/log/log.ts`, `${shared}/http/body.ts`, /_shared\/http is above it/],
    [`${shared}/http/body.ts`, "supabase/functions/track/app.ts", /track is above it/],
    ["supabase/functions/track/app.ts", "supabase/functions/inbound/app.ts", /is beside it/],
    ["supabase/functions/track/app.ts", "local/stack.ts", /local is above it/],
    ["supabase/functions/track/app.ts", "testing/app.ts", /testing is above it/],
    [
      "supabase/functions/api/contract/keys.ts",
      "supabase/functions/api/kernel/http_page.ts",
      /above/,
    ],
    [
      "supabase/functions/api/kernel/http_page.ts",
      "supabase/functions/api/resources/a.ts",
      /above/,
    ],
    ["dashboard/src/main.tsx", "testing/app.ts", /testing is above it/],
    ["local/start.ts", "tests/run.ts", /tests is above it/],
  ];
  for (const [path, target, text] of breaches) {
    assertOne(findUpwardImports(readGraph({ [path]: [target], [target]: [] })), path, text);
  }
  assertOne(findUpwardImports(readGraph({ "attic/old.ts": [] })), "attic/old.ts", /has no floor/);
});

Deno.test("findUpwardImports() accepts imports below or in the same place", () => {
  const graph = readGraph({
    [`${shared}/log/log.ts`]: [],
    [`${shared}/http/body.ts`]: [`${shared}/log/log.ts`],
    "supabase/functions/track/app.ts": [`${shared}/http/body.ts`],
    "supabase/functions/track/index.ts": ["supabase/functions/track/app.ts"],
    "supabase/functions/api/contract/client.ts": ["supabase/functions/api/routes.ts"],
    "supabase/functions/api/routes.ts": [],
    "tests/track/app_test.ts": ["supabase/functions/track/app.ts"],
  });
  assert.deepEqual(findUpwardImports(graph), []);
});

Deno.test("findContractBreaches() lets the dashboard import only the api's contract", () => {
  const route = "supabase/functions/api/routes.ts";
  const contract = "supabase/functions/api/contract/client.ts";
  const path = "dashboard/src/main.tsx";
  const graph = readGraph({ [path]: [contract, route], [contract]: [], [route]: [] });
  assertOne(findContractBreaches(graph), path, /routes\.ts.*imports api\/contract only/);
  assert.deepEqual(findContractBreaches(readGraph({ [path]: [contract], [contract]: [] })), []);
});

Deno.test("findImportCycles() reports a cycle once, including cycles of types", () => {
  const graph = readGraph({ "local/a.ts": ["local/b.ts"], "local/b.ts": ["local/a.ts"] });
  assertOne(findImportCycles(graph), "local/a.ts", /local\/a\.ts → local\/b\.ts → local\/a\.ts/);
  const types = new Map([
    ["local/a.ts", 'import type { B } from "./b.ts";\n'],
    ["local/b.ts", 'import { a } from "./a.ts";\n'],
  ]);
  assert.equal(findImportCycles(readImportGraph(types)).length, 1);
});

Deno.test("findImportCycles() accepts a file that is reached by two ways", () => {
  const graph = readGraph({
    "local/a.ts": ["local/b.ts", "local/c.ts"],
    "local/b.ts": ["local/d.ts"],
    "local/c.ts": ["local/d.ts"],
    "local/d.ts": [],
  });
  assert.deepEqual(findImportCycles(graph), []);
});

Deno.test("findLongFiles() reports the 401st line", () => {
  const long = new Map([["local/a.ts", "run();\n".repeat(401)]]);
  assertOne(findLongFiles(long), "local/a.ts", /has 401 lines, and the limit is 400/);
  assert.deepEqual(findLongFiles(new Map([["local/a.ts", "run();\n".repeat(400)]])), []);
});

Deno.test("findLongSqlFunctions() reports a body of 81 lines", () => {
  const path = "supabase/schema/usage/count.sql";
  const write = (lines: number, quote: string) =>
    `create or replace function private.count()\nreturns void\nlanguage plpgsql\nas ${quote}\n` +
    `${"perform 1;\n".repeat(lines)}${quote};\n`;
  const long = findLongSqlFunctions(new Map([[path, `${write(1, "$$")}${write(81, "$body$")}`]]));
  assertOne(long, path, /"private\.count" has 81 lines, and the limit is 80/);
  assert.equal(long[0]!.line, 7);
  const grown = new Map([[
    path,
    write(100, "$$").replace("private.count", "private.store_messages"),
  ]]);
  assertOne(findLongSqlFunctions(grown), path, /"private\.store_messages" has 100 lines/);
  assert.deepEqual(findLongSqlFunctions(new Map([[path, write(80, "$$")]])), []);
});

Deno.test("findSqlErrorTexts() asks for a capital first and no full stop last", () => {
  const path = "supabase/schema/usage/count.sql";
  for (const text of ["cannot count", "Cannot count."]) {
    const problems = findSqlErrorTexts(new Map([[path, `raise exception '${text}'\n`]]));
    assertOne(problems, path, /capital first and no full stop last/);
  }
  const fine = "raise exception 'Cannot count %: it''s locked', v_name;\n";
  assert.deepEqual(findSqlErrorTexts(new Map([[path, fine]])), []);
});

Deno.test("findProblems() runs every check, and each problem has its rule and a hint", () => {
  const imports = writeTree({
    [`${shared}/http/body.ts`]: ["supabase/functions/track/app.ts"],
    "supabase/functions/track/app.ts": [`${shared}/http/body.ts`],
    "dashboard/src/main.tsx": ["supabase/functions/track/app.ts"],
  });
  const path = "supabase/schema/usage/count.sql";
  const sql = `create function a.b() as $$\n${"perform 1;\n".repeat(81)}$$;\n` +
    "raise exception 'cannot count'\n";
  const long = ["local/long.ts", "run();\n".repeat(401)] as const;
  const problems = findProblems(new Map([...imports, [path, sql], long]));
  const lines = problems.map(describeProblem);
  for (const line of lines) assert.match(line, /^\S+: .+ \([a-z_]+\): [a-z].+/);
  const checks = [...Deno.readDirSync(new URL("../../tools/lint/checks", import.meta.url))];
  const rules = new Set(problems.map(({ rule }) => rule));
  assert.deepEqual([...rules].sort(), checks.map(({ name }) => name.replace(".ts", "")).sort());
  for (const text of ["imports api/contract only", "has 81 lines", "needs a capital first"]) {
    assert.ok(lines.some((line) => line.includes(text)), text);
  }
});
