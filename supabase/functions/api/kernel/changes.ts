import { isRecord } from "../../_shared/json/json.ts";

/** A field's value before and after a change, or a note that one of them is too long to keep. */
export type Change = { before: unknown; after: unknown } | { is_too_long: true };

/** Most characters of JSON of a kept value. */
const maxLength = 1000;

/**
 * Lists the fields whose values differ between two states of a resource, as the api shows it. URLs
 * are kept without their path and query, which can hold secrets.
 */
export function listChanges(
  fields: readonly string[],
  { before, after }: { before: unknown; after: unknown },
): Record<string, Change> {
  if (!isRecord(before) || !isRecord(after)) return {};
  const changed = fields.filter((field) => {
    if (!(field in before) || !(field in after)) return false;
    return JSON.stringify(before[field]) !== JSON.stringify(after[field]);
  });
  return Object.fromEntries(
    changed.map((field) => [field, describeChange(before[field], after[field])]),
  );
}

function describeChange(before: unknown, after: unknown): Change {
  const isLong = [before, after].some((value) => (JSON.stringify(value) ?? "").length > maxLength);
  if (isLong) return { is_too_long: true };
  return { before: withoutPaths(before), after: withoutPaths(after) };
}

/** Returns a value of JSON with each URL in it reduced to scheme and host. */
function withoutPaths(value: unknown): unknown {
  if (typeof value === "string") return shortenUrl(value);
  if (Array.isArray(value)) return value.map(withoutPaths);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withoutPaths(inner)]),
  );
}

function shortenUrl(text: string): string {
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return text;
  const { origin, pathname, search, hash } = new URL(text);
  return pathname === "/" && search === "" && hash === "" ? origin : `${origin}/…`;
}
