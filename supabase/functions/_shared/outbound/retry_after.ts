const seconds = /^\d+$/;

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

// The three forms of RFC 9110, 5.6.7. Date.parse would also accept "in 5 minutes" as May 2001.
const httpDates = [
  /^[A-Z][a-z]{2}, (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]+day, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/,
];

/**
 * Returns the wait that a `Retry-After` header asks for from `now`, in milliseconds: seconds or an
 * HTTP date. 0 without a header, for a past time and for invalid values. There is no upper limit.
 */
export function parseRetryAfter(header: string | null, now: Date): number {
  const text = header?.trim() ?? "";
  if (seconds.test(text)) return Number(text) * 1_000;
  const time = parseHttpDate(text, now);
  return time === null ? 0 : Math.max(0, time - now.getTime());
}

function parseHttpDate(text: string, now: Date): number | null {
  const parts = httpDates.map((form) => form.exec(text)?.groups).find(Boolean);
  if (parts === undefined) return null;
  const { day, month, year, time } = parts as Record<"day" | "month" | "year" | "time", string>;
  const monthNumber = months.indexOf(month) + 1;
  const fullYear = year.length === 4 ? year : expandYear(Number(year), now);
  const iso = `${fullYear}-${pad(monthNumber)}-${pad(day.trim())}T${time}Z`;
  const parsed = Date.parse(iso);
  return Number.isNaN(parsed) ? null : parsed;
}

/** RFC 9110: a two-digit year over 50 years ahead is in the past. */
function expandYear(year: number, now: Date): number {
  const century = Math.floor(now.getUTCFullYear() / 100) * 100;
  const expanded = century + year;
  return expanded > now.getUTCFullYear() + 50 ? expanded - 100 : expanded;
}

function pad(value: string | number): string {
  return String(value).padStart(2, "0");
}
