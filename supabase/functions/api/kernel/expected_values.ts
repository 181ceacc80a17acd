import { ApiError, invalidInput } from "../../_shared/errors/errors.ts";
import { isRecord } from "../../_shared/json/json.ts";
import type { CallerSql } from "./caller.ts";
import type { ApiRoute, Call } from "./route.ts";

/** Returns whether calls of a route may name the values that they expect. */
export function takesExpected({ method, shownBy }: ApiRoute): boolean {
  return method === "PATCH" && shownBy !== undefined;
}

/** Makes the changes of a resource wait for each other, so that no value changes after its check. */
export async function lockChanges(
  tx: CallerSql,
  { route, workspaceId, params }: { route: ApiRoute } & Pick<Call, "workspaceId" | "params">,
): Promise<void> {
  const resource = JSON.stringify([workspaceId, route.path, params]);
  await tx`select pg_advisory_xact_lock(hashtextextended(${resource}, 31))`;
}

/** The values that a change expects, and those that there are. */
interface Comparison {
  expected: unknown;
  /** The resource before the change, as a handler returned it. */
  before: unknown;
  /** The fields of the change. A value that is already there is no conflict: a repeat succeeds. */
  changes: Readonly<Record<string, unknown>>;
}

/**
 * Refuses a change of values that others have changed since they were read.
 *
 * @throws {ApiError} `conflict`; `invalid_input` for a field that the resource does not have
 */
export function requireExpected(
  { entity }: ApiRoute,
  { expected, before, changes }: Comparison,
): void {
  if (!isRecord(expected) || !isRecord(before)) return;
  const current = JSON.parse(JSON.stringify(before));
  const unknown = Object.keys(expected).filter((field) => !Object.hasOwn(current, field));
  if (unknown.length > 0) {
    const message = "must be a field of the response";
    throw invalidInput(unknown.map((field) => ({ field: `expected.${field}`, message })));
  }
  const changed = Object.keys(expected).filter((field) =>
    !isSame(expected[field], current[field]) && !isSame(changes[field], current[field])
  );
  if (changed.length === 0) return;
  const names = changed.map((field) => `"${field}"`).join(", ");
  const message = `Cannot change ${lowerFirst(entity ?? "resource")}: ${names} ` +
    `${changed.length === 1 ? "has" : "have"} changed since the resource was read`;
  throw new ApiError("conflict", message);
}

/** Returns whether two values of JSON are the same in any order of their keys. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return one === other;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]));
}

/** "Segment" becomes "segment"; "API key" stays. */
function lowerFirst(noun: string): string {
  return /^[A-Z][a-z]/.test(noun) ? `${noun[0]!.toLowerCase()}${noun.slice(1)}` : noun;
}
