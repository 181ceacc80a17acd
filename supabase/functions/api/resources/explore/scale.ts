/** Quality of an exploration: exact, or an estimate from a share of all. */
export interface Quality {
  is_exact: boolean;
  sampled_share: number;
}

/** Describes the quality of a result that was read from this share. */
export function describeQuality(share: number): Quality {
  return { is_exact: share === 1, sampled_share: share };
}

/** Returns the estimate for all events or customers, from the number in a sample. */
export function scale(count: number, share: number): number {
  return Math.round(count / share);
}

/** Returns a list from counts by position, with 0 for those that are missing. */
export function listCounts(
  counts: Readonly<Record<string, number>>,
  { from, length, share }: { from: number; length: number; share: number },
): number[] {
  return Array.from({ length }, (_, index) => scale(counts[index + from] ?? 0, share));
}
