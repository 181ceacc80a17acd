import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findHostedDeno } from "../../testing/service/hosted_deno.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const deno = findHostedDeno() ?? "deno is missing";

/** Every test of what goes out, but this one. */
const files = readdirSync(new URL(".", import.meta.url))
  .filter((name) => /^guarded_fetch(?!_hosted).*_test\.ts$/.test(name));

Deno.test("there are tests of what goes out", () => {
  assert(files.length >= 4, files.join());
});

for (const name of files) {
  Deno.test(`${name} passes on the platform's Deno`, async () => {
    const { code, stdout, stderr } = await new Deno.Command(deno, {
      args: ["test", "--no-check", "--no-lock", "--node-modules-dir=manual", "-A", name],
      cwd: `${root}/tests/outbound`,
      env: { NO_COLOR: "1", TEST_RECEIVER_DENO: Deno.execPath() },
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    const text = decoder.decode(stdout) + decoder.decode(stderr);
    assert.equal(code, 0, text);
    assert.match(text, /ok \| \d+ passed \| 0 failed/);
  });
}
