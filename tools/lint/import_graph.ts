import { posix } from "node:path";
import type { Tree } from "./tree.ts";

/** One import of a file of the project; `line` counts from 1. */
export interface Import {
  target: string;
  line: number;
  /** True for `import type` and `export type`. */
  isOfTypes: boolean;
}

/** Imports of each TypeScript file of the project, by its path. */
export type ImportGraph = ReadonlyMap<string, readonly Import[]>;

const imported = /^(?:import|export)\b[^;"'`]*?\bfrom "(\.[^"]+)"|^import "(\.[^"]+)"/gm;
const importedLate = /\bimport\(\s*"(\.[^"]+)"/g;

/** Finds what every file imports from the project; packages are left out. */
export function readImportGraph(tree: Tree): ImportGraph {
  const graph = new Map<string, Import[]>();
  for (const [path, text] of tree) {
    if (!/\.tsx?$/.test(path)) continue;
    const imports = [...text.matchAll(imported), ...text.matchAll(importedLate)]
      .map((match) => ({
        target: posix.join(posix.dirname(path), match[1] ?? match[2] ?? ""),
        line: text.slice(0, match.index).split("\n").length,
        isOfTypes: /^(?:import|export) type\b/.test(match[0]),
      }));
    graph.set(path, imports.filter(({ target }) => tree.has(target)));
  }
  return graph;
}
