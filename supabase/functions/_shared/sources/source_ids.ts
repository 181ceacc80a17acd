import { cellForm, firstCell } from "../config/cells.ts";
import { crc32 } from "../ids/crc32.ts";
import { createUuidV7 } from "../ids/uuid_v7.ts";

const cellAt = 15;
const checksumAt = 28;

/**
 * Creates the id of a source: a version 7 UUID of that millisecond, with the two digits of the cell
 * behind the version, and the CRC-32 of the rest at the end.
 */
export function createSourceId(cell: string, at: Date): string {
  if (!cellForm.test(cell)) throw new Error(`Cannot create source id: "${cell}" is not a cell`);
  const id = createUuidV7(at);
  const body = id.slice(0, cellAt) + cell + id.slice(cellAt + cell.length, checksumAt);
  return body + checksum(body);
}

/** Returns the cell that a source id names; the first cell for one without the checksum. */
export function readSourceCell(id: string): string {
  const hasCell = id.slice(checksumAt) === checksum(id.slice(0, checksumAt));
  return hasCell ? id.slice(cellAt, cellAt + firstCell.length) : firstCell;
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, "0");
}
