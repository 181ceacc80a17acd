import { findImportCycles } from "./checks/import_cycles.ts";
import { findLongFiles } from "./checks/long_files.ts";
import { findLongSqlFunctions, findSqlErrorTexts } from "./checks/sql_functions.ts";
import { findUnsharedFiles } from "./checks/unshared_files.ts";
import { findContractBreaches, findUpwardImports } from "./checks/upward_imports.ts";
import { readImportGraph } from "./import_graph.ts";
import type { Problem, Tree } from "./tree.ts";

/** Runs every check of the whole tree. */
export function findProblems(tree: Tree): Problem[] {
  const graph = readImportGraph(tree);
  return [
    ...findUnsharedFiles(tree, graph),
    ...findUpwardImports(graph),
    ...findContractBreaches(graph),
    ...findImportCycles(graph),
    ...findLongFiles(tree),
    ...findLongSqlFunctions(tree),
    ...findSqlErrorTexts(tree),
  ];
}
