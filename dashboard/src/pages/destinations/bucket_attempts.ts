import type { Delivery } from "../../api/types.ts";

/** Attempts of one stretch of time. */
export interface AttemptBucket {
  at: string;
  delivered: number;
  failed: number;
  /** Mean of those that took a measured time; null without any. */
  duration_ms: number | null;
}

const BUCKETS = 24;

/** From the first to the last of the attempts, newest first. */
export function spanMs(attempts: Delivery[]): number {
  const newest = attempts[0];
  const oldest = attempts.at(-1);
  if (!newest || !oldest) return 0;
  return Date.parse(newest.attempted_at) - Date.parse(oldest.attempted_at);
}

/** Spreads attempts, newest first, over equal stretches of the time that they span. */
export function bucketAttempts(attempts: Delivery[]): AttemptBucket[] {
  const oldest = attempts.at(-1);
  if (!oldest) return [];
  const start = Date.parse(oldest.attempted_at);
  const widthMs = (spanMs(attempts) + 1) / BUCKETS;
  const groups = Array.from({ length: BUCKETS }, (): Delivery[] => []);
  for (const attempt of attempts) {
    groups[Math.floor((Date.parse(attempt.attempted_at) - start) / widthMs)]?.push(attempt);
  }
  return groups.map((group, index) => ({
    at: new Date(start + index * widthMs).toISOString(),
    delivered: group.filter(({ ok }) => ok).length,
    failed: group.filter(({ ok }) => !ok).length,
    duration_ms: meanDuration(group),
  }));
}

function meanDuration(attempts: Delivery[]): number | null {
  const durations = attempts.flatMap(({ duration_ms }) =>
    duration_ms === null ? [] : [duration_ms]
  );
  if (durations.length === 0) return null;
  return Math.round(durations.reduce((sum, each) => sum + each, 0) / durations.length);
}
