/** A value of a table: a number, a text, or nothing. */
export type Cell = string | number | null;

/** A chart with the table that says the same. */
export interface Picture {
  /** Names the chart, its table and its files. */
  title: string;
  labels: string[];
  series: { label: string; data: (number | null)[] }[];
  kind: "bar" | "line";
  isStacked?: boolean;
  isHorizontal?: boolean;
  /** Follows each number: "%". */
  unit?: string;
  columns: string[];
  rows: Cell[][];
}

/** Colours of series, the most important first; they repeat. */
export const pictureColors = [
  "signal.6",
  "teal.6",
  "orange.6",
  "grape.6",
  "cyan.7",
  "pink.6",
  "lime.7",
  "indigo.4",
  "yellow.7",
  "gray.6",
];

/** Returns the table of a picture as CSV. A text cannot become a formula in a spreadsheet. */
export function toCsv({ columns, rows }: Pick<Picture, "columns" | "rows">): string {
  return [columns, ...rows].map((row) => row.map(toCsvCell).join(",")).join("\r\n") + "\r\n";
}

function toCsvCell(value: Cell): string {
  if (typeof value !== "string") return String(value ?? "");
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
