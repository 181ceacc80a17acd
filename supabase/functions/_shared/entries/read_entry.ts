import type { z } from "zod";
import type { IngestEntry } from "./ingest.ts";
import type { ErrorCode, ErrorDetail } from "../errors/errors.ts";
import {
  describeFaults,
  formatPath,
  isRecord,
  type JsonFault,
  type JsonPath,
} from "../json/json.ts";
import { countWrittenOut } from "../json/numbers.ts";
import { parseInstant } from "./fields.ts";
import { type IngestProfile, type ProfileEdit, splitProfile } from "./profile.ts";
import { profileFieldNames } from "./profile_names.ts";
import { aliasSchema, eventSchema, identifySchema } from "./schemas.ts";
import { validate, type Validated } from "./validate.ts";

/** An entry in the database's format, or its validation errors. */
export type ReadEntry =
  | { ok: true; text: string }
  | { ok: false; code: ErrorCode; details: readonly ErrorDetail[] };

/** Circumstances of an entry: its workspace, its time of receipt and its place in the body. */
export interface EntryOrigin {
  workspaceId: string;
  /** Time of receipt in ms. */
  receivedAt: number;
  /** Path of the entry in the body. @default [] */
  path?: JsonPath;
  /** Faults that `parseJson` found in it. */
  faults: readonly JsonFault[];
  /** Kind that an alias is stored as. @default "alias" */
  aliasKind?: "alias" | "segment_alias";
  /** Values of an identify for fields that the customer lacks and the entry does not name. */
  profileDefaults?: IngestProfile["defaults"];
}

/** Largest entry in bytes of JSON. */
export const maxEntryBytes = 32 * 1024;
/** Longest time by which an entry may be ahead of its receipt, in milliseconds. */
export const maxAheadMs = 24 * 60 * 60 * 1000;
// A UTF-16 unit takes at most three bytes in UTF-8, so shorter text needs no exact measurement.
const surelySmall = Math.floor(maxEntryBytes / 3);

/** Validates one entry of any kind and returns it as JSON for `ingestTexts`. */
export function readEntry(value: unknown, origin: EntryOrigin): ReadEntry {
  const { path = [], receivedAt, faults } = origin;
  if (faults.length > 0) return refuse(describeFaults(faults));
  const read = readKind(value, origin);
  if (!read.ok) return refuse(read.details);
  const entry = read.value;
  if (entry.occurred_at !== undefined && isTooFarAhead(entry.occurred_at, receivedAt)) {
    const field = formatPath([...path, "occurred_at"]);
    return refuse([{ field, message: "must not be over 24 hours in the future" }]);
  }
  const text = JSON.stringify(entry);
  if (!isTooLarge(text, value)) return { ok: true, text };
  const { code, ...detail } = entryTooLarge(path);
  return { ok: false, code, details: [detail] };
}

/** Returns the refusal of an entry over the size limit. */
export function entryTooLarge(path: JsonPath = []) {
  const message = `must not be over ${maxEntryBytes} bytes of JSON`;
  return { code: "payload_too_large", field: formatPath(path), message } as const;
}

function refuse(details: readonly ErrorDetail[]): ReadEntry {
  return { ok: false, code: "invalid_input", details };
}

function readKind(value: unknown, origin: EntryOrigin): Validated<IngestEntry> {
  const { path = [], workspaceId, aliasKind = "alias", profileDefaults } = origin;
  const type = isRecord(value) && Object.hasOwn(value, "type") ? value.type : undefined;
  switch (type) {
    case "identify":
      return mapValid(validate(identifySchema, value, path), (identify) => {
        return identifyEntry(workspaceId, identify, profileDefaults);
      });
    case "alias":
      return mapValid(validate(aliasSchema, value, path), ({ type: _, ...fields }) => {
        return { workspace_id: workspaceId, kind: aliasKind, ...fields };
      });
    case "event":
    case "track":
    case undefined:
      return mapValid(validate(eventSchema, value, path), ({ type: _, ...fields }) => {
        return { workspace_id: workspaceId, kind: "event", ...fields };
      });
    default: {
      const message = 'must be "event", "track", "identify" or "alias", or be left out';
      return { ok: false, details: [{ field: formatPath([...path, "type"]), message }] };
    }
  }
}

function identifyEntry(
  workspaceId: string,
  { type: _, attributes, ...fields }: z.output<typeof identifySchema>,
  defaults: IngestProfile["defaults"],
): IngestEntry {
  const edit: ProfileEdit = { attributes };
  for (const name of profileFieldNames) {
    if (fields[name] !== undefined) edit[name] = fields[name];
    delete fields[name];
  }
  if (defaults !== undefined) edit.defaults = defaults;
  return { workspace_id: workspaceId, kind: "identify", ...fields, ...splitProfile(edit) };
}

function mapValid<From, To>(validated: Validated<From>, map: (value: From) => To): Validated<To> {
  return validated.ok ? { ok: true, value: map(validated.value) } : validated;
}

function isTooFarAhead(occurredAt: string, receivedAt: number): boolean {
  return (parseInstant(occurredAt) ?? 0) > receivedAt + maxAheadMs;
}

/** Numbers count with the length they have in the database and in everything derived from it. */
function isTooLarge(text: string, value: unknown): boolean {
  const isSmallAsSent = text.length <= surelySmall;
  if (!isSmallAsSent && byteLength(JSON.stringify(value)) > maxEntryBytes) return true;
  const added = countWrittenOut(text);
  return added > 0 && byteLength(JSON.stringify(value)) + added > maxEntryBytes;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}
