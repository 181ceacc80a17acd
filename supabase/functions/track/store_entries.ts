import type { Door } from "../_shared/entries/rejected_entries.ts";
import type { IngestResult } from "../_shared/entries/ingest.ts";
import type { ReadEntry } from "../_shared/entries/read_entry.ts";
import { describeDetails, type ErrorCode } from "../_shared/platform/errors.ts";
import { formatPath } from "../_shared/json/json.ts";
import { renameRefused } from "../_shared/segment/read_message.ts";
import type { Slices } from "../_shared/platform/slices.ts";
import type { TrackContext, TrackService } from "./service.ts";

/** What became of one entry of a request with several. */
type EntryResult =
  | { index: number; ok: true; event_id: string; customer_id: string; duplicate?: true }
  | RefusedResult;

interface RefusedResult {
  index: number;
  ok: false;
  error: string;
  /** The same sentence, where Segment's format has it. */
  message?: string;
  code: ErrorCode;
  field?: string;
}

/** The entries of a request with several. */
export interface EntryBatch {
  door: Door;
  /** Name of the array that held them. */
  envelope: string;
  /** As they were sent. */
  entries: readonly unknown[];
  /** What they were read as, in the same order. */
  read: readonly ReadEntry[];
  slices: Slices;
}

/** Stores the good entries, keeps the bad ones with their reasons, and answers each in order. */
export async function storeEntries(
  c: TrackContext,
  { batcher, rejections }: TrackService,
  batch: EntryBatch,
): Promise<Response> {
  const { door, envelope, entries, read, slices } = batch;
  const texts = read.flatMap((entry) => entry.ok ? [entry.text] : []);
  const { workspaceId } = c.get("apiKey");
  const stored = texts.length === 0 ? [] : await batcher.add(workspaceId, texts);
  const named = door === "segment"
    ? stored.map((one) => one.ok ? one : renameRefused(one))
    : stored;
  const results = joinResults(read, named, envelope);
  const requestId = c.get("requestId");
  const refused = results.flatMap((result) => {
    if (result.ok) return [];
    const { index, code, error, field } = result;
    return [{ workspaceId, door, entry: entries[index], code, error, field, requestId }];
  });
  await rejections.keep(refused, slices);
  const answer = summarize(door === "segment" ? results.map(repeatError) : results);
  const { accepted, duplicates, rejected } = answer;
  Object.assign(c.get("fields"), { accepted, duplicates, rejected });
  return c.json(answer);
}

/** The results in the order of the entries: each stored one takes the next of `stored`. */
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
      return { index, ok: false, error: describeDetails(details), code, field };
    }
    const result = stored[next++];
    if (result === undefined) throw new Error("Cannot answer: the database left out a result");
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
