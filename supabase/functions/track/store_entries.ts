import type { IngestResult } from "../_shared/entries/ingest.ts";
import type { ReadEntry } from "../_shared/entries/read_entry.ts";
import { describeEveryDetail, type ErrorCode } from "../_shared/errors/errors.ts";
import { formatPath } from "../_shared/json/json.ts";
import type { EntryBatch } from "./bulk.ts";
import { markEffects } from "./mark_effects.ts";
import type { TrackContext, TrackService } from "./service.ts";

/** Result of one entry of a request with several. */
type EntryResult =
  | { index: number; ok: true; event_id: string; customer_id: string; duplicate?: true }
  | RefusedResult;

interface RefusedResult {
  index: number;
  ok: false;
  error: string;
  /** The same text, in Segment's format. */
  message?: string;
  code: ErrorCode;
  field?: string;
}

/**
 * Stores the valid entries, keeps the rejected ones with their errors, and returns results in
 * order.
 */
export async function storeEntries(
  c: TrackContext,
  { batcher, rejections }: TrackService,
  batch: EntryBatch,
): Promise<Response> {
  const { format, entries, read, slices } = batch;
  const { origin, envelope, rename, repeatsMessage } = format;
  const texts = markEffects(c, read.flatMap((entry) => entry.ok ? [entry.text] : []));
  const { workspaceId } = c.get("apiKey");
  const stored = texts.length === 0 ? [] : await batcher.add(workspaceId, texts, c.get("room"));
  const named = stored.map((one) => one.ok ? one : rename(one));
  const results = joinResults(read, named, envelope);
  const requestId = c.get("requestId");
  const refused = results.flatMap((result) => {
    if (result.ok) return [];
    const { index, code, error, field } = result;
    return [{ workspaceId, origin, entry: entries[index], code, error, field, requestId }];
  });
  await rejections.keep(refused, slices);
  const response = summarize(repeatsMessage ? results.map(repeatError) : results);
  const { accepted, duplicates, rejected } = response;
  Object.assign(c.get("fields"), { accepted, duplicates, rejected });
  return c.json(response);
}

/**
 * Combines the results in the order of the entries; each valid entry takes the next of `stored`.
 */
function joinResults(
  read: readonly ReadEntry[],
  stored: readonly IngestResult[],
  envelope: string,
): EntryResult[] {
  let next = 0;
  return read.map((entry, index) => {
    if (!entry.ok) {
      const { code, details } = entry;
      const field = details[0]?.field ?? "";
      return { index, ok: false, error: describeEveryDetail(details), code, field };
    }
    const result = stored[next++];
    if (result === undefined) throw new Error("Cannot respond: the database left out a result");
    if (result.ok) return { index, ...result };
    const path = [envelope, index, ...result.field === undefined ? [] : [result.field]];
    return { index, ...result, field: formatPath(path) };
  });
}

function repeatError(result: EntryResult): EntryResult {
  return result.ok ? result : { ...result, message: result.error };
}

function summarize(results: readonly EntryResult[]) {
  const duplicates = results.filter((result) => result.ok && result.duplicate === true).length;
  const rejected = results.filter((result) => !result.ok).length;
  return {
    ok: rejected === 0,
    accepted: results.length - duplicates - rejected,
    duplicates,
    rejected,
    results,
  };
}
