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
  assert.deepEqual(await totalsOf(report, false), { passed: 3, failed: 2 });
});

Deno.test("readTotals() counts a run that broke without a failed test as one failure", async () => {
  const report = '<testsuites name="deno test" tests="4" failures="0" errors="0" time="1">';
  assert.deepEqual(await totalsOf(report, false), { passed: 4, failed: 1 });
  assert.deepEqual(await totalsOf("", false), { passed: 0, failed: 1 });
});
