import dayjs from "dayjs";

const UNITS = [
  { seconds: 86_400, name: "d" },
  { seconds: 3_600, name: "h" },
  { seconds: 60, name: "min" },
  { seconds: 1, name: "s" },
] as const;
const LONGEST_DAYS = 30;

/** "just now", "12 s ago", "in 3 h"; after a month the day itself. */
export function formatRelative(time: string): string {
  const seconds = dayjs().diff(time, "second");
  const distance = Math.abs(seconds);
  if (distance < 5) return "just now";
  if (distance > LONGEST_DAYS * 86_400) return dayjs(time).format("D MMM YYYY");
  const unit = UNITS.find((each) => distance >= each.seconds) ?? UNITS[3];
  const count = `${Math.floor(distance / unit.seconds)} ${unit.name}`;
  return seconds > 0 ? `${count} ago` : `in ${count}`;
}

/** To the millisecond, in the reader's own zone. */
export function formatLocal(time: string): string {
  return dayjs(time).format("D MMM YYYY, HH:mm:ss.SSS");
}

/** As `formatLocal`, and in UTC. */
export function formatExact(time: string): string {
  return `${formatLocal(time)} (${new Date(time).toISOString()})`;
}

export function formatShort(time: string): string {
  return dayjs(time).format("D MMM YYYY, HH:mm");
}

/** Whether a moment that something waits for has come. */
export function isPast(time: string): boolean {
  return Date.parse(time) <= Date.now();
}

/** 340 → "340 ms", 4210 → "4.2 s". */
export function formatDuration(durationMs: number): string {
  return durationMs < 1000 ? `${durationMs} ms` : `${(durationMs / 1000).toFixed(1)} s`;
}
