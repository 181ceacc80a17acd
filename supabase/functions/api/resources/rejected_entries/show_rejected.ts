import type { z } from "zod";
import type { rejectedEntry } from "../../contract/rejected_entries.ts";
import type { RejectedEntry } from "./rejected_entry_queries.ts";

/** Formats a row for the response: the entry as JSON, or as text if it was truncated. */
export function showRejected(row: RejectedEntry): z.output<typeof rejectedEntry> {
  const { id, rejected_at, origin, source_id, receipt_id, is_truncated, code, error, field } = row;
  const { request_id, resent_at, resent_event_id, discarded_at } = row;
  const entry: unknown = is_truncated ? row.entry : JSON.parse(row.entry);
  return {
    id,
    rejected_at,
    origin,
    source_id,
    receipt_id,
    entry,
    is_truncated,
    code,
    error,
    field,
    request_id,
    resent_at,
    resent_event_id,
    discarded_at,
  };
}
