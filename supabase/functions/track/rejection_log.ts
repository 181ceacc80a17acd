import {
  cutEntry,
  type Origin,
  rejectEntries,
  type Rejection,
  toStorableText,
} from "../_shared/entries/rejected_entries.ts";
import type { Sql } from "../_shared/db/connect.ts";
import type { ErrorCode } from "../_shared/errors/errors.ts";
import { errorFields, type Log } from "../_shared/log/log.ts";
import { mapSteps, runInSlices, type Slices } from "../_shared/event_loop/slices.ts";

/** A rejected entry that was reported to its caller. */
export interface RefusedCall {
  workspaceId: string;
  origin: Origin;
  /** The entry as sent. */
  entry: unknown;
  code: ErrorCode;
  error: string;
  field?: string | undefined;
  requestId: string;
}

export interface RejectionLog {
  /**
   * Stores rejected entries; resolves once they are stored or dropped. It never fails: the caller
   * has received the errors, and the valid entries are stored.
   */
  keep(refused: readonly RefusedCall[], slices: Slices): Promise<void>;
}

// Beyond this limit, rejected entries are reported to their caller but not stored.
const maxCharactersWaiting = 16_000_000;

/**
 * Creates a log of rejected entries: entries that arrive during a statement go with the next one.
 */
export function createRejectionLog({ sql, log }: { sql: Sql; log: Log }): RejectionLog {
  let waiting: string[] = [];
  let characters = 0;
  let next: Promise<void> | undefined;
  let underWay: Promise<void> = Promise.resolve();

  async function writeAll(): Promise<void> {
    await underWay;
    const rejections = waiting;
    waiting = [];
    characters = 0;
    next = undefined;
    underWay = rejectEntries(sql, rejections).catch((error) => giveUp(rejections.length, error));
    await underWay;
  }

  async function add(refused: readonly RefusedCall[], slices: Slices): Promise<void> {
    const added = await runInSlices(mapSteps(refused, writeRejection), slices);
    const more = added.reduce((sum, text) => sum + text.length, 0);
    if (characters + more > maxCharactersWaiting) {
      return giveUp(refused.length, "too many waiting");
    }
    characters += more;
    waiting.push(...added);
    next ??= writeAll();
    await next;
  }

  function giveUp(count: number, error: unknown): void {
    log.warn("rejected entries not kept", { count, ...errorFields(error) });
  }

  return {
    async keep(refused, slices) {
      if (refused.length === 0) return;
      await add(refused, slices).catch((error) => giveUp(refused.length, error));
    },
  };
}

function writeRejection({ workspaceId, entry, requestId, ...refused }: RefusedCall): string {
  const rejection: Rejection = {
    workspace_id: workspaceId,
    ...cutEntry(entry),
    ...refused,
    request_id: requestId,
  };
  return toStorableText(rejection);
}
