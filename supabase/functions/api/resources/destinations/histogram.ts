/** Attempts that took at least `fromMs`, and less than the next bucket's `fromMs`. */
export interface Bucket {
  fromMs: number;
  attempts: number;
  /** The longest attempt in the bucket. */
  maxMs: number;
}

/** Sorts buckets from the shortest attempts to the longest. */
export function sortBuckets(buckets: readonly Bucket[]): Bucket[] {
  return buckets.toSorted((a, b) => a.fromMs - b.fromMs);
}

/** Merges several histograms into one, sorted. */
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
 * Estimates a percentile from sorted buckets, in whole milliseconds. Interpolates within the bucket
 * that contains the attempt of that rank. Returns 0 without attempts.
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
