import type { ImportGraph } from "../import_graph.ts";
import type { Problem, Tree } from "../tree.ts";

const rule = "unshared_files";
const functionsFolder = "supabase/functions/";
const sharedFolder = "supabase/functions/_shared/";
const runnable = /^export (?:async )?(?:function|class|abstract class)\b/m;

/**
 * Finds files of `_shared` that fewer than two functions use, directly or through other files. An
 * import of a type is a use only of a file that exports neither functions nor classes.
 */
export function findUnsharedFiles(tree: Tree, graph: ImportGraph): Problem[] {
  const usersOfAny = findUsers(graph);
  const usersOfValues = findUsers(withoutTypes(graph));
  const problems: Problem[] = [];
  for (const path of graph.keys()) {
    if (!path.startsWith(sharedFolder)) continue;
    const users = runnable.test(tree.get(path) ?? "") ? usersOfValues : usersOfAny;
    const names = [...users.get(path) ?? []];
    if (names.length > 1) continue;
    const text = names.length ? `Only "${names[0]}" uses this file` : "No function uses this file";
    const hint = names.length
      ? `move it to supabase/functions/${names[0]}, and leave a type that others import`
      : "delete it, or move it to its user";
    problems.push({ rule, path, text, hint });
  }
  return problems;
}

/** Finds which functions reach each file of `_shared`, by the file's path. */
function findUsers(graph: ImportGraph): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>();
  for (const path of graph.keys()) {
    if (!path.startsWith(functionsFolder) || path.startsWith(sharedFolder)) continue;
    const name = path.slice(functionsFolder.length).split("/")[0]!;
    for (const reached of reach(graph, path)) {
      if (!reached.startsWith(sharedFolder)) continue;
      users.set(reached, (users.get(reached) ?? new Set()).add(name));
    }
  }
  return users;
}

function withoutTypes(graph: ImportGraph): ImportGraph {
  return new Map(
    [...graph].map(([path, imports]) => [path, imports.filter(({ isOfTypes }) => !isOfTypes)]),
  );
}

function reach(graph: ImportGraph, start: string): Set<string> {
  const reached = new Set<string>([start]);
  for (const path of reached) {
    for (const { target } of graph.get(path) ?? []) reached.add(target);
  }
  return reached;
}
