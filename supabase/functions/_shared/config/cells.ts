/**
 * The cell of keys and source ids that name none. Its database also holds Auth and the directory of
 * the workspaces in other cells.
 */
export const firstCell = "00";

/** Two hexadecimal digits, so that a cell fits into an id. */
export const cellForm = /^[0-9a-f]{2}$/;

/** One value per cell, by the cell's id. */
export type Cells<Value> = ReadonlyMap<string, Value>;

/** Creates one value per cell. */
export function mapCells<Value, Result>(
  cells: Cells<Value>,
  create: (value: Value, id: string) => Result,
): Cells<Result> {
  return new Map([...cells].map(([id, value]) => [id, create(value, id)]));
}

/** Returns the value of the first cell. */
export function firstOf<Value>(cells: Cells<Value>): Value {
  return cells.get(firstCell)!;
}
