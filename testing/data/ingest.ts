import type { Sql } from "../../supabase/functions/_shared/db/connect.ts";
import {
  type IngestEntry,
  type IngestResult,
  ingestTexts,
} from "../../supabase/functions/_shared/entries/ingest.ts";

/** Stores entries as track does once it has read them. */
export function ingestEntries(
  sql: Sql,
  entries: readonly IngestEntry[],
): Promise<IngestResult[]> {
  return ingestTexts(sql, entries.map((entry) => JSON.stringify(entry)));
}
