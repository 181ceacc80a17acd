import { fileURLToPath } from "node:url";
import { findLongFiles } from "./checks/long_files.ts";
import { findImportCycles } from "./checks/import_cycles.ts";
import { findUnsharedFiles } from "./checks/unshared_files.ts";
import { findLongSqlFunctions, findSqlErrorTexts } from "./checks/sql_functions.ts";
import { findContractBreaches, findUpwardImports } from "./checks/upward_imports.ts";
import { readImportGraph } from "./import_graph.ts";
import { readTree } from "./tree.ts";

const tree = readTree(Deno.args[0] ?? fileURLToPath(new URL("../..", import.meta.url)));
const graph = readImportGraph(tree);
const problems = [
  ...findUnsharedFiles(graph),
  ...findUpwardImports(graph),
  ...findContractBreaches(graph),
  ...findImportCycles(graph),
  ...findLongFiles(tree),
  ...findLongSqlFunctions(tree),
  ...findSqlErrorTexts(tree),
];
for (const { path, line, text } of problems) {
  const place = line === undefined ? path : `${path}:${line}`;
  Deno.stderr.writeSync(new TextEncoder().encode(`${place}: ${text}\n`));
}
if (problems.length) Deno.exit(1);
