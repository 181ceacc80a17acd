import { isMoving } from "../_shared/db/errors.ts";
import type { Cells } from "../_shared/config/cells.ts";
import { unavailable } from "../_shared/errors/errors.ts";
import { readSourceCell } from "../_shared/sources/source_ids.ts";
import type { InboundService } from "./service.ts";
import type { Source } from "./source_book.ts";

/** A source and the services of its cell. */
export interface FoundSource {
  source: Source;
  service: InboundService;
}

/** Finds sources in the cell of their workspace, which the id of the source names. */
export interface SourceFinder {
  /** Returns the source; undefined if it is unknown, disabled, malformed or of an unknown cell. */
  find(id: string): Promise<FoundSource | undefined>;
  /** Forgets the source if the error says that its workspace is being moved. */
  noteError(id: string, error: unknown): void;
}

/** Creates a finder. It follows a workspace that moved to another cell. */
export function createSourceFinder(cells: Cells<InboundService>): SourceFinder {
  function forget(id: string): void {
    for (const { sources } of cells.values()) sources.forget(id);
  }

  return {
    async find(id) {
      let cell = readSourceCell(id);
      // A workspace that moved back and forth may be cached in both cells.
      for (let hop = 0; hop <= cells.size; hop++) {
        const service = cells.get(cell);
        await service?.checkRole();
        const source = await service?.sources.find(id);
        if (service === undefined || source === undefined) return undefined;
        if (!("movedTo" in source)) return { source, service };
        cell = source.movedTo;
      }
      forget(id);
      throw unavailable("Workspace is being moved: nothing was stored");
    },
    noteError(id, error) {
      if (isMoving(error)) forget(id);
    },
  };
}
