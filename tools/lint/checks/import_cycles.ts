import type { ImportGraph } from "../import_graph.ts";
import type { Problem } from "../tree.ts";

const rule = "import_cycles";
const hint = "move what both sides need to a file of its own";

/** Finds circles of imports. An import of a type counts like any other. */
export function findImportCycles(graph: ImportGraph): Problem[] {
  const problems: Problem[] = [];
  const finished = new Set<string>();
  const trail: string[] = [];

  function visit(path: string) {
    if (finished.has(path)) return;
    const start = trail.indexOf(path);
    if (start >= 0) {
      const circle = [...trail.slice(start), path];
      const text = `Import cycle: ${circle.join(" → ")}`;
      problems.push({ rule, path, text, hint });
      return;
    }
    trail.push(path);
    for (const { target } of graph.get(path) ?? []) visit(target);
    trail.pop();
    finished.add(path);
  }

  for (const path of graph.keys()) visit(path);
  return problems;
}
