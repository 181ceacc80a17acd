import type { RefusedEntry } from "../entries/ingest.ts";
import { type EntryOrigin, type ReadEntry, readEntry } from "../entries/read_entry.ts";
import type { WireFormat } from "../entries/wire_format.ts";
import { formatPath } from "../json/json.ts";
import type { ErrorDetail } from "../errors/errors.ts";
import { translateSegment } from "./translate.ts";

/** Names of an entry's fields in Segment's format. */
const names: ReadonlyMap<string, string> = new Map([
  ["external_id", "userId"],
  ["anon_id", "anonymousId"],
  ["previous_id", "previousId"],
  ["name", "event"],
  ["occurred_at", "timestamp"],
  ["idempotency_key", "messageId"],
  ["attributes", "traits"],
]);

/** Format of Segment's libraries. */
export const segmentFormat: WireFormat = {
  origin: "segment",
  envelope: "batch",
  // Segment's own limit: its libraries drop a batch that is refused as a whole.
  maxEntries: 2500,
  repeatsMessage: true,
  translate: translateSegment,
  read: readTranslated,
  rename: renameRejected,
};

function readTranslated(entry: unknown, origin: EntryOrigin): ReadEntry {
  const read = readEntry(entry, { ...origin, aliasKind: "segment_alias" });
  // Faults were found in the original message, so they already have its names.
  if (read.ok || origin.faults.length > 0) return read;
  const base = formatPath(origin.path ?? []);
  return { ...read, details: read.details.map((detail) => renameDetail(detail, base)) };
}

function renameRejected(rejected: RefusedEntry): RefusedEntry {
  const { field, error } = rejected;
  if (field === undefined) return rejected;
  const name = rename(field);
  // The field comes before the value, which may contain the same word.
  return { ...rejected, field: name, error: error.replace(field, name) };
}

function renameDetail({ field, message }: ErrorDetail, base: string): ErrorDetail {
  // Only entry-level messages mention field names.
  if (field === base) return { field, message: message.replaceAll(/(?<=")\w+(?=")/g, rename) };
  return { field: base + field.slice(base.length).replace(/\w+/, rename), message };
}

function rename(name: string): string {
  return names.get(name) ?? name;
}
