import { ApiError, invalidInput } from "../../_shared/errors/errors.ts";
import { formatPath, isRecord } from "../../_shared/json/json.ts";
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

/** The values that a call expects, and the resource before and after it, as handlers return it. */
interface Comparison {
  expected: unknown;
  before: unknown;
  after: unknown;
  /** The fields that the call sets. */
  fields: readonly string[];
}

/**
 * Refuses a change of values that others have changed since they were read. The transaction of the
 * change is then rolled back. A value that the call leaves as it was before does not conflict, and
 * neither does a call that changes nothing: it may be a repeat.
 *
 * @throws {ApiError} `conflict`; `invalid_input` for a field that the resource does not have
 */
export function requireExpected(route: ApiRoute, { fields, ...values }: Comparison): void {
  const { expected } = values;
  if (!isRecord(expected) || !isRecord(values.before)) return;
  const before = toJson(values.before);
  const after = toJson(values.after);
  const unknown = Object.keys(expected).filter((field) => !Object.hasOwn(before, field));
  if (unknown.length > 0) {
    const message = "must be a field of the response";
    throw invalidInput(
      unknown.map((field) => ({ field: formatPath(["expected", field]), message })),
    );
  }
  const isKept = (field: string) => isSame(before[field], after[field]);
  const changed = Object.keys(expected).filter((field) =>
    !isSame(expected[field], before[field]) && !(fields.includes(field) && isKept(field))
  );
  if (changed.length === 0 || Object.keys(after).every((f) => f === "updated_at" || isKept(f))) {
    return;
  }
  const names = changed.map((field) => `"${field}"`).join(", ");
  const message = `Cannot change ${lowerFirst(route.entity ?? "resource")}: ${names} ` +
    `${changed.length === 1 ? "has" : "have"} changed since the resource was read`;
  throw new ApiError("conflict", message);
}

function toJson(resource: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(resource));
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
