/** A value with the ones before and after it, for undo and redo. */
export interface History<Value> {
  past: readonly Value[];
  present: Value;
  future: readonly Value[];
  /** Names the field of the last change, so that typing a word is one change. */
  field?: string | undefined;
}

const mostKept = 200;

export function startHistory<Value>(present: Value): History<Value> {
  return { past: [], present, future: [] };
}

/** Adds a change. A further change of the same field replaces the last one. */
export function addChange<Value>(
  history: History<Value>,
  present: Value,
  field?: string,
): History<Value> {
  if (present === history.present) return history;
  const isSame = field !== undefined && field === history.field;
  const past = isSame ? history.past : [...history.past, history.present].slice(-mostKept);
  return { past, present, future: [], field };
}

/** Goes back by one change. */
export function undo<Value>(history: History<Value>): History<Value> {
  const { past, present, future } = history;
  if (past.length === 0) return history;
  return { past: past.slice(0, -1), present: past.at(-1)!, future: [present, ...future] };
}

/** Repeats the change that was undone last. */
export function redo<Value>(history: History<Value>): History<Value> {
  const { past, present, future } = history;
  if (future.length === 0) return history;
  return { past: [...past, present], present: future[0]!, future: future.slice(1) };
}
