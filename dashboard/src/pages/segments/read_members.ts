import { readCsv } from "../../../../supabase/functions/api/contract/read_csv.ts";

/** Customers that a file names, as the api takes them. */
export interface NamedMembers {
  customer_ids: string[];
  external_ids: string[];
  emails: string[];
}

/** Columns of a file that name a customer, the first of them that has a value counts. */
const columns: readonly [name: string, list: keyof NamedMembers][] = [
  ["customer_id", "customer_ids"],
  ["id", "customer_ids"],
  ["external_id", "external_ids"],
  ["email", "emails"],
];

/**
 * Reads the customers of a CSV file, such as an export. Each line counts once.
 *
 * @throws {Error} if the first line names no column of customers.
 */
export function readMembers(csv: string): NamedMembers {
  const [head, ...rows] = readCsv(csv);
  const names = head?.fields.map((name) => name.trim().toLowerCase()) ?? [];
  const known = columns.filter(([name]) => names.includes(name));
  if (known.length === 0) {
    const wanted = columns.map(([name]) => `"${name}"`).join(", ");
    throw new Error(`Cannot read the file: its first line must name one of ${wanted}`);
  }
  const members: NamedMembers = { customer_ids: [], external_ids: [], emails: [] };
  for (const { fields } of rows) {
    const column = known.find(([name]) => fields[names.indexOf(name)]?.trim());
    if (!column) continue;
    const [name, list] = column;
    // An export writes an apostrophe before what a spreadsheet would run as a formula.
    members[list].push(fields[names.indexOf(name)]!.trim().replace(/^'(?=[=+\-@])/, ""));
  }
  return members;
}

/** Divides customers into calls of at most so many. */
export function divideMembers(members: NamedMembers, most: number): NamedMembers[] {
  const all = (Object.keys(members) as (keyof NamedMembers)[])
    .flatMap((list) => members[list].map((value) => ({ list, value })));
  const parts: NamedMembers[] = [];
  for (let start = 0; start < all.length; start += most) {
    const part: NamedMembers = { customer_ids: [], external_ids: [], emails: [] };
    for (const { list, value } of all.slice(start, start + most)) part[list].push(value);
    parts.push(part);
  }
  return parts;
}
