import { cellForm, firstCell } from "../config/cells.ts";
import { createUuidV7 } from "../ids/uuid_v7.ts";

const versionAt = 14;
const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Creates the id of a source: a version 7 UUID of that millisecond, but of version 8, with the two
 * digits of the cell behind the version.
 */
export function createSourceId(cell: string, at: Date): string {
  if (!cellForm.test(cell)) throw new Error(`Cannot create source id: "${cell}" is not a cell`);
  const id = createUuidV7(at);
  return `${id.slice(0, versionAt)}8${cell}${id.slice(versionAt + 3)}`;
}

/** Returns the cell that a source id names; the first cell for one of another version. */
export function readSourceCell(id: string): string {
  return idForm.test(id) ? id.slice(versionAt + 1, versionAt + 3) : firstCell;
}
