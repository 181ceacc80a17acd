import type { JsonObject } from "../../api/types.ts";
import { listReasons, placeInEntry } from "./list_reasons.ts";

/** A change of an entry before it is resent. */
export type Fix =
  | { kind: "none" }
  | { kind: "rename"; field: string; to: string }
  | { kind: "remove"; field: string }
  | { kind: "set"; field: string; value: string };

type Step = string | number;

const step = /(?:^|\.)([^.[\]"]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;

/** Reads the path of a field as errors write it: `properties.items[0]["unit price"]`. */
export function readPath(text: string): Step[] | undefined {
  const steps: Step[] = [];
  step.lastIndex = 0;
  while (step.lastIndex < text.length) {
    const found = step.exec(text);
    if (found === null) return undefined;
    const [, name, index, quoted] = found;
    steps.push(name ?? (index === undefined ? JSON.parse(quoted!) as string : Number(index)));
  }
  return steps.length > 0 ? steps : undefined;
}

/** Returns whether the fix has everything it needs. */
export function isComplete(fix: Fix): boolean {
  if (fix.kind === "none") return true;
  if (readPath(fix.field) === undefined) return false;
  if (fix.kind === "set") return fix.value.trim() !== "";
  return fix.kind === "remove" || readPath(fix.to) !== undefined;
}

/** The fields of an entry, in any format, that say whose it is. */
const customerFields = ["external_id", "anon_id", "userId", "anonymousId"];

/** Returns whether the fix gives its entries the same customer. */
export function setsCustomer(fix: Fix): boolean {
  return fix.kind === "set" && isComplete(fix) && customerFields.includes(fix.field);
}

/** Returns a changed copy of an entry; undefined if the fix changes nothing in it. */
export function applyFix(entry: unknown, fix: Fix): JsonObject | undefined {
  if (!isParent(entry) || Array.isArray(entry)) return undefined;
  const copy = structuredClone(entry) as JsonObject;
  return change(copy, fix) ? copy : undefined;
}

function change(entry: JsonObject, fix: Fix): boolean {
  if (fix.kind === "none") return false;
  const path = readPath(fix.field);
  if (path === undefined) return false;
  if (fix.kind === "set") return setField(entry, path, readValue(fix.value));
  const parent = findParent(entry, path);
  const name = path.at(-1)!;
  if (parent === undefined || !Object.hasOwn(parent, name)) return false;
  if (fix.kind === "rename") {
    const to = readPath(fix.to);
    // A value that is there already must not be lost.
    if (to === undefined || hasField(entry, to)) return false;
    if (findParent(entry, to) === parent && !Array.isArray(parent)) {
      renameKey(parent, name, to.at(-1)!);
      return true;
    }
    if (!setField(entry, to, parent[name])) return false;
  }
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else delete parent[name];
  return true;
}

/** The value that was typed: JSON, or else text. */
export function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Renames a key in its place, so that the rest looks the same. */
function renameKey(parent: Parent, from: Step, to: Step): void {
  for (const [key, value] of Object.entries(parent)) {
    delete parent[key];
    parent[key === from ? to : key] = value;
  }
}

type Parent = Record<Step, unknown>;

function findParent(entry: JsonObject, path: readonly Step[]): Parent | undefined {
  let value: unknown = entry;
  for (const name of path.slice(0, -1)) {
    if (!isParent(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return isParent(value) ? value : undefined;
}

function isParent(value: unknown): value is Parent {
  return typeof value === "object" && value !== null;
}

function hasField(entry: JsonObject, path: readonly Step[]): boolean {
  const parent = findParent(entry, path);
  return parent !== undefined && Object.hasOwn(parent, path.at(-1)!);
}

/** Sets a field, with the objects around it that are missing; false where another value is in the way. */
function setField(entry: JsonObject, path: readonly Step[], value: unknown): boolean {
  let parent: Parent = entry as Parent;
  for (const name of path.slice(0, -1)) {
    if (!Object.hasOwn(parent, name)) parent[name] = {};
    const next = parent[name];
    if (!isParent(next)) return false;
    parent = next;
  }
  const name = path.at(-1)!;
  if (Object.hasOwn(parent, name) && JSON.stringify(parent[name]) === JSON.stringify(value)) {
    return false;
  }
  parent[name] = value;
  return true;
}

const misspelled = /^Field "(.+)" is unknown: did you mean "([^"]+)"/;
const foreign = /^Field "([^".[]+)" is unknown.*put it under "properties"/;

interface Cause {
  reason: string;
  code: string;
  field: string | null;
  origin: string;
}

/**
 * Suggests a fix for a reason: the name that was meant, a place below `properties`, or
 * a value for the wrong field.
 */
export function suggestFix({ reason, code, field, origin }: Cause): Fix {
  // The field of a source's entry is one of its mapping's result, not of what was sent.
  if (origin === "inbound" || code !== "invalid_input") return { kind: "none" };
  // The reasons of an entry in a bulk name its place in the bulk too.
  const reasons = listReasons(reason);
  const find = (form: RegExp) => reasons.map((each) => form.exec(each)).find(Boolean) ?? [];
  const [, wrong, meant] = find(misspelled);
  if (wrong !== undefined && meant !== undefined) {
    return { kind: "rename", field: wrong, to: meant };
  }
  const [, own] = find(foreign);
  if (own !== undefined) return { kind: "rename", field: own, to: `properties.${own}` };
  return { kind: "set", field: placeInEntry(field ?? ""), value: "" };
}
