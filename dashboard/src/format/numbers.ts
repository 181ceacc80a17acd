const whole = new Intl.NumberFormat("en");
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** Formats a count: "12,345", "1.2M". */
export function formatCount(count: number): string {
  return count < 100_000 ? whole.format(count) : compact.format(count);
}

/** Formats a number without shortening it: "200,000". */
export function formatWhole(count: number): string {
  return whole.format(count);
}

const decimalFormats = new Map<string, Intl.NumberFormat>();
const scientific = new Intl.NumberFormat("en", {
  notation: "scientific",
  maximumFractionDigits: 3,
});

/** Formats a number with so many decimals: "1,234.50". Huge and tiny ones have an exponent. */
export function formatDecimal(
  number: number,
  { least, most }: { least: number; most: number },
): string {
  const size = Math.abs(number);
  if (size >= 1e15 || (size > 0 && size < 1e-6)) return scientific.format(number);
  const key = `${least} ${most}`;
  let format = decimalFormats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat("en", {
      minimumFractionDigits: least,
      maximumFractionDigits: most,
    });
    decimalFormats.set(key, format);
  }
  return format.format(number);
}

/** Returns the number of decimals that show all of these numbers alike: 0 for whole ones. */
export function chooseDecimals(numbers: readonly number[]): number {
  if (numbers.every(Number.isInteger)) return 0;
  const largest = numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
  // Two significant digits of the largest, and cents at least.
  return largest >= 0.1 ? 2 : Math.min(8, 1 - Math.floor(Math.log10(largest)));
}

/** Formats a share of a total as a percentage, which is 100% only when nothing is missing. */
export function formatShare(part: number, total: number): string {
  if (total === 0) return "–";
  const percent = (part / total) * 100;
  return `${percent > 99.9 && part < total ? "99.9" : Number(percent.toFixed(1))}%`;
}

/** Formats a count with its noun: "1 event", "3 events". */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** Formats a size with binary units: "1 GiB", "1.5 MiB", "300 B". */
export function formatBytes(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`;
}
