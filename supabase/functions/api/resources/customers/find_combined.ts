import type { ErrorDetail } from "../../../_shared/errors/errors.ts";

/** Filters of the list of customers, each of which is used alone. */
const filters = ["q", "external_id", "anon_id", "email", "filter"];

/** Finds filters of the list of customers that cannot be combined. */
export function findCombined(query: Readonly<Record<string, unknown>>): ErrorDetail[] {
  const [first, second] = filters.filter((name) => query[name] !== undefined);
  if (first === undefined) return [];
  const message = `must not be combined with ${first}`;
  if (second !== undefined) return [{ field: second, message }];
  return (query.sort ?? "newest") === "newest" ? [] : [{ field: "sort", message }];
}
