import { type Condition } from "../api/condition_rules.ts";
import { readCondition, type ReadOptions } from "../api/conditions.ts";
import { contextPrefix } from "./draft.ts";
import { type Fault, isEmpty, type Path, valueAt } from "./faults.ts";

/** A checked draft: the condition if it is complete, otherwise its faults. */
export interface CheckedDraft {
  condition: Condition | undefined;
  faults: readonly DraftFault[];
}

/** A fault, and whether something is only missing so far. */
export interface DraftFault extends Fault {
  isMissing: boolean;
}

/** Checks a draft by the api's own rules. */
export function checkDraft(draft: unknown, options: ReadOptions = {}): CheckedDraft {
  // As it is sent: a value that is still undefined is absent.
  const sent: unknown = JSON.parse(JSON.stringify(draft ?? null));
  const read = readCondition(sent, options);
  if (read.ok) return { condition: read.condition, faults: [] };
  const faults = read.faults.map(({ path, message }) => ({
    path: path as Path,
    message,
    isMissing: isMissing(valueAt(sent, path as Path)),
  }));
  return { condition: undefined, faults };
}

function isMissing(value: unknown): boolean {
  return isEmpty(value) || value === contextPrefix;
}
