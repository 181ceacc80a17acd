import { maxBulkEntries } from "../../../_shared/entries/schemas.ts";
import { ApiError } from "../../../_shared/errors.ts";
import { type MappingRules, readItems } from "../../../_shared/inbound/mapping.ts";

/** Throws `payload_too_large` for a payload of more items than a bulk has entries. */
export function requireFewItems(rules: MappingRules, payload: unknown): void {
  const items = readItems(rules, payload) ?? [];
  if (items.length > maxBulkEntries) throw tooMany("hold", "items");
}

/** Throws `payload_too_large` for a payload that became more entries than a bulk has. */
export function requireFewEntries(entries: readonly unknown[]): void {
  if (entries.length > maxBulkEntries) throw tooMany("become", "entries");
}

function tooMany(verb: string, noun: string): ApiError {
  const message = `Payload must not ${verb} over ${maxBulkEntries} ${noun}`;
  return new ApiError("payload_too_large", message);
}
