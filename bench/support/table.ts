/** Prints a row of a table, its cells right-aligned but for the first. */
export function printRow(cells: readonly string[], widths: readonly number[]): void {
  const line = cells.map((cell, i) => {
    const width = widths[i] ?? 0;
    return i === 0 ? cell.padEnd(width) : cell.padStart(width);
  }).join("  ");
  print(line.trimEnd());
}

/** Prints a line on standard output. */
export function print(line = ""): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** A whole number with thousands separated. */
export function formatCount(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** Prints a Markdown table, all columns but the first right-aligned. */
export function printMarkdown(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const rule = headings.map((_, i) => i === 0 ? "---" : "---:");
  for (const cells of [headings, rule, ...rows]) print(`| ${cells.join(" | ")} |`);
}
