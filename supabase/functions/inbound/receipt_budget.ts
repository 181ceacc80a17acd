export interface ReceiptBudget {
  /** Whether one more refused request of this source may be written down. */
  spend(sourceId: string): boolean;
}

interface Account {
  left: number;
  at: number;
}

const burst = 20;
const msPerReceipt = 6000;

/**
 * How many refusals of a source are written down: 20 at once and ten a minute. Whoever knows the
 * address can send what does not verify, and must not be able to fill the database with it.
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
      // Put back at the end, so that the first in the Map is the one idle for longest.
      accounts.delete(sourceId);
      accounts.set(sourceId, { left: isAllowed ? left - 1 : left, at });
      const [oldest] = accounts.keys();
      if (accounts.size > maxSources && oldest !== undefined) accounts.delete(oldest);
      return isAllowed;
    },
  };
}
