import assert from "node:assert/strict";
import plugin from "../../tools/lint/plugin.ts";
import { argumentCount } from "../../tools/lint/rules/argument_count.ts";
import { constantCase, toCamelCase } from "../../tools/lint/rules/constant_case.ts";
import { docstring } from "../../tools/lint/rules/docstring.ts";
import { errorText } from "../../tools/lint/rules/error_text.ts";
import { fileName } from "../../tools/lint/rules/file_name.ts";
import { functionLength } from "../../tools/lint/rules/function_length.ts";

interface Sample {
  rule: Deno.lint.Rule;
  source: string;
  /** The linted file; a file of `_shared` when not given. */
  path?: string;
}

/** Runs a rule on a source. */
function lint({ rule, source, path = "/supabase/functions/_shared/http/body.ts" }: Sample) {
  const rules = { sample: rule };
  return Deno.lint.runPlugin({ name: "test", rules }, path, source);
}

function assertPasses(sample: Sample): void {
  assert.deepEqual(lint(sample), [], sample.source);
}

function assertFails(sample: Sample, message: RegExp): void {
  const found = lint(sample);
  const messages = found.map((each) => each.message);
  assert.equal(messages.length, 1, `${sample.source}: ${messages.join()}`);
  assert.match(messages[0]!, message);
  assert.match(found[0]!.hint ?? "", /\w/, `${sample.source}: no hint`);
}

Deno.test("argument-count refuses the fourth argument of any function", () => {
  const rule = argumentCount;
  const message = /takes 4 arguments, and the limit is 3/;
  assertFails({ rule, source: "export function f(a, b, c, d) {}" }, message);
  assertFails({ rule, source: "const f = (a, b, c, ...d) => a;" }, message);
  assertFails({ rule, source: "class C { f(a, b, c, d = 1) {} }" }, message);
  assertPasses({ rule, source: "export function f(a, b, c) {}" });
  assertPasses({ rule, source: "export function f({ a, b, c, d }) {}" });
});

Deno.test("constant-case refuses capitals with underscores at every depth", () => {
  const rule = constantCase;
  assertFails({ rule, source: "export const MAX_BODY_BYTES = 1;" }, /"MAX_BODY_BYTES"/);
  assertFails({ rule, source: "const ROLES = [];" }, /"ROLES"/);
  assertFails({ rule, source: "function f() { const PATIENCE_MS = 1; }" }, /"PATIENCE_MS"/);
  assertPasses({ rule, source: "export const maxBodyBytes = 1;" });
  assertPasses({ rule, source: "export const EventRow = memo(draw);" });
  assertPasses({ rule, source: "const { DB_URL } = environment;" });
  assert.equal(toCamelCase("MAX_BODY_BYTES"), "maxBodyBytes");
});

Deno.test("docstring asks for one on what a shared folder exports", () => {
  const rule = docstring;
  assertFails({ rule, source: "export function f() {}" }, /"f" has no docstring/);
  assertFails({ rule, source: "// Reads it.\nexport class C {}" }, /"C" has no docstring/);
  assertFails({ rule, source: "/* Reads it. */\nexport interface I {}" }, /"I" has no docstring/);
  const second = "/** Reads it. */\nexport const read = 1;\nexport function f() {}";
  assertFails({ rule, source: second }, /"f" has no docstring/);
  assertFails({ rule, source: "export function f() {}", path: "/testing/f.ts" }, /no docstring/);
  assertPasses({ rule, source: "/** Reads a body. */\nexport function f() {}" });
  assertPasses({ rule, source: "export const limit = 1;\nexport type Limit = number;" });
  assertPasses({ rule, source: "export interface LoadOptions {}" });
  assertPasses({ rule, source: "function f() {}" });
  assertPasses({ rule, source: "export function f() {}", path: "/local/f.ts" });
});

Deno.test("docstring asks for a verb or a noun first", () => {
  const rule = docstring;
  for (const word of ["What", "Whether", "Who", "Where", "Which", "How", "If", "Of"]) {
    const source = `/** ${word} is read. */\nexport const limit = 1;`;
    assertFails({ rule, source }, new RegExp(`starts with "${word}"`));
  }
  assertFails({ rule, source: "/**\n * How to read.\n */\nexport class C {}" }, /"How"/);
  assertPasses({ rule, source: "/** Limit in bytes. */\nexport const limit = 1;" });
});

