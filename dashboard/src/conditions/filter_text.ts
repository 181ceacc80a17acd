import { addToAll, type Draft, isDraft } from "./draft.ts";

/** Reads a condition from the page's address; undefined if there is not one. */
export function parseFilter(text: string | undefined): Draft | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isDraft(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the filter with one more test of a value. A test that it has already is not repeated. */
export function narrowFilter(text: string | undefined, test: Draft): string {
  const current = parseFilter(text);
  const written = JSON.stringify(test);
  const narrowed = addToAll(current, test);
  const parts = (narrowed.all as unknown[]).map((part) => JSON.stringify(part));
  return parts.indexOf(written) < parts.length - 1 && current !== undefined
    ? JSON.stringify(current)
    : JSON.stringify(narrowed);
}

/** Returns the test that a value is equal; undefined for lists and objects. */
export function testValue(
  place: { field: string } | { property: string },
  value: unknown,
): Draft | undefined {
  const isScalar = ["string", "number", "boolean"].includes(typeof value);
  return isScalar ? { ...place, op: "eq", value } : undefined;
}
