import { floors } from "../floors.ts";
import type { ImportGraph } from "../import_graph.ts";
import type { Problem } from "../tree.ts";

const rule = "upward_imports";
const hint = "move the code that both sides need to a floor below them (tools/lint/floors.ts)";

/** Finds imports from a higher floor or from another place on the same floor. */
export function findUpwardImports(graph: ImportGraph): Problem[] {
  const problems: Problem[] = [];
  for (const [path, imports] of graph) {
    const from = findPlace(path);
    if (!from) {
      const hint = "add its folder to tools/lint/floors.ts";
      problems.push({ rule, path, text: "Path has no floor", hint });
      continue;
    }
    for (const { target, line } of imports) {
      const to = findPlace(target);
      if (!to || to.place === from.place || to.floor < from.floor) continue;
      const relation = to.floor > from.floor ? "above" : "beside";
      const text = `Imports "${target}": ${to.place} is ${relation} it`;
      problems.push({ rule, path, line, text, hint });
    }
  }
  return problems;
}

/** Finds imports by which the dashboard reaches past the api's contract into the functions. */
export function findContractBreaches(graph: ImportGraph): Problem[] {
  const hint = "move what it needs to supabase/functions/api/contract";
  const problems: Problem[] = [];
  for (const [path, imports] of graph) {
    if (!path.startsWith("dashboard/")) continue;
    for (const { target, line } of imports) {
      if (!target.startsWith("supabase/functions/")) continue;
      if (target.startsWith("supabase/functions/api/contract/")) continue;
      const text = `Imports "${target}": the dashboard imports api/contract only`;
      problems.push({ rule, path, line, text, hint });
    }
  }
  return problems;
}

interface Location {
  place: string;
  floor: number;
}

function findPlace(path: string): Location | undefined {
  let found: Location | undefined;
  floors.forEach((places, floor) => {
    for (const place of places) {
      if (path !== place && !path.startsWith(`${place}/`)) continue;
      if (!found || place.length > found.place.length) found = { place, floor };
    }
  });
  return found;
}
