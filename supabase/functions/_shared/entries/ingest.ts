import type { Sql } from "../db/connect.ts";
import { retryLostRaces } from "../db/retry.ts";
import type { IngestProfile } from "./profile.ts";

/** A valid entry. Times are RFC 3339; `previous_id` and `external_id` are what an alias needs. */
export interface IngestEntry {
  workspace_id: string;
  /** `segment_alias`: the new id may be unknown, and the previous one anonymous. */
  kind: "event" | "identify" | "alias" | "segment_alias";
  external_id?: string | undefined;
  anon_id?: string | undefined;
  previous_id?: string | undefined;
  name?: string | undefined;
  occurred_at?: string | undefined;
  properties?: Record<string, unknown> | undefined;
  context?: Record<string, unknown> | undefined;
  idempotency_key?: string | undefined;
  profile?: IngestProfile | undefined;
  /** Merged key by key; null removes a key. */
  attributes?: Record<string, unknown> | undefined;
}

/** Result of an entry that was stored. */
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

/** Result of an entry that was refused. */
export interface RefusedEntry {
  ok: false;
  /** An unknown id, more than a customer may have, or more than the database can store in time. */
  code: "not_found" | "payload_too_large" | "unavailable" | "internal_error";
  error: string;
  /** Left out where it is about the entry as a whole. */
  field?: string;
}

export type IngestResult = StoredEntry | RefusedEntry;

/** Most entries that one call may hold: ids made in one call are ordered by 12 bits. */
export const maxIngestEntries = 4000;

/**
 * Stores entries (JSON texts of `IngestEntry`) in one transaction, in their order, and tells what
 * became of each, in order; committed when it resolves. Lost races are run again, and any other
 * failure is one of the whole.
 */
export async function ingestTexts(sql: Sql, entries: readonly string[]): Promise<IngestResult[]> {
  return await retryLostRaces(() => ingestWithin(sql, entries));
}

/** `ingestTexts` as a part of the caller's own transaction, whose lost races are the caller's. */
export async function ingestWithin(tx: Sql, entries: readonly string[]): Promise<IngestResult[]> {
  const batch = `[${entries.join(",")}]`;
  const rows = await tx<{ results: IngestResult[] }[]>`select private.ingest(${batch}) as results`;
  return rows[0]?.results ?? [];
}
