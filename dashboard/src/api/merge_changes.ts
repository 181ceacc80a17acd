import { isSame } from "./is_same.ts";

/** A field that was changed here and elsewhere. */
export interface FieldConflict {
  field: string;
  theirs: unknown;
}

interface Versions<Values> {
  /** The values that the own changes started from. */
  before: Values;
  theirs: Values;
}

/** Adds the changes of others to the own ones, which win. Lists the fields that both changed. */
export function mergeChanges<Values extends object>(
  mine: Values,
  { before, theirs }: Versions<Values>,
): { merged: Values; conflicts: FieldConflict[] } {
  const merged = { ...theirs };
  const conflicts: FieldConflict[] = [];
  for (const field of Object.keys(mine) as (keyof Values & string)[]) {
    if (isSame(mine[field], before[field])) continue;
    merged[field] = mine[field];
    const isOther = !isSame(theirs[field], before[field]) && !isSame(theirs[field], mine[field]);
    if (isOther) conflicts.push({ field, theirs: theirs[field] });
  }
  return { merged, conflicts };
}
