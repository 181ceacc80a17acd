import type { Sql } from "../db/connect.ts";

/**
 * Returns the cells to which the workspaces of these keys or sources have moved, in order;
 * undefined where none has.
 *
 * @param addresses SHA-256 hashes of keys, or ids of sources, in hexadecimal digits
 */
export async function findMovedAddresses(
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
