import type { Problem, Tree } from "../tree.ts";

const rule = "long_files";
const hint = "split it by subject";
const maxLines = 400;

/** Finds files of more than 400 lines. */
export function findLongFiles(tree: Tree): Problem[] {
  const problems: Problem[] = [];
  for (const [path, text] of tree) {
    const lines = text.replace(/\n$/, "").split("\n").length;
    if (lines <= maxLines) continue;
    const problem = `File has ${lines} lines, and the limit is ${maxLines}`;
    problems.push({ rule, path, text: problem, hint });
  }
  return problems;
}
