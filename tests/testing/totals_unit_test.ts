import assert from "node:assert/strict";
import { readTotals } from "../../testing/run/totals.ts";

async function totalsOf(report: string, success: boolean) {
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, report);
  const totals = await readTotals(path, success);
  await Deno.remove(path);
  return totals;
}

Deno.test("readTotals() counts passed and failed tests, and ignores skipped ones", async () => {
  const report = `<testsuites name="deno test" tests="6" failures="2" errors="0" time="1">
    <testcase name="ignored"><skipped/></testcase></testsuites>`;
  assert.deepEqual(await totalsOf(report, false), { passed: 3, failed: 2, failures: [] });
});

Deno.test("readTotals() counts a run that broke without a failed test as one failure", async () => {
  const report = '<testsuites name="deno test" tests="4" failures="0" errors="0" time="1">';
  assert.deepEqual(await totalsOf(report, false), { passed: 4, failed: 1, failures: [] });
  assert.deepEqual(await totalsOf("", false), { passed: 0, failed: 1, failures: [] });
});

Deno.test("readTotals() names each failed test and step with the beginning of its error", async () => {
  const report = `<testsuites name="deno test" tests="3" failures="3" errors="0" time="1">
    <testcase name="outer" classname="./a_test.ts" time="1" line="2" col="6">
      <failure message="1 test step failed">1 test step failed.</failure>
    </testcase>
    <testcase name="outer &gt; inner" classname="./a_test.ts" time="1" line="2" col="43">
      <failure message="Uncaught Error: &quot;x&quot; timed out\n  waiting for y">at</failure>
    </testcase>
    <testcase name="other" classname="./a_test.ts" time="1" line="9" col="6">
      <failure message="${"z".repeat(301)}">at</failure>
    </testcase></testsuites>`;
  assert.deepEqual((await totalsOf(report, false)).failures, [
    './a_test.ts: outer > inner: Uncaught Error: "x" timed out waiting for y',
    `./a_test.ts: other: ${"z".repeat(300)}`,
  ]);
});
