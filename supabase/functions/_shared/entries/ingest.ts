import type { Sql } from "../db/connect.ts";
import { retryLostRaces } from "../db/retry.ts";
import { hasEffect } from "./effects.ts";
import type { IngestProfile } from "./profile.ts";

/** A valid entry. Times are RFC 3339; `previous_id` and `external_id` are for an alias. */
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
  /** Merged key by key; a null value removes the key. */
  attributes?: Record<string, unknown> | undefined;
}

/** Result of an entry that was stored. */
export interface StoredEntry {
  ok: true;
  event_id: string;
  customer_id: string;
  /** True if the idempotency key was used before: the ids are those of the first call. */
  duplicate?: true;
  /** False if the anonymous id belongs to another customer, so nothing was merged. */
  merged?: false;
  reason?: string;
}

/** Result of an entry that was refused. */
export interface RefusedEntry {
  ok: false;
  /** Unknown id, limit per customer exceeded, storage timeout, or internal error. */
  code: "not_found" | "payload_too_large" | "unavailable" | "internal_error";
  error: string;
  /** Omitted if the error concerns the whole entry. */
  field?: string;
  /** True if a report was about a customer who has been erased. */
  is_erased?: true;
}

export type IngestResult = StoredEntry | RefusedEntry;

/** Most entries per call: ids have 12 bits for their order within one call. */
export const maxIngestEntries = 4000;

/**
 * Stores entries (JSON texts of `IngestEntry`) in order, in one transaction. Resolves with one
 * result per entry after the commit. Lost races are retried; any other failure rejects the whole
 * call.
 */
export async function ingestTexts(sql: Sql, entries: readonly string[]): Promise<IngestResult[]> {
  return await retryLostRaces(() => ingestWithin(sql, entries));
}

/** Like `ingestTexts`, within the caller's transaction; the caller retries lost races. */
export async function ingestWithin(tx: Sql, entries: readonly string[]): Promise<IngestResult[]> {
  const rows = entries.some(hasEffect)
    ? await tx<{ results: IngestResult[] }[]>`
        select private.ingest_reports(${`[${entries.join(",")}]`}) as results`
    : await storeJoined(tx, joinEntries(entries));
  return rows[0]?.results ?? [];
}

/** Entries as one JSON array, and the workspace of those that name none. */
interface JoinedEntries {
  batch: string;
  workspaceId: string | null;
}

async function storeJoined(tx: Sql, { batch, workspaceId }: JoinedEntries) {
  return await tx<{ results: IngestResult[] }[]>`
    select private.ingest(${batch}, ${workspaceId}) as results`;
}

/** Start of the text of an event, with its workspace. */
const eventStart = /^\{"workspace_id":"([^"]+)","kind":"event",/;

/** Joins entries; events of one workspace leave out what they all begin with. */
function joinEntries(entries: readonly string[]): JoinedEntries {
  const [start, workspaceId] = eventStart.exec(entries[0] ?? "") ?? [];
  if (start === undefined || !entries.every((entry) => entry.startsWith(start))) {
    return { batch: `[${entries.join(",")}]`, workspaceId: null };
  }
  const rests = entries.map((entry) => entry.slice(start.length));
  return { batch: `[{${rests.join(",{")}]`, workspaceId: workspaceId! };
}
