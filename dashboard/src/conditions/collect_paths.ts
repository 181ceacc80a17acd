/** Type of a value that a test compares with. */
export type ScalarType = "text" | "number" | "boolean";

/** A path inside objects, and what was seen there. */
export interface SeenPath {
  path: string;
  type: ScalarType;
  /** Some of the values, the most frequent first. */
  values: string[];
}

const maxLevels = 4;
const maxValues = 20;
const maxValueLength = 60;

type Counts = Map<string, { types: Map<ScalarType, number>; values: Map<string, number> }>;

/** Collects the paths to texts, numbers and booleans inside objects, in alphabetical order. */
export function collectPaths(objects: readonly Record<string, unknown>[]): SeenPath[] {
  const counts: Counts = new Map();
  for (const object of objects) collectFrom(object, [], counts);
  return [...counts].map(([path, { types, values }]) => ({
    path,
    type: mostFrequent(types)[0] ?? "text",
    values: mostFrequent(values).slice(0, maxValues),
  })).sort((a, b) => a.path < b.path ? -1 : 1);
}

function collectFrom(object: object, above: string[], counts: Counts): void {
  for (const [name, value] of Object.entries(object)) {
    // A dot separates the names of a path, so such a name cannot be part of one.
    if (name === "" || name.includes(".")) continue;
    const path = [...above, name];
    const type = typeOf(value);
    if (type !== undefined) count(counts, { path: path.join("."), type, value: String(value) });
    else if (isObject(value) && path.length < maxLevels) collectFrom(value, path, counts);
  }
}

function count(
  counts: Counts,
  { path, type, value }: { path: string; type: ScalarType; value: string },
): void {
  const seen = counts.get(path) ?? { types: new Map(), values: new Map() };
  counts.set(path, seen);
  seen.types.set(type, (seen.types.get(type) ?? 0) + 1);
  if (value !== "" && value.length <= maxValueLength) {
    seen.values.set(value, (seen.values.get(value) ?? 0) + 1);
  }
}

function mostFrequent<Key>(counts: ReadonlyMap<Key, number>): Key[] {
  return [...counts].sort(([, a], [, b]) => b - a).map(([key]) => key);
}

/** Returns the type of a value that can be compared with; undefined for others. */
export function typeOf(value: unknown): ScalarType | undefined {
  if (typeof value === "string") return "text";
  if (typeof value === "number") return "number";
  return typeof value === "boolean" ? "boolean" : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a value of a type to begin with; a number is still to be entered. */
export function makeEmpty(type: ScalarType): unknown {
  return type === "text" ? "" : type === "boolean" ? true : undefined;
}