Deno.test("error-text asks for a capital first and no full stop last", () => {
  const rule = errorText;
  const capital = /does not start with a capital/;
  assertFails({ rule, source: 'throw new Error("cannot read");' }, capital);
  assertFails({ rule, source: 'throw new Error("Cannot read.");' }, /ends in a full stop/);
  assertFails({ rule, source: "throw new TypeError(`Cannot read ${name}.`);" }, /full stop/);
  assertFails({ rule, source: 'throw new ApiError("not_found", "no such key");' }, capital);
  assertFails({ rule, source: 'const text = "no key";\nthrow new Error(text);' }, capital);
  assertPasses({ rule, source: 'throw new Error(`Cannot read "${name}": it is empty`);' });
  assertPasses({ rule, source: "throw new Error(`${action}: it is empty`);" });
  assertPasses({ rule, source: 'throw new ApiError("not_found", "Key does not exist");' });
  assertPasses({ rule, source: 'new Error("gone");', path: "/tests/api/keys_test.ts" });
});

Deno.test("error-text looks at the constant that is in scope", () => {
  const source = `
    function f() { const message = "must be text"; return [{ field: "name", message }]; }
    function g() { const message = "Cannot read"; throw new Error(message); }`;
  assertPasses({ rule: errorText, source });
});

Deno.test("error-text asks that a message about a field continues the field's name", () => {
  const rule = errorText;
  const capital = 'throw invalidInput([{ field: "name", message: "Must be text" }]);';
  assertFails({ rule, source: capital }, /does not start with a lowercase letter/);
  const stop = 'throw invalidInput([{ field: "name", message: "must be text." }]);';
  assertFails({ rule, source: stop }, /ends in a full stop/);
  assertPasses({
    rule,
    source: 'throw invalidInput([{ field: "name", message: "is required" }]);',
  });
});

Deno.test("file-name asks for the words of an export or of a folder", () => {
  const rule = fileName;
  const source = "export function createRateLimiter() {}";
  assertFails({ rule, source, path: "http/lease.ts" }, /nothing is called "lease"/);
  assertFails({ rule, source, path: "http/rate_reserve.ts" }, /nothing is called "reserve"/);
  assertFails({ rule, source, path: "http/rateLimiter.ts" }, /is not in snake_case/);
  assertPasses({ rule, source, path: "http/rate_limiter.ts" });
  assertPasses({ rule, source, path: "rate_limit/limiter.ts" });
  assertPasses({ rule, source: `${source}\nexport const lease = 1;`, path: "http/reserve.ts" });
  assertPasses({ rule, source: `${source}\nexport type Lease = 1;`, path: "http/lease.ts" });
  assertPasses({ rule, source: "export const apiKey = 1;", path: "http/api_keys.ts" });
  assertPasses({ rule, source: "export const findJobs = 1;", path: "jobs/job_queries.ts" });
  assertPasses({ rule, source: "export const listDeliveries = 1;", path: "delivery.ts" });
  assertPasses({ rule, source: `if (import.meta.main) run();\n${source}`, path: "serve.ts" });
  assertPasses({ rule, source, path: "http/main.ts" });
  assertPasses({ rule, source: "export async function run() {}", path: "bench/ingest.ts" });
  assertPasses({ rule, source: "Deno.test(name, check);", path: "tests/http/body_test.ts" });
});

Deno.test("function-length refuses the 71st line", () => {
  const rule = functionLength;
  const write = (lines: number) => `function f() {\n${"run();\n".repeat(lines - 2)}}\n`;
  assertFails({ rule, source: write(71) }, /has 71 lines, and the limit is 70/);
  assertFails({ rule, source: `const g = ${write(71)}` }, /has 71 lines/);
  assertFails({ rule, source: write(71).replace("function f()", "const f = () =>") }, /71 lines/);
  assertPasses({ rule, source: write(70) });
  const inSteps = (lines: number) => `async (t) => {\n${write(lines)}}`;
  const step = `await t.step("first", ${inSteps(60)});\n`;
  assertPasses({ rule, source: `Deno.test("a journey", async (t) => {\n${step}${step}});` });
  const long = `Deno.test("a journey", async (t) => {\n${step}${"run();\n".repeat(69)}});`;
  assertFails({ rule, source: long }, /has 72 lines/);
});

Deno.test("the plugin runs every rule of its folder", () => {
  const files = [...Deno.readDirSync(new URL("../../tools/lint/rules", import.meta.url))];
  const names = files.map(({ name }) => name.replace(".ts", "").replaceAll("_", "-"));
  assert.deepEqual(Object.keys(plugin.rules).sort(), names.sort());
});
