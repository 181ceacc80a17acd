/**
 * Finds the name that somebody probably meant: the most similar one, if at most one letter in three
 * differs.
 */
export function findNearName(written: string, names: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(written.length / 3));
  const [nearest] = names
    .filter((name) => Math.abs(name.length - written.length) <= most)
    .map((name) => ({ name, changes: countChanges(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ changes }) => changes <= most)
    .sort((one, other) => one.changes - other.changes);
  return nearest?.name;
}

/** Counts the letters to add, remove, replace or swap with the next until one text is the other. */
function countChanges(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let line = 1; line <= from.length; line++) {
    const [above, row] = [rows[line - 1]!, [line]];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[line - 1] === to[column - 1];
      const isSwapped = from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1];
      row.push(Math.min(
        above[column - 1]! + (isSame ? 0 : 1),
        above[column]! + 1,
        row[column - 1]! + 1,
        isSwapped ? rows[line - 2]![column - 2]! + 1 : Infinity,
      ));
    }
    rows.push(row);
  }
  return rows[from.length]![to.length]!;
}
