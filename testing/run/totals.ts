/** Numbers of passed and failed tests. */
export interface Totals {
  passed: number;
  failed: number;
}

/**
 * Sums up a JUnit report of `deno test`. A run that failed without a failed test (a file that
 * does not load, say) counts as one failure.
 */
export async function readTotals(path: string, success: boolean): Promise<Totals> {
  const report = await Deno.readTextFile(path);
  const head = report.match(/<testsuites [^>]*>/)?.[0] ?? "";
  const count = (name: string) => Number(head.match(new RegExp(` ${name}="(\\d+)"`))?.[1] ?? 0);
  const failed = count("failures") + count("errors");
  const skipped = report.match(/<skipped\b/g)?.length ?? 0;
  const passed = count("tests") - failed - skipped;
  return { passed, failed: failed === 0 && !success ? 1 : failed };
}
