import type { IngestResult } from "../_shared/db/ingest.ts";
import { describeDetails, type ErrorCode, invalidInput } from "../_shared/errors.ts";
import { describeFaults, formatPath, type ParsedJson } from "../_shared/json.ts";
import { showRateLimit } from "../_shared/key_guard.ts";
import { type ReadEntry, readEntry } from "../_shared/entries/read_entry.ts";
import { bulkSchema } from "../_shared/entries/schemas.ts";
import type { TrackContext, TrackService } from "./service.ts";
import { validate } from "../_shared/entries/validate.ts";

/** What became of one entry of a bulk request. */
type BulkResult =
  | { index: number; ok: true; event_id: string; customer_id: string; duplicate?: true }
  | { index: number; ok: false; error: string; code: ErrorCode; field?: string };

/** Stores the good entries of a bulk request and answers each, after they are committed. */
export async function storeBulk(
  c: TrackContext,
  service: TrackService,
  body: ParsedJson,
): Promise<Response> {
  const { workspaceId } = c.get("apiKey");
  const entries = readEnvelope(body);
  await takeForRest(c, service, entries.length - 1);
  const faults = Map.groupBy(body.faults, ({ path }) => path[1]);
  const receivedAt = service.now().getTime();
  const read = entries.map((value, i) =>
    readEntry(value, { workspaceId, receivedAt, path: ["events", i], faults: faults.get(i) ?? [] })
  );
  const texts = read.flatMap((entry) => entry.ok ? [entry.text] : []);
  const stored = texts.length === 0 ? [] : await service.batcher.add(texts);
  const body200 = summarize(joinResults(read, stored));
  const { accepted, duplicates, rejected } = body200;
  Object.assign(c.get("fields"), { accepted, duplicates, rejected });
  return c.json(body200);
}

function readEnvelope({ value, faults }: ParsedJson): unknown[] {
  const envelope = validate(bulkSchema, value);
  if (!envelope.ok) throw invalidInput(envelope.details);
  const outside = faults.filter(({ path }) => path.length < 2);
  if (outside.length > 0) throw invalidInput(describeFaults(outside));
  return envelope.value.events;
}

/** One token was taken before the body was read; a bulk that is refused keeps none. */
async function takeForRest(
  c: TrackContext,
  { limiter }: TrackService,
  count: number,
): Promise<void> {
  const { workspaceId } = c.get("apiKey");
  if (count === 0) return;
  try {
    showRateLimit(c, await limiter.take(workspaceId, count));
  } catch (error) {
    limiter.giveBack(workspaceId, 1);
    throw error;
  }
}

/** The results in the order of the entries: each stored one takes the next of `stored`. */
function joinResults(read: readonly ReadEntry[], stored: readonly IngestResult[]): BulkResult[] {
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
    return { index, ...result, field: formatPath(["events", index, result.field]) };
  });
}

function summarize(results: readonly BulkResult[]) {
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
