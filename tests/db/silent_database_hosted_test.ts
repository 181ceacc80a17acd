import assert from "node:assert/strict";
import { findHostedDeno } from "../../testing/service/hosted_deno.ts";

Deno.test("on the hosted Deno, functions respond while the database hangs", async () => {
  const { code, stdout, stderr } = await new Deno.Command(findHostedDeno() ?? "deno is missing", {
    args: ["test", "--no-check", "--no-lock", "--node-modules-dir=manual", "-A"]
      .concat("silent_database_test.ts"),
    cwd: new URL(".", import.meta.url),
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  const text = decoder.decode(stdout) + decoder.decode(stderr);
  assert.equal(code, 0, text);
  assert.match(text, /ok \| \d+ passed \(3 steps\) \| 0 failed/);
});
