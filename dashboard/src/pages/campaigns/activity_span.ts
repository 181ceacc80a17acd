const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Longest span that is counted by hour. */
const longestByHourMs = 4 * dayMs;
/** Later opens and clicks are too few to change the picture. */
const longestMs = 30 * dayMs;

/** A span of time after the start of a campaign, and how it is divided. */
export interface ActivitySpan {
  since: string;
  until: string;
  interval: "hour" | "day";
}

/** Returns the time in which the mails of a campaign were sent and read: its first 30 days at most. */
export function spanOf(startedAt: string, now: number): ActivitySpan {
  const start = Date.parse(startedAt);
  const end = Math.max(start + 1, Math.min(now, start + longestMs));
  return {
    since: startedAt,
    until: new Date(end).toISOString(),
    interval: end - start <= longestByHourMs ? "hour" : "day",
  };
}

/** Returns whether a campaign has begun long ago enough to show it over time: the first hour is a dot. */
export function hasHistory(startedAt: string, now: number): boolean {
  return now - Date.parse(startedAt) >= hourMs;
}

/** Adds the hours that are missing in a day, so that the first hours do not fill the whole chart. */
export function fillDay(starts: readonly string[], { interval }: ActivitySpan): string[] {
  const last = Date.parse(starts.at(-1) ?? "");
  const missing = interval === "hour" ? Math.max(0, 24 - starts.length) : 0;
  const later = Array.from(
    { length: missing },
    (_, index) => new Date(last + (index + 1) * hourMs).toISOString(),
  );
  return [...starts, ...later];
}
