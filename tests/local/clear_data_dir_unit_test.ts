import assert from "node:assert/strict";
import { join } from "node:path";
import { openDataDir } from "../../local/data_dir.ts";
import { clearDataDir } from "../../local/clear_data_dir.ts";
import { loadState } from "../../local/state.ts";

async function makeDir() {
  const path = await Deno.makeTempDir({ prefix: "signalpost-test-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Every file below a directory but the lock, with what is in it. */
async function readAll(path: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const { name, isDirectory } of Deno.readDir(path)) {
    const below = join(path, name);
    if (isDirectory) {
      for (const [rest, text] of Object.entries(await readAll(below))) {
        files[join(name, rest)] = text;
      }
    } else if (name !== "lock") files[name] = await Deno.readTextFile(below);
  }
  return files;
}

Deno.test("clearDataDir() deletes nothing that start did not write, and says so", async () => {
  for (
    const files of [
      { "postgres/schema.sql": "select 1" },
      { "state.json": '{"open":["a.txt"]}' },
      { "local.json": "{}" },
    ]
  ) {
    await using dir = await makeDir();
    for (const [name, text] of Object.entries(files)) {
      await Deno.mkdir(join(dir.path, name, ".."), { recursive: true });
      await Deno.writeTextFile(join(dir.path, name), text);
    }
    using data = openDataDir(dir.path);
    await assert.rejects(clearDataDir(data), {
      message: `Cannot delete the data in "${dir.path}": it is not of this service, choose ` +
        "another directory with --data-dir",
    });
    assert.deepEqual(await readAll(dir.path), files);
  }
});

Deno.test("clearDataDir() deletes the files of start and leaves the rest of the directory", async () => {
  await using dir = await makeDir();
  using data = openDataDir(dir.path);
  await loadState(data);
  await Deno.mkdir(join(dir.path, "postgres", "cluster"), { recursive: true });
  await Deno.writeTextFile(join(dir.path, "postgres", "cluster", "PG_VERSION"), "17");
  await Deno.writeTextFile(join(dir.path, "local.json"), "{}");
  await Deno.writeTextFile(join(dir.path, "notes.txt"), "mine");
  await clearDataDir(data);
  assert.deepEqual(await readAll(dir.path), { "notes.txt": "mine" });
  await clearDataDir(data);
});

Deno.test("loadState() ignores files that another program wrote", async () => {
  await using dir = await makeDir();
  await Deno.writeTextFile(join(dir.path, "state.json"), '{"open":["a.txt"]}');
  using data = openDataDir(dir.path);
  await assert.rejects(loadState(data), {
    message: `Cannot use data directory "${dir.path}": its "state.json" is not of this service, ` +
      "choose another with --data-dir",
  });
});
