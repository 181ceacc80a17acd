/**
 * Returns the value that this share of the values do not exceed (nearest rank), or NaN for an empty
 * list.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

/** Returns the lower median, or NaN for an empty list. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
