import type { Sql } from "../db/connect.ts";

/** The cell to which a workspace has moved. */
export interface Moved {
  movedTo: string;
}

/** Keys to look up in a cell. */
export interface RedirectingLookup<Key, Row> {
  sql: Sql;
  keys: readonly Key[];
  /** Finds the rows of keys, in order. */
  find: (keys: readonly Key[]) => Promise<readonly (Row | undefined)[]>;
  /** Returns the address of a key, as `findMovedAddresses` expects it. */
  addressOf: (key: Key) => string;
}

/**
 * Looks keys up in a cell. For keys that are not there, finds the cell to which they have moved.
 */
export async function findOrRedirect<Key, Row>(
  { sql, keys, find, addressOf }: RedirectingLookup<Key, Row>,
): Promise<(Row | Moved | undefined)[]> {
  const rows: (Row | Moved | undefined)[] = [...await find(keys)];
  const listMissing = () => rows.flatMap((row, i) => row === undefined ? [i] : []);
  const absent = listMissing();
  if (absent.length === 0) return rows;
  const cells = await findMovedAddresses(sql, absent.map((i) => addressOf(keys[i]!)));
  for (const [n, i] of absent.entries()) {
    const movedTo = cells[n];
    if (movedTo !== undefined) rows[i] = { movedTo };
  }
  // A key that moved back between the two statements was in neither result.
  const left = listMissing();
  if (left.length === 0) return rows;
  const found = await find(left.map((i) => keys[i]!));
  for (const [n, i] of left.entries()) rows[i] = found[n];
  return rows;
}

/**
 * Returns the cells to which the workspaces of these keys or sources have moved, in order;
 * undefined where none has.
 *
 * @param addresses SHA-256 hashes of keys, or ids of sources, in hexadecimal digits
 */
async function findMovedAddresses(
  sql: Sql,
  addresses: readonly string[],
): Promise<(string | undefined)[]> {
  const literal = `{${addresses.map((hex) => `"\\\\x${hex}"`).join()}}`;
  const rows = await sql<{ address: string; cell: string }[]>`
    select encode(m.address, 'hex') as address, m.cell
    from private.find_moved_addresses(${literal}::text::bytea[]) as m
  `;
  const cells = new Map(rows.map(({ address, cell }) => [address, cell]));
  return addresses.map((hex) => cells.get(hex));
}
