import type { Destination } from "../../api/types.ts";
import { formatCount } from "../../format/numbers.ts";

/** Says that no message waits and none was missed. */
export const noBacklog = "None waiting";

/** Counts the messages to destinations that wait, and those that were missed. */
export function describeBacklog(destinations: readonly Destination[]): string {
  const pending = destinations.reduce((sum, { health }) => sum + health.pending, 0);
  const missed = destinations.reduce((sum, { health }) => sum + health.missed, 0);
  const parts = [
    ...pending > 0 ? [`${formatCount(pending)} waiting`] : [],
    ...missed > 0 ? [`${formatCount(missed)} missed`] : [],
  ];
  return parts.join(", ") || noBacklog;
}
