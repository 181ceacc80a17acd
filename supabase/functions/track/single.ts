import type { ReadEntry } from "../_shared/entries/read_entry.ts";
import { readSent, type WireFormat } from "../_shared/entries/wire_format.ts";
import type { JsonFault } from "../_shared/json/json.ts";
import {
  ApiError,
  describeDetails,
  describeEveryDetail,
  unavailable,
} from "../_shared/errors/errors.ts";
import type { Slices } from "../_shared/event_loop/slices.ts";
import type { FindOffset } from "./bulk.ts";
import { markEffects } from "./mark_effects.ts";
import type { TrackContext, TrackService } from "./service.ts";

/** One entry of a request, read. */
export interface SingleEntry {
  format: WireFormat;
  /** The entry as sent, completed. */
  entry: unknown;
  read: ReadEntry;
  slices: Slices;
}

/** One entry of a request as sent. */
export interface SentEntry extends Omit<SingleEntry, "read"> {
  faults: readonly JsonFault[];
  /** @default no offset */
  findOffset?: FindOffset;
}

/** Reads the one entry of a request. */
export function readSingle(
  c: TrackContext,
  { now }: TrackService,
  { format, entry, faults, findOffset, slices }: SentEntry,
): SingleEntry {
  const { workspaceId } = c.get("apiKey");
  const receivedAt = now().getTime();
  const offsetMs = findOffset?.(entry, receivedAt) ?? 0;
  const read = readSent(format, entry, { workspaceId, receivedAt, faults, offsetMs });
  return { format, entry, read, slices };
}

/**
 * Stores an entry and returns its ids after the commit; or stores the rejected entry with the error
 * that its caller receives.
 */
export async function storeEntry(
  c: TrackContext,
  { batcher, rejections }: TrackService,
  { format, entry, read, slices }: SingleEntry,
): Promise<Response> {
  const { workspaceId } = c.get("apiKey");
  const refuse = async (error: ApiError, field: string | undefined): Promise<never> => {
    const { code, details } = error;
    // The caller gets the details next to the sentence; they are not stored.
    const message = details === undefined ? error.message : describeEveryDetail(details);
    const { origin } = format;
    const requestId = c.get("requestId");
    const refused = { workspaceId, origin, entry, code, error: message, field, requestId };
    await rejections.keep([refused], slices);
    throw error;
  };
  if (!read.ok) {
    const { code, details } = read;
    const error = new ApiError(code, describeDetails(details), { details });
    return await refuse(error, details[0]?.field);
  }
  const [result] = await batcher.add(workspaceId, markEffects(c, [read.text]), c.get("room"));
  if (result === undefined) throw new Error("Cannot respond: the database returned no result");
  if (!result.ok) {
    const { code, error, field } = format.rename(result);
    // The caller sends it again: an entry that was kept would be stored twice.
    if (code === "unavailable") throw unavailable(error);
    return await refuse(new ApiError(code, error), field);
  }
  return c.json(result);
}
