import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { findStack } from "../../demo/running_stack.ts";
import { readOptions } from "../../local/options.ts";

const url = "postgresql://someone:secret@localhost/shop";

Deno.test("readOptions() listens on 54321 and keeps its data in .data", () => {
  assert.deepEqual(readOptions([], {}), {
    port: 54321,
    dataDir: resolve(".data"),
    databaseUrl: null,
    fresh: false,
  });
});

Deno.test("readOptions() reads variables, and prefers flags", () => {
  const env = { PORT: "1", DATA_DIR: "/a", SUPABASE_DB_URL: url };
  const expected = { port: 1, dataDir: "/a", databaseUrl: url, fresh: false };
  assert.deepEqual(readOptions([], env), expected);
  assert.deepEqual(readOptions(["--port", "2", "--data-dir=/b"], env), {
    ...expected,
    port: 2,
    dataDir: "/b",
  });
});

Deno.test("readOptions() treats an empty variable as unset", () => {
  const options = readOptions([], { PORT: "", DATA_DIR: "", SUPABASE_DB_URL: "" });
  assert.deepEqual(options, readOptions([], {}));
});

Deno.test("findStack() looks where readOptions() keeps the data", async () => {
  const nowhere = await Deno.makeTempDir();
  const cases = [
    { args: [], env: { DATA_DIR: nowhere } },
    { args: [`--data-dir=${nowhere}`], env: { DATA_DIR: "/a" } },
    { args: ["--data-dir="], env: { DATA_DIR: nowhere } },
  ];
  for (const { args, env } of cases) {
    const file = join(readOptions(args, env)?.dataDir ?? "", "local.json");
    await assert.rejects(findStack({ args, env }), (error: Error) => error.message.includes(file));
  }
  await Deno.remove(nowhere);
});

Deno.test("readOptions() returns null for --help", () => {
  assert.equal(readOptions(["--help"], {}), null);
});

Deno.test("readOptions() names the invalid option", () => {
  const cases: [string[], RegExp][] = [
    [["--port", "65536"], /^Cannot listen on port "65536"/],
    [["--port", "http"], /^Cannot listen on port "http"/],
    [["--port"], /^Cannot read the flags: .*--port/],
    [["--verbose"], /^Cannot read the flags: Unknown option '--verbose'/],
    [["now"], /^Cannot read the flags: Unexpected argument 'now'/],
    [["--database-url", "mysql://localhost"], /^Cannot read the database URL/],
    [["--fresh", "--database-url", url], /^Cannot start with --fresh/],
  ];
  for (const [args, message] of cases) assert.throws(() => readOptions(args, {}), { message });
});

Deno.test("readOptions() never repeats a database URL, which may contain a password", () => {
  assert.throws(
    () => readOptions(["--database-url", "someone:secret@localhost"], {}),
    (error: Error) => !error.message.includes("secret"),
  );
});
