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
  const accounts = new Map<string, Account>();
  return {
    spend(sourceId) {
      const at = now().getTime();
      const known = accounts.get(sourceId) ?? { left: burst, at };
      const left = Math.min(burst, known.left + Math.max(0, at - known.at) / msPerReceipt);
      const isAllowed = left >= 1;
      // Moved to the end, so that the first in the Map is idle for the longest time.
      accounts.delete(sourceId);
      accounts.set(sourceId, { left: isAllowed ? left - 1 : left, at });
      const [oldest] = accounts.keys();
      if (accounts.size > maxSources && oldest !== undefined) accounts.delete(oldest);
      return isAllowed;
    },
  };
}
