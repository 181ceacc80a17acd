import type { Definition, Step } from "../../../api/journey_definition.ts";
import { isSame } from "./is_same.ts";
import { listInOrder } from "./list_steps.ts";

/** One difference between two definitions. */
export interface DefinitionChange {
  /** Part of the journey that changed; steps by their id. */
  part: string;
  kind: "added" | "removed" | "changed";
  /** Values that changed; a value that is missing on a side is undefined. */
  fields: readonly FieldChange[];
}

interface FieldChange {
  /** Path of the value in its part: "wait.for". */
  name: string;
  before: unknown;
  after: unknown;
}

const parts = {
  trigger: "Trigger",
  entry: "Entry",
  start: "First step",
  goal: "Goal",
  exit_when: "Exit condition",
  exit_on: "Exit event",
} as const;

/** Lists the differences between two definitions: the rules first, then the steps in their order. */
export function diffDefinitions(before: Definition, after: Definition): DefinitionChange[] {
  const rules = Object.entries(parts).flatMap(([field, label]) => {
    const name = field as keyof typeof parts;
    return compare(label, before[name], after[name]);
  });
  const ids = new Set([...listInOrder(after), ...listInOrder(before)]);
  const steps = [...ids].flatMap((id) => compareSteps(id, before.steps[id], after.steps[id]));
  return [...rules, ...steps];
}

function compareSteps(
  id: string,
  before: Step | undefined,
  after: Step | undefined,
): DefinitionChange[] {
  return compare(id, before, after);
}

function compare(part: string, before: unknown, after: unknown): DefinitionChange[] {
  const fields = compareValues("", before, after);
  if (fields.length === 0) return [];
  const kind = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  return [{ part, kind, fields }];
}

/** Compares values leaf by leaf; lists and conditions are compared as a whole. */
function compareValues(name: string, before: unknown, after: unknown): FieldChange[] {
  if (isSame(before, after)) return [];
  const [left, right] = [asFields(before), asFields(after)];
  if (left === undefined && right === undefined) return [{ name, before, after }];
  const names = [...new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})])].sort();
  return names.flatMap((field) =>
    compareValues(name === "" ? field : `${name}.${field}`, left?.[field], right?.[field])
  );
}

const conditionForms = ["all", "any", "not", "field", "op", "bucket"];

/** Returns the fields of a value that is compared field by field. */
function asFields(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const fields = value as Record<string, unknown>;
  const isLeaf = Object.keys(fields).length === 0 ||
    conditionForms.some((name) => name in fields);
  return isLeaf ? undefined : fields;
}
