import type { ErrorDetail } from "../errors/errors.ts";
import { formatPath, isRecord } from "../json/json.ts";
import type { RefusedEntry } from "./ingest.ts";
import type { IngestProfile } from "./profile.ts";
import { type EntryOrigin, type ReadEntry, readEntry } from "./read_entry.ts";
import { maxBulkEntries } from "./schemas.ts";

/** An entry in the format of `POST /track`, or the errors that prevent one. */
export type Translated =
  | { ok: true; entry: unknown; profileDefaults?: IngestProfile["defaults"] }
  | { ok: false; details: readonly ErrorDetail[] };

/** Format in which entries are sent: the service's own, or Segment's. */
export interface WireFormat {
  /** Name that rejected entries keep. */
  origin: "track" | "segment";
  /** Top-level array that holds the entries of a bulk. */
  envelope: string;
  /** Most entries of a bulk. */
  maxEntries: number;
  /** True if the error of an entry is repeated as `message`. */
  repeatsMessage: boolean;
  /** Converts a sent value to an entry; moves its times by `offsetMs`. */
  translate(sent: unknown, offsetMs: number): Translated;
  /** Validates a translated entry; errors name fields as the sender does. */
  read(entry: unknown, origin: EntryOrigin): ReadEntry;
  /** Renames the field of a database rejection to the sender's name. */
  rename(rejected: RefusedEntry): RefusedEntry;
}

/** The service's own format. */
export const ownFormat: WireFormat = {
  origin: "track",
  envelope: "events",
  maxEntries: maxBulkEntries,
  repeatsMessage: false,
  translate: (sent) => ({ ok: true, entry: sent }),
  read: readEntry,
  rename: (rejected) => rejected,
};

/** Origin of an entry, with the clock of its sender. */
export interface SentOrigin extends EntryOrigin {
  /** Milliseconds that the sender's clock is behind ours; negative when it is ahead. @default 0 */
  offsetMs?: number;
  /** Time of an entry without one of its own. @default the time at which it is stored */
  occurredAt?: string;
}

/** Translates and validates one entry as sent. */
export function readSent(format: WireFormat, sent: unknown, origin: SentOrigin): ReadEntry {
  const { offsetMs = 0, occurredAt, ...entryOrigin } = origin;
  const translated = format.translate(sent, offsetMs);
  if (translated.ok) {
    const { entry, profileDefaults } = translated;
    return format.read(dateEntry(entry, occurredAt), { ...entryOrigin, profileDefaults });
  }
  const { path = [] } = origin;
  const details = translated.details.map(({ field, message }) => {
    return { field: formatPath(field === "" ? path : [...path, field]), message };
  });
  return { ok: false, code: "invalid_input", details };
}

function dateEntry(entry: unknown, occurredAt: string | undefined): unknown {
  const isUndated = isRecord(entry) && !Object.hasOwn(entry, "occurred_at");
  return isUndated && occurredAt !== undefined ? { ...entry, occurred_at: occurredAt } : entry;
}
