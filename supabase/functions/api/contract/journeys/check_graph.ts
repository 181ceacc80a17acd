import type { Definition } from "../../../_shared/journeys/definition.ts";
import type { JsonFault } from "../../../_shared/json/json.ts";
import { listWays, type Way } from "../../../_shared/journeys/ways.ts";

interface Graph {
  start: string;
  /** The ways out of each step that lead to another step. */
  ways: ReadonlyMap<string, readonly Way[]>;
  /** Steps at which a run may end. */
  ends: readonly string[];
}

/**
 * Checks that the steps fit together: every named step exists, every step can be reached and can
 * reach an end, and no loop is without a wait. Returns all faults; their paths are relative to the
 * definition.
 */
export function checkGraph(definition: Definition): JsonFault[] {
  const steps = Object.entries(definition.steps);
  const listed = new Map(steps.map(([name, step]) => [name, listWays(step)]));
  const missing = steps.flatMap(([name]) =>
    listed.get(name)!.ways.filter(({ to }) => !listed.has(to))
      .map(({ path, to }) => noSuchStep(["steps", name, ...path], to))
  );
  if (!listed.has(definition.start)) missing.unshift(noSuchStep(["start"], definition.start));
  const graph: Graph = {
    start: definition.start,
    ways: new Map(
      [...listed].map(([name, { ways }]) => [name, ways.filter(({ to }) => listed.has(to))]),
    ),
    ends: steps.flatMap(([name]) => listed.get(name)!.endsRun ? [name] : []),
  };
  const faults = [...missing, ...findLoops(graph)];
  // A way to a step that does not exist would make others unreachable: one fault is enough.
  return missing.length > 0 ? faults : [...faults, ...findUnreachable(graph), ...findTraps(graph)];
}

function noSuchStep(path: JsonFault["path"], to: string): JsonFault {
  return { path, message: `must name a step of the journey: ${JSON.stringify(to)} does not exist` };
}

function findUnreachable(graph: Graph): JsonFault[] {
  const reached = reach([graph.start], (name) => graph.ways.get(name)!.map(({ to }) => to));
  return [...graph.ways.keys()].filter((name) => !reached.has(name)).map((name) => ({
    path: ["steps", name],
    message: "cannot be reached from the first step",
  }));
}

function findTraps(graph: Graph): JsonFault[] {
  const sources = new Map<string, string[]>();
  for (const [name, ways] of graph.ways) {
    for (const { to } of ways) sources.set(to, [...sources.get(to) ?? [], name]);
  }
  const ending = reach(graph.ends, (name) => sources.get(name) ?? []);
  return [...graph.ways.keys()].filter((name) => !ending.has(name)).map((name) => ({
    path: ["steps", name],
    message: "cannot reach an end: a run would never leave",
  }));
}

/** Finds loops in which no time passes; each is reported once, at its first step. */
function findLoops(graph: Graph): JsonFault[] {
  const done = new Set<string>();
  const faults: JsonFault[] = [];
  for (const name of graph.ways.keys()) {
    const loop = done.has(name) ? undefined : findLoop(graph, name, done);
    if (loop === undefined) continue;
    const names = [...loop, loop[0]!].map((step) => JSON.stringify(step)).join(" → ");
    faults.push({
      path: ["steps", loop[0]!],
      message: `must not be in a loop without a wait: ${names}`,
    });
  }
  return faults;
}

/** Follows ways without a wait from one step, depth first and without recursion. */
function findLoop(graph: Graph, start: string, done: Set<string>): string[] | undefined {
  const targets = (name: string) =>
    graph.ways.get(name)!.filter(({ isWaiting }) => !isWaiting).map(({ to }) => to);
  const path = [{ name: start, left: targets(start) }];
  let found: string[] | undefined;
  while (path.length > 0) {
    const last = path.at(-1)!;
    const next = last.left.shift();
    if (next === undefined) {
      done.add(last.name);
      path.pop();
    } else if (!done.has(next)) {
      const names = path.map(({ name }) => name);
      const first = names.indexOf(next);
      if (first < 0) path.push({ name: next, left: targets(next) });
      else found ??= names.slice(first);
    }
  }
  return found;
}

function reach(starts: readonly string[], next: (name: string) => readonly string[]): Set<string> {
  const reached = new Set(starts);
  for (const name of reached) {
    for (const to of next(name)) reached.add(to);
  }
  return reached;
}
