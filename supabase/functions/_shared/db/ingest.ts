import type { Sql } from "./connect.ts";

/** Profile fields as `private.ingest` takes them: null clears, left out keeps. */
export interface IngestProfile {
  email?: string | null;
  phone?: string | null;
  first_name?: string | null;
  last_name?: string | null;
  country?: string | null;
}

/** A valid entry. Times are RFC 3339; `previous_id` and `external_id` are what an alias needs. */
export interface IngestEntry {
  workspace_id: string;
  kind: "event" | "identify" | "alias";
  external_id?: string;
  anon_id?: string;
  previous_id?: string;
  name?: string;
  occurred_at?: string;
  properties?: Record<string, unknown>;
  context?: Record<string, unknown>;
  idempotency_key?: string;
  profile?: IngestProfile;
  /** Merged key by key; null removes a key. */
  attributes?: Record<string, unknown>;
}

export interface StoredEntry {
  ok: true;
  event_id: string;
  customer_id: string;
  /** The idempotency key was seen before: the ids are those of the first call. */
  duplicate?: true;
  /** The anonymous id belongs to somebody else, so nothing was merged. */
  merged?: false;
  reason?: string;
}

export interface RefusedEntry {
  ok: false;
  code: "not_found";
  error: string;
  field: string;
}

export type IngestResult = StoredEntry | RefusedEntry;

/** Most entries that one call may hold: ids made in one call are ordered by 12 bits. */
export const maxIngestEntries = 4000;

/**
 * Stores entries in one transaction, in their order, and tells what became of each, in order.
 * Fails as a whole: on 40001 and 40P01 the same call may simply be sent again.
 */
export function ingestEntries(
  sql: Sql,
  entries: readonly IngestEntry[],
): Promise<IngestResult[]> {
  return ingestTexts(sql, entries.map((entry) => JSON.stringify(entry)));
}

/** `ingestEntries` for entries that are JSON already. */
export async function ingestTexts(sql: Sql, entries: readonly string[]): Promise<IngestResult[]> {
  const rows = await sql<{ results: IngestResult[] }[]>`
    select private.ingest(${`[${entries.join(",")}]`}) as results
  `;
  return rows[0]?.results ?? [];
}
