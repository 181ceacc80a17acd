import { ApiError, describeDetails } from "../_shared/errors.ts";
import type { ParsedJson } from "../_shared/json.ts";
import { readEntry } from "../_shared/entries/read_entry.ts";
import type { TrackContext, TrackService } from "./service.ts";

/** Stores one entry and answers with its ids, after it is committed. */
export async function storeSingle(
  c: TrackContext,
  { batcher, now }: TrackService,
  { value, faults }: ParsedJson,
): Promise<Response> {
  const { workspaceId } = c.get("apiKey");
  const entry = readEntry(value, { workspaceId, receivedAt: now().getTime(), faults });
  if (!entry.ok) {
    const { code, details } = entry;
    throw new ApiError(code, describeDetails(details), { details });
  }
  const [result] = await batcher.add([entry.text]);
  if (result === undefined) throw new Error("Cannot answer: the database returned no result");
  if (!result.ok) throw new ApiError(result.code, result.error);
  return c.json(result);
}
