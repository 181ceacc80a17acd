/**
 * Copies a JSON value with the keys of its objects in alphabetical order, at every level. The
 * database keeps no order: it returns short keys first.
 */
export function sortKeys<Value>(value: Value): Value {
  return sorted(value) as Value;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, sorted(member)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => a < b ? -1 : 1));
}
