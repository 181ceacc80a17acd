import { checkHeaderName } from "../../../../supabase/functions/api/contract/header_rules.ts";

/** A header in the form of a destination. Its value is kept apart, and never stored. */
export interface HeaderRow {
  name: string;
  /** keep and remove only for a header that is stored. */
  change: "keep" | "replace" | "remove" | "add";
}

interface HeaderValues {
  headers: readonly HeaderRow[];
  /** Values at the positions of the rows. */
  header_values: readonly string[];
}

/** The row of a stored header, whose value nobody can read. */
export function storedHeader(name: string): HeaderRow {
  return { name, change: "keep" };
}

/** Returns the headers to send: null removes one, and those that are kept are left out. */
export function toHeaders({ headers, header_values }: HeaderValues): Record<string, string | null> {
  const changes: [name: string, value: string | null][] = [];
  for (const [index, { name, change }] of headers.entries()) {
    const value = header_values[index] ?? "";
    const isBlank = change === "add" && name.trim() === "" && value === "";
    if (change === "keep" || isBlank) continue;
    const wanted = name.trim();
    const isTaken = changes.some((other) => other[0] === wanted);
    changes.push([isTaken ? inOtherCase(wanted) : wanted, change === "remove" ? null : value]);
  }
  return Object.fromEntries(changes);
}

/** Writes a repeated name so that the api can see both, and refuse the second. */
function inOtherCase(name: string): string {
  return name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase();
}

/** The fault of a row, in a sentence. */
export interface HeaderError {
  /** The input to mark; neither for a header without inputs. */
  part: "name" | "value" | "neither";
  text: string;
}

/** Returns the error of the row at a position. */
export function errorOfHeader(
  errors: Readonly<Record<string, unknown>>,
  rows: readonly HeaderRow[],
  index: number,
): HeaderError | undefined {
  const { name, change } = rows[index]!;
  const wanted = name.trim();
  const lower = wanted.toLowerCase();
  const places = [`headers.${lower}`, `headers[${JSON.stringify(lower)}]`];
  const found = Object.entries(errors).find(([place]) => places.includes(place.toLowerCase()));
  if (found === undefined) return undefined;
  const message = String(found[1]).replace(/^Headers /, "");
  const isRepeated = rows.some((row, other) =>
    other !== index && row.name.trim().toLowerCase() === lower
  );
  const isName = checkHeaderName(wanted) !== undefined || isRepeated;
  if (!isName && (change === "add" || change === "replace")) {
    return { part: "value", text: `The value ${message}` };
  }
  const subject = wanted === "" ? "The header" : `"${wanted}"`;
  return { part: change === "add" ? "name" : "neither", text: `${subject} ${message}` };
}
