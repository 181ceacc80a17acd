import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { parsePatch } from "diff";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

Deno.test("functions and the local stack load the patched driver", () => {
  for (const file of parsePatch(read("patches/postgres.patch"))) {
    const name = file.newFileName!.replace(/^b\//, "");
    // Resolved as the npm packages of the project are.
    const loaded = read(`node_modules/postgres/${name}`);
    for (const { lines } of file.hunks) {
      const after = lines.filter((line) => !line.startsWith("-")).map((line) => line.slice(1));
      assert(loaded.includes(after.join("\n")), `${name} lacks ${after.join("\n")}`);
    }
  }
});
