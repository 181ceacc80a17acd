import type { Definition, Step } from "../../../api/journey_definition.ts";
import { kindOf } from "./describe_step.ts";
import { renameStep } from "./edit_steps.ts";
import { isSame } from "./is_same.ts";
import { listInOrder } from "./list_steps.ts";
import { endsPart, entryPart } from "./parts.ts";

/** One part of a journey that two definitions have differently. */
export interface PartChange {
  /** A step, the entry or the ends. */
  part: string;
  kind: "added" | "removed" | "changed";
  /** Earlier name of a step that was renamed. */
  oldName?: string;
  /** Values that changed; a value that is missing on a side is undefined. */
  fields: readonly FieldChange[];
}

/** One value that two definitions have differently. */
export interface FieldChange {
  /** Path in the step, or in the definition: `["wait", "for"]`. */
  path: readonly string[];
  before: unknown;
  after: unknown;
}

/**
 * Lists the differences between two definitions: the entry and the ends, then the steps in their
 * order. A step of another kind with the same name is another step.
 */
export function diffDefinitions(before: Definition, after: Definition): PartChange[] {
  const names = findRenamed(before, after);
  const old = [...names].reduce((all, [to, from]) => renameStep(all, from, to), before);
  const ids = new Set([...listInOrder(after), ...listInOrder(old)]);
  return [
    ...compareRules(entryPart, readEntry(old), readEntry(after)),
    ...compareRules(endsPart, readEnds(old), readEnds(after)),
    ...[...ids].flatMap((id) => compareSteps(id, [old.steps[id], after.steps[id]], names.get(id))),
  ];
}

const readEntry = ({ trigger, entry, start }: Definition) => ({ trigger, entry, start });
const readEnds = ({ goal, exit_on, exit_when }: Definition) => ({ goal, exit_on, exit_when });

function compareRules(part: string, before: object, after: object): PartChange[] {
  const fields = compareValues([], before, after);
  return fields.length > 0 ? [{ part, kind: "changed", fields }] : [];
}

type Sides = readonly [before: Step | undefined, after: Step | undefined];

function compareSteps(part: string, [before, after]: Sides, oldName?: string): PartChange[] {
  if (before && after && kindOf(before) !== kindOf(after)) {
    return [...compareSteps(part, [before, undefined]), ...compareSteps(part, [undefined, after])];
  }
  const fields = compareValues([], before, after);
  if (fields.length === 0 && oldName === undefined) return [];
  const kind = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  return [{ part, kind, fields, ...oldName === undefined ? {} : { oldName } }];
}

/** Finds steps of which only the name is another; returns their earlier names by the new ones. */
function findRenamed(before: Definition, after: Definition): Map<string, string> {
  const found = new Map<string, string>();
  let old = before;
  const findNext = () => {
    const removed = Object.keys(old.steps).filter((id) => !Object.hasOwn(after.steps, id));
    const added = Object.keys(after.steps).filter((id) => !Object.hasOwn(old.steps, id));
    for (const from of removed) {
      const to = added.find((id) => isSame(old.steps[from], after.steps[id]));
      if (to !== undefined) return [from, to] as const;
    }
  };
  // Steps lead to others, so each one that is found can make another one the same.
  for (let pair = findNext(); pair !== undefined; pair = findNext()) {
    const [from, to] = pair;
    found.set(to, from);
    old = renameStep(old, from, to);
  }
  return found;
}

/** Compares values leaf by leaf; lists and conditions are compared as a whole. */
function compareValues(
  path: readonly string[],
  before: unknown,
  after: unknown,
): FieldChange[] {
  if (isSame(before, after)) return [];
  const isWhole = [before, after].some((value) => value !== undefined && !hasFields(path, value));
  if (isWhole) return [{ path, before, after }];
  const [left, right] = [asFields(before), asFields(after)];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names.flatMap((name) => compareValues([...path, name], left[name], right[name]));
}

const conditionNames: readonly (string | undefined)[] = ["when", "exit_when"];

/** Checks whether a value is compared field by field. */
function hasFields(path: readonly string[], value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    Object.keys(value).length > 0 && !conditionNames.includes(path.at(-1));
}

function asFields(value: unknown): Record<string, unknown> {
  return value === undefined ? {} : value as Record<string, unknown>;
}
