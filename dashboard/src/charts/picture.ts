/** A value of a table: a number, a text, or nothing. */
export type Cell = string | number | null;

/** The page of the workspace to which a cell leads. */
export interface CellLink {
  path: string;
  search: Record<string, string>;
  title: string;
}

/** A chart with the table that says the same. */
export interface Picture {
  /** Names the chart, its table and its files. */
  title: string;
  /** The figure that answers the question first: "1,234 events". */
  answer?: string;
  labels: string[];
  series: { label: string; data: (number | null)[] }[];
  kind: "bar" | "line";
  /** Drawn instead of the series. */
  flow?: Flow;
  isStacked?: boolean;
  isHorizontal?: boolean;
  /** The end of the axis of numbers. @default a round number above the largest */
  most?: number;
  /** A text on each bar, and a shorter one for a narrow chart. */
  barTexts?: { long: string; short: string }[];
  /** The last interval has not ended, and can still grow. */
  isUnfinished?: boolean;
  /** The number of decimals of each number. @default 0 */
  decimals?: number;
  /** Follows each number: "%". */
  unit?: string;
  columns: string[];
  /** The number of columns before the numbers. @default 1 */
  nameColumns?: number;
  rows: Cell[][];
  /** The links of cells, in the places of the rows. */
  links?: (CellLink | undefined)[][];
  /** The shade of each cell of the rows, from 0 to 1. */
  shades?: number[][];
  /** True if the first row has the totals. */
  hasTotals?: boolean;
}

/** Streams between places that stand in columns. */
export interface Flow {
  /** Headings of the columns. */
  headings: string[];
  places: FlowPlace[];
  /** Between the keys of places. */
  streams: { from: string; to: string; count: number }[];
}

interface FlowPlace {
  key: string;
  label: string;
  /** Index of the column. */
  column: number;
  count: number;
  /** A colour of the theme. */
  color: string;
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
