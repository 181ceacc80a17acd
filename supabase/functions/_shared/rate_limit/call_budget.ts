import { BoundedMap } from "../cache/bounded_map.ts";

/** Limits calls that anyone can make, in the memory of one instance. */
export interface CallBudget {
  /** Returns true if one more call about this id may be handled. */
  spend(id: string): boolean;
}

interface Account {
  left: number;
  at: number;
}

const burst = 20;
const msPerCall = 6000;

/**
 * Limits the calls about an id: 20 at once and ten per minute. Anyone who knows the URL of a source
 * or the link of a message can call it, and must not be able to fill the database.
 */
export function createCallBudget(
  { now, maxIds = 10_000 }: { now: () => Date; maxIds?: number },
): CallBudget {
  const accounts = new BoundedMap<string, Account>(maxIds);
  return {
    spend(id) {
      const at = now().getTime();
      const known = accounts.get(id) ?? { left: burst, at };
      const left = Math.min(burst, known.left + Math.max(0, at - known.at) / msPerCall);
      const isAllowed = left >= 1;
      accounts.set(id, { left: isAllowed ? left - 1 : left, at });
      return isAllowed;
    },
  };
}
