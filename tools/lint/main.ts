import { fileURLToPath } from "node:url";
import { findProblems } from "./find_problems.ts";
import { describeProblem, readTree } from "./tree.ts";

const tree = readTree(Deno.args[0] ?? fileURLToPath(new URL("../..", import.meta.url)));
const lines = findProblems(tree).map((problem) => `${describeProblem(problem)}\n`);
Deno.stderr.writeSync(new TextEncoder().encode(lines.join("")));
if (lines.length) Deno.exit(1);
