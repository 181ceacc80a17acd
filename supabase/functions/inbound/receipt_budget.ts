import { BoundedMap } from "../_shared/cache/bounded_map.ts";

export interface ReceiptBudget {
  /** Returns true if one more refused request of this source may be recorded. */
  spend(sourceId: string): boolean;
}

interface Account {
  left: number;
  at: number;
}

const burst = 20;
const msPerReceipt = 6000;

/**
 * Limits the recorded refusals of a source: 20 at once and ten per minute. Anyone who knows the URL
 * can send requests that do not verify, and must not be able to fill the database with them.
 */
export function createReceiptBudget(
  { now, maxSources = 10_000 }: { now: () => Date; maxSources?: number },
): ReceiptBudget {
  const accounts = new BoundedMap<string, Account>(maxSources);
  return {
    spend(sourceId) {
      const at = now().getTime();
      const known = accounts.get(sourceId) ?? { left: burst, at };
      const left = Math.min(burst, known.left + Math.max(0, at - known.at) / msPerReceipt);
      const isAllowed = left >= 1;
      accounts.set(sourceId, { left: isAllowed ? left - 1 : left, at });
      return isAllowed;
    },
  };
}
