/** Attempts that took `fromMs` or longer, and less than the bucket after it begins with. */
export interface Bucket {
  fromMs: number;
  attempts: number;
  /** The longest of them. */
  maxMs: number;
}

/** Buckets from the shortest attempts to the longest. */
export function sortBuckets(buckets: readonly Bucket[]): Bucket[] {
  return buckets.toSorted((a, b) => a.fromMs - b.fromMs);
}

/** The attempts of several histograms in one, sorted. */
export function mergeBuckets(histograms: readonly (readonly Bucket[])[]): Bucket[] {
  const merged = new Map<number, Bucket>();
  for (const { fromMs, attempts, maxMs } of histograms.flat()) {
    const bucket = merged.get(fromMs) ?? { fromMs, attempts: 0, maxMs };
    bucket.attempts += attempts;
    bucket.maxMs = Math.max(bucket.maxMs, maxMs);
    merged.set(fromMs, bucket);
  }
  return sortBuckets([...merged.values()]);
}

export function countAttempts(buckets: readonly Bucket[]): number {
  return buckets.reduce((sum, { attempts }) => sum + attempts, 0);
}

/**
 * Of sorted buckets: what so many percent of the attempts took at most, in whole milliseconds: between the ends of the
 * bucket that the attempt of this rank is in, by its place in there. 0 without any attempt.
 */
export function estimatePercentile(buckets: readonly Bucket[], percent: number): number {
  const rank = Math.ceil(countAttempts(buckets) * percent / 100);
  let before = 0;
  for (const { fromMs, attempts, maxMs } of buckets) {
    if (rank <= before + attempts) {
      return Math.round(fromMs + (maxMs - fromMs) * (rank - before) / attempts);
    }
    before += attempts;
  }
  return 0;
}
