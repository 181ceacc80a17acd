import { profileFieldNames } from "../../../_shared/entries/profile.ts";
import type { SegmentMember } from "./member_queries.ts";

/** Formats of an export. */
export const exportFormats = {
  csv: { mediaType: "text/csv" },
  ndjson: { mediaType: "application/x-ndjson" },
} as const;

export type ExportFormat = keyof typeof exportFormats;

const columns = [
  "id",
  "external_id",
  ...profileFieldNames,
  "attributes",
  "created_at",
  "updated_at",
  "last_seen_at",
  "member_since",
] as const satisfies readonly (keyof SegmentMember)[];

/** Formats pages of members as text; a CSV begins with the names of its columns. */
export async function* formatMembers(
  format: ExportFormat,
  pages: AsyncIterable<readonly SegmentMember[]>,
): AsyncGenerator<string> {
  let head = format === "csv" ? `${columns.join(",")}\r\n` : "";
  const formatRow = format === "csv" ? formatCsvRow : formatJsonLine;
  for await (const rows of pages) {
    yield head + rows.map(formatRow).join("");
    head = "";
  }
}

function formatJsonLine(member: SegmentMember): string {
  return `${JSON.stringify(member)}\n`;
}

function formatCsvRow(member: SegmentMember): string {
  return `${columns.map((column) => formatCell(member[column])).join(",")}\r\n`;
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // Spreadsheets run cells that begin like a formula, also behind white space.
  const safe = /^\s*[=+\-@|\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",;\r\n\t']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
