import type { Door } from "../_shared/entries/rejected_entries.ts";
import { type ReadEntry, readEntry } from "../_shared/entries/read_entry.ts";
import { ApiError, describeDetails } from "../_shared/platform/errors.ts";
import type { ParsedJson } from "../_shared/json/json.ts";
import { renameRefused } from "../_shared/segment/read_message.ts";
import type { Slices } from "../_shared/platform/slices.ts";
import type { TrackContext, TrackService } from "./service.ts";

/** The one entry of a body. */
export function readSingle(
  c: TrackContext,
  { now }: TrackService,
  { value, faults, slices }: ParsedJson & { slices: Slices },
): SingleEntry {
  const { workspaceId } = c.get("apiKey");
  const read = readEntry(value, { workspaceId, receivedAt: now().getTime(), faults });
  return { door: "track", entry: value, read, slices };
}

/** The one entry of a request: as it was sent, and what it was read as. */
export interface SingleEntry {
  door: Door;
  entry: unknown;
  read: ReadEntry;
  slices: Slices;
}

/**
 * Stores an entry and answers with its ids, after it is committed; or keeps it with the reason that
 * its caller is told.
 */
export async function storeEntry(
  c: TrackContext,
  { batcher, rejections }: TrackService,
  { door, entry, read, slices }: SingleEntry,
): Promise<Response> {
  const refuse = async (error: ApiError, field: string | undefined): Promise<never> => {
    const { code, message } = error;
    const { workspaceId } = c.get("apiKey");
    const requestId = c.get("requestId");
    const refused = { workspaceId, door, entry, code, error: message, field, requestId };
    await rejections.keep([refused], slices);
    throw error;
  };
  if (!read.ok) {
    const { code, details } = read;
    return await refuse(
      new ApiError(code, describeDetails(details), { details }),
      details[0]?.field,
    );
  }
  const [result] = await batcher.add(c.get("apiKey").workspaceId, [read.text]);
  if (result === undefined) throw new Error("Cannot answer: the database returned no result");
  if (!result.ok) {
    const { code, error, field } = door === "segment" ? renameRefused(result) : result;
    return await refuse(new ApiError(code, error), field);
  }
  return c.json(result);
}
