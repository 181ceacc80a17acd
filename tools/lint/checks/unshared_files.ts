import type { ImportGraph } from "../import_graph.ts";
import type { Problem } from "../tree.ts";

const functionsFolder = "supabase/functions/";
const sharedFolder = "supabase/functions/_shared/";
/** Folders for functions that do not exist yet: remove each once its second user exists. */
const foldersWithFutureUsers = ["supabase/functions/_shared/work/"];

/** Finds files of `_shared` that fewer than two functions import, directly or through others. */
export function findUnsharedFiles(graph: ImportGraph): Problem[] {
  const users = new Map<string, Set<string>>();
  for (const path of graph.keys()) {
    if (!path.startsWith(functionsFolder) || path.startsWith(sharedFolder)) continue;
    const name = path.slice(functionsFolder.length).split("/")[0]!;
    for (const reached of reach(graph, path)) {
      if (!reached.startsWith(sharedFolder)) continue;
      users.set(reached, (users.get(reached) ?? new Set()).add(name));
    }
  }
  const problems: Problem[] = [];
  for (const path of graph.keys()) {
    if (!path.startsWith(sharedFolder)) continue;
    if (foldersWithFutureUsers.some((folder) => path.startsWith(folder))) continue;
    const names = [...users.get(path) ?? []];
    if (names.length > 1) continue;
    const text = names.length
      ? `Only "${names[0]}" uses this file: move it to that function`
      : "No function uses this file";
    problems.push({ path, text });
  }
  return problems;
}

function reach(graph: ImportGraph, start: string): Set<string> {
  const reached = new Set<string>([start]);
  for (const path of reached) {
    for (const { target } of graph.get(path) ?? []) reached.add(target);
  }
  return reached;
}
