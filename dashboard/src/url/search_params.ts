import { isReadable } from "./range.ts";

/**
 * Parses filters as plain text, so that people can read and edit them in the address. A text
 * in the place of a time is left out.
 */
export function parseSearch(text: string): Record<string, string> {
  const params = [...new URLSearchParams(text)];
  return Object.fromEntries(params.filter(([name, value]) => isReadable(name, value)));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== "") params.set(name, String(value));
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** Returns a function that reads these filters, and nothing else, from a page's address. */
export function readFilters<const Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): { [key in Name]?: string } => {
    const filters: { [key in Name]?: string } = {};
    for (const name of names) {
      const value = search[name];
      if (typeof value === "string" && value !== "") filters[name] = value;
    }
    return filters;
  };
}
