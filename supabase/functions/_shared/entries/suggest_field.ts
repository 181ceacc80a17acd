import { findNearName } from "./near_name.ts";

/** Names that other services give to fields of an entry. */
const otherNames = new Map([
  ["timestamp", "occurred_at"],
  ["time", "occurred_at"],
  ["ts", "occurred_at"],
  ["user_id", "external_id"],
  ["userId", "external_id"],
  ["anonymous_id", "anon_id"],
  ["anonymousId", "anon_id"],
  ["event", "name"],
]);

/**
 * Finds the field that somebody probably meant by an unknown name: one of `names` that the value
 * does not have yet.
 */
export function suggestField(
  unknown: string,
  names: readonly string[],
  value: Readonly<Record<string, unknown>>,
): string | undefined {
  const free = names.filter((name) => !Object.hasOwn(value, name));
  const meant = otherNames.get(unknown);
  if (meant !== undefined && names.includes(meant)) {
    return free.includes(meant) ? meant : undefined;
  }
  return findNearName(unknown, free);
}
