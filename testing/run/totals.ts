/** Results of a run of `deno test`. */
export interface Totals {
  passed: number;
  failed: number;
  /** One line for each failed test and step: file, name and the beginning of its error. */
  failures: string[];
}

/** Characters of an error that a line shows. */
const errorLength = 300;

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
  return {
    passed,
    failed: failed === 0 && !success ? 1 : failed,
    failures: listFailures(report),
  };
}

/** Tests whose steps failed are left out: the steps say why. */
function listFailures(report: string): string[] {
  const failures =
    /<testcase name="([^"]*)" classname="([^"]*)"[^>]*>\s*<(?:failure|error) message="([^"]*)"/g;
  return [...report.matchAll(failures)]
    .map(([, name, file, error]) => [file!, name!, error!].map(flatten))
    .filter(([, , error]) => !/^\d+ test steps? failed$/.test(error!))
    .map(([file, name, error]) => `${file}: ${name}: ${error!.slice(0, errorLength)}`);
}

const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
};

function flatten(text: string): string {
  return text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (entity) => entities[entity]!)
    .replaceAll(/\s+/g, " ").trim();
}
