import assert from "node:assert/strict";
import { lastProblem } from "../../local/postgres/postgres_server.ts";

Deno.test("lastProblem() returns only the reason from initdb's output", () => {
  const output = `The default text search configuration will be set to "english".

running bootstrap script ... ok
performing post-bootstrap initialization ... 2026-11-21 21:43:13.453 UTC [19538] FATAL:  could not write to file "base/4/113": No space left on device
2026-11-21 21:43:13.453 UTC [19538] STATEMENT:  CREATE DATABASE template0 IS_TEMPLATE = true

child process exited with exit code 1
initdb: removing contents of data directory "/data/postgres/cluster.new"`;
  const reason = 'could not write to file "base/4/113": No space left on device';
  assert.equal(lastProblem(output), reason);
});

Deno.test("lastProblem() returns initdb's own error, even with output after it", () => {
  const output = `initdb: error: could not access directory "/data": Permission denied
initdb: removing contents of data directory "/data"`;
  assert.equal(lastProblem(output), 'could not access directory "/data": Permission denied');
});

Deno.test("lastProblem() returns the last line if nothing is marked, and reports empty output", () => {
  assert.equal(lastProblem("starting\nkilled\n"), "killed");
  assert.equal(lastProblem(""), "no reason given");
});
