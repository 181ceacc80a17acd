/** Formats of an export, with their media types. */
export const exportFormats = {
  csv: { mediaType: "text/csv" },
  ndjson: { mediaType: "application/x-ndjson" },
} as const;

export type ExportFormat = keyof typeof exportFormats;
type Row = Readonly<Record<string, unknown>>;

/** Formats pages of rows as text; a CSV begins with the names of its columns. */
export async function* formatRows(
  { format, columns }: { format: ExportFormat; columns: readonly string[] },
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  let head = format === "csv" ? `${columns.join(",")}\r\n` : "";
  const formatRow = format === "csv" ? (row: Row) => formatCsvRow(row, columns) : formatJsonLine;
  for await (const rows of pages) {
    yield head + rows.map(formatRow).join("");
    head = "";
  }
}

function formatJsonLine(row: Row): string {
  return `${JSON.stringify(row)}\n`;
}

function formatCsvRow(row: Row, columns: readonly string[]): string {
  return `${columns.map((column) => formatCell(row[column])).join(",")}\r\n`;
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // Spreadsheets run cells that begin like a formula, even after white space.
  const safe = /^\s*[=+\-@|\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",;\r\n\t']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
