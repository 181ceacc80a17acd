import dayjs from "dayjs";
import relativeTime from "dayjs/plugin/relativeTime";

dayjs.extend(relativeTime);

export function formatRelative(time: string): string {
  const seconds = dayjs().diff(time, "second");
  if (Math.abs(seconds) < 5) return "just now";
  if (seconds > 0 && seconds < 60) return `${seconds} s ago`;
  if (seconds < 0 && seconds > -60) return `in ${-seconds} s`;
  return dayjs(time).fromNow();
}

/** To the millisecond, in the reader's own zone and in UTC. */
export function formatExact(time: string): string {
  const moment = dayjs(time);
  return `${moment.format("D MMM YYYY, HH:mm:ss.SSS")} (${new Date(time).toISOString()})`;
}

export function formatShort(time: string): string {
  return dayjs(time).format("D MMM YYYY, HH:mm");
}

/** 340 → "340 ms", 4210 → "4.2 s". */
export function formatDuration(durationMs: number): string {
  return durationMs < 1000 ? `${durationMs} ms` : `${(durationMs / 1000).toFixed(1)} s`;
}
