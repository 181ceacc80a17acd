import type { CellDatabases } from "../db/connect.ts";
import { isMoving } from "../db/errors.ts";
import { createRoleCheck } from "../db/role_check.ts";
import type { Cells } from "../config/cells.ts";
import { unauthorized, unavailable } from "../errors/errors.ts";
import { authenticateKeys, authenticateOrRedirectKeys } from "./api_keys.ts";
import { type ApiKey, createKeyring, type Keyring } from "./auth.ts";
import { readKeyCell } from "./keys.ts";

/** The parts of a cell that authenticate keys. */
export interface KeyCell {
  keyring: Keyring;
  /** Checks the database role of the cell, once. */
  checkRole: () => Promise<void> | undefined;
}

/** Creates the parts of the cell behind `sql`. With a single cell, no key has moved. */
export function createKeyCell(
  { sql, otherCells, now }: CellDatabases & { now: () => Date },
): KeyCell {
  const isSingle = (otherCells?.size ?? 0) === 0;
  const lookUp = isSingle ? authenticateKeys : authenticateOrRedirectKeys;
  return {
    keyring: createKeyring({ now, lookUp: (hashes) => lookUp(sql, hashes) }),
    checkRole: createRoleCheck(sql),
  };
}

/** A live key and the cell of its workspace. */
export interface CellKey<Cell> {
  key: ApiKey;
  cell: Cell;
}

/** Authenticates keys in the cell of their workspace, which the key itself names. */
export interface CellKeyring<Cell> {
  /**
   * Returns the live key with its cell. A key that names an unknown cell costs no statement.
   *
   * @throws {ApiError} `unauthorized`, as `Keyring` does; `unavailable` while the workspace moves
   */
  authenticate(key: string): Promise<CellKey<Cell>>;
  /** Forgets the key if the error says that its workspace is being moved. */
  noteError(key: string, error: unknown): void;
}

/** Creates a keyring of several cells. It follows a workspace that moved to another cell. */
export function createCellKeyring<Cell extends KeyCell>(cells: Cells<Cell>): CellKeyring<Cell> {
  function forget(key: string): void {
    for (const { keyring } of cells.values()) keyring.forget(key);
  }

  return {
    async authenticate(text) {
      let id = readKeyCell(text);
      // A workspace that moved back and forth may be cached in both cells.
      for (let hop = 0; hop <= cells.size; hop++) {
        const cell = cells.get(id);
        if (cell === undefined) {
          throw unauthorized("API key is malformed, unknown, expired or revoked");
        }
        await cell.checkRole();
        const key = await cell.keyring.authenticate(text);
        if (key.movedTo === undefined) return { key, cell };
        id = key.movedTo;
      }
      forget(text);
      throw unavailable("Workspace is being moved: nothing was stored");
    },
    noteError(key, error) {
      if (isMoving(error)) forget(key);
    },
  };
}
