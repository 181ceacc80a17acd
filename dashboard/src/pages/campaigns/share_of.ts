/** Returns a count as a share of a whole, from 0 to 1. */
export function shareOf(count: number, whole: number): number {
  return whole === 0 ? 0 : count / whole;
}
