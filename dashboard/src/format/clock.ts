/** The clock of a zone at a moment, each part with all its digits. */
interface Clock {
  year: string;
  month: string;
  day: string;
  hour: string;
  minute: string;
  second: string;
  fractionalSecond: string;
}

const monthNames = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const formats = new Map<string, Intl.DateTimeFormat>();

/** Making one takes longer than a row of a list. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
  });
  formats.set(zone, made);
  return made;
}

function readClock(time: string | number, zone: string): Clock {
  const parts = formatOf(zone).formatToParts(new Date(time));
  return Object.fromEntries(parts.map(({ type, value }) => [type, value])) as unknown as Clock;
}

/** Formats a day by the clock of a zone: "3 Feb", with its year: "3 Feb 2026". */
export function formatDay(time: string | number, zone: string, withYear = true): string {
  const { year, month, day } = readClock(time, zone);
  const text = `${Number(day)} ${monthNames[Number(month) - 1]}`;
  return withYear ? `${text} ${year}` : text;
}

/** Formats the time of a day by the clock of a zone, as precisely as asked. */
export function formatClock(
  time: string | number,
  zone: string,
  precision: "minute" | "second" | "millisecond",
): string {
  const { hour, minute, second, fractionalSecond } = readClock(time, zone);
  if (precision === "minute") return `${hour}:${minute}`;
  const text = `${hour}:${minute}:${second}`;
  return precision === "second" ? text : `${text}.${fractionalSecond}`;
}

/** Returns a moment as fields have it, by the clock of a zone: "2026-11-23 14:05:00". */
export function toFieldTime(time: string | number, zone: string): string {
  return readFields(time, zone).slice(0, 19).replace("T", " ");
}

/** Returns the moment of a field's time by the clock of a zone, as the api writes it. */
export function fromFieldTime(local: string, zone: string): string {
  const wanted = Date.parse(`${local.replace(" ", "T")}Z`);
  const offsetAt = (ms: number) => Date.parse(readFields(ms, zone)) - ms;
  const guess = wanted - offsetAt(wanted);
  // The second look is for a clock that changes between the two.
  return new Date(wanted - offsetAt(guess)).toISOString();
}

/** The clock of a zone, written as if it were UTC. */
function readFields(time: string | number, zone: string): string {
  const { year, month, day, hour, minute, second, fractionalSecond } = readClock(time, zone);
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.${fractionalSecond}Z`;
}
