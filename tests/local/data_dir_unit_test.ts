import assert from "node:assert/strict";
import { join } from "node:path";
import { openDataDir } from "../../local/data_dir.ts";

Deno.test("openDataDir() creates a directory and a lock that no other user can read", async () => {
  const parent = await Deno.makeTempDir();
  try {
    const path = join(parent, "data");
    using _dir = openDataDir(path);
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o700);
    assert.equal((await Deno.stat(join(path, "lock"))).mode! & 0o777, 0o600);
  } finally {
    await Deno.remove(parent, { recursive: true });
  }
});
