import type { CallerSql } from "../../kernel/caller.ts";
import type { IngestResult } from "../../../_shared/entries/ingest.ts";
import type { Origin } from "../../../_shared/entries/rejected_entries.ts";
import type { ErrorCode } from "../../../_shared/errors/errors.ts";
import type { RejectionCode } from "../../contract/rejected_entries.ts";
import { type OneValue, orderByTime, type TimePageRequest } from "../../kernel/sorting.ts";

/** A rejected entry as the api returns it. */
export interface RejectedEntry {
  id: string;
  rejected_at: string;
  origin: Origin;
  source_id: string | null;
  receipt_id: string | null;
  /** The entry as sent, in JSON. */
  entry: string;
  is_truncated: boolean;
  code: ErrorCode;
  error: string;
  field: string | null;
  request_id: string;
  resent_at: string | null;
  resent_event_id: string | null;
  discarded_at: string | null;
}

/** A rejected entry with the fields needed to resend it. */
export interface RejectedEntryDetail extends RejectedEntry {
  part: number | null;
  headers: Record<string, string>;
  message_id: string | null;
}

export interface RejectedEntryFilter extends TimePageRequest {
  workspaceId: string;
  origin?: Origin | undefined;
  code?: RejectionCode | undefined;
  /** Path of the first wrong field within the entry. */
  field?: string | undefined;
  source_id?: string | undefined;
  reason?: string | undefined;
  /** Selects entries that were or were not resent. */
  resent?: boolean | undefined;
  /** Selects entries that were or were not discarded. */
  discarded?: boolean | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** Lists rejected entries, newest first. */
export async function listRejectedEntries(
  tx: CallerSql,
  filter: RejectedEntryFilter,
): Promise<RejectedEntry[]> {
  const { workspaceId, origin, code, field, source_id, reason, since, until } = filter;
  const { limit, after, sort } = filter;
  const isSet = (column: "resent_at" | "discarded_at", wanted: boolean | undefined) =>
    wanted === undefined ? tx`` : tx`and r.${tx(column)} is ${wanted ? tx`not null` : tx`null`}`;
  const { start, by } = orderByTime(
    tx,
    { time: tx`r.rejected_at`, id: tx`r.id`, of: chooseValue(tx, filter) },
    { after, sort },
  );
  return await tx<RejectedEntry[]>`
    select ${columns(tx)}
    from public.rejected_entries as r
    where r.workspace_id = ${workspaceId}
      ${start}
      ${origin === undefined ? tx`` : tx`and r.origin = ${origin}`}
      ${code === undefined || !isChosen(reason, field) ? tx`` : tx`and r.code = ${code}`}
      ${field === undefined || !isChosen(reason) ? tx`` : tx`and r.field_in_entry = ${field}`}
      ${source_id === undefined ? tx`` : tx`and r.source_id = ${source_id}`}
      ${isSet("resent_at", filter.resent)} ${isSet("discarded_at", filter.discarded)}
      ${since === undefined ? tx`` : tx`and r.rejected_at >= ${since}::text::timestamptz`}
      ${until === undefined ? tx`` : tx`and r.rejected_at < ${until}::text::timestamptz`}
    order by ${by}
    limit ${limit + 1}
  `;
}

/** Returns true if a narrower filter decides by which index the list is read. */
function isChosen(...narrower: (string | undefined)[]): boolean {
  return narrower.some((value) => value !== undefined);
}

function chooseValue(
  tx: CallerSql,
  { code, field, reason }: RejectedEntryFilter,
): OneValue | undefined {
  if (reason !== undefined) {
    return { column: tx`r.reason_hash`, value: tx`hashtextextended(${reason}, 0)` };
  }
  if (field !== undefined) return { column: tx`r.field_in_entry`, value: field };
  return code && { column: tx`r.code`, value: code };
}

/** Entries with the same reason that were neither resent nor discarded. */
export interface RejectionReason {
  reason: string;
  code: ErrorCode;
  field: string | null;
  origin: Origin;
  source_id: string | null;
  entries: number;
  first_at: string;
  last_at: string;
  example_id: string;
}

export interface ReasonFilter {
  workspaceId: string;
  source_id?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  /** Most of the newest entries that are checked. */
  newest: number;
  /** Most reasons. */
  limit: number;
}

/** The most frequent reasons of the newest entries. */
export interface ReasonList {
  lookedAt: number;
  /** Number of those that were neither resent nor discarded. */
  entries: number;
  reasons: RejectionReason[];
}

/** Groups the newest entries that were neither resent nor discarded by their reason, the most frequent first. */
export async function listRejectionReasons(
  tx: CallerSql,
  { workspaceId, source_id, since, until, newest, limit }: ReasonFilter,
): Promise<ReasonList> {
  const rows = await tx<ReasonList[]>`
    with newest as materialized (
      select r.id, r.rejected_at, r.code, r.error, r.field_in_entry, r.origin, r.source_id,
        r.resent_at is null and r.discarded_at is null as is_open
      from public.rejected_entries as r
      where r.workspace_id = ${workspaceId}
        ${source_id === undefined ? tx`` : tx`and r.source_id = ${source_id}`}
        ${since === undefined ? tx`` : tx`and r.rejected_at >= ${since}::text::timestamptz`}
        ${until === undefined ? tx`` : tx`and r.rejected_at < ${until}::text::timestamptz`}
      order by r.rejected_at desc, r.id desc
      limit ${newest}
    ),
    reasons as (
      select
        private.rejection_reason(n.error) as reason,
        n.code, n.field_in_entry as field, n.origin, n.source_id, count(*) as entries,
        private.rfc3339(min(n.rejected_at)) as first_at,
        private.rfc3339(max(n.rejected_at)) as last_at,
        -- Ids begin with their time.
        max(n.id::text) as example_id
      from newest as n
      where n.is_open
      group by 1, 2, 3, 4, 5
      order by entries desc, example_id desc
      limit ${limit}
    )
    select
      (select count(*)::integer from newest) as "lookedAt",
      (select count(*)::integer from newest as n where n.is_open) as entries,
      coalesce(
        (select jsonb_agg(to_jsonb(r) order by r.entries desc, r.example_id desc) from reasons as r),
        '[]'
      ) as reasons
  `;
  return rows[0]!;
}

export interface RejectedEntryKey {
  workspaceId: string;
  entryId: string;
}

/** Returns one rejected entry; the id contains its time and so selects the partition. */
export async function findRejectedEntry(
  tx: CallerSql,
  { workspaceId, entryId }: RejectedEntryKey,
): Promise<RejectedEntryDetail | undefined> {
  const rows = await tx<RejectedEntryDetail[]>`
    select ${columns(tx)}, r.part, r.headers, r.message_id
    from public.rejected_entries as r
    where r.workspace_id = ${workspaceId} and r.id = ${entryId}
      and r.rejected_at = private.uuid_v7_time(${entryId})
  `;
  return rows[0];
}

/** Stores the corrected entries (JSON texts for ingest), and marks the rejected entry as resent. */
export async function resendEntries(
  tx: CallerSql,
  { workspaceId, entryId, texts }: RejectedEntryKey & { texts: readonly string[] },
): Promise<IngestResult[]> {
  const rows = await tx<{ results: IngestResult[] }[]>`
    select private.resend_entries(${workspaceId}, ${entryId}, ${`[${texts.join(",")}]`}) as results
  `;
  return rows[0]!.results;
}

/** An entry after it was to be discarded. */
export interface DiscardedEntry {
  /** Null if it was resent before. */
  discarded_at: string | null;
  is_resent: boolean;
  /** False if it was discarded or resent before. */
  is_new: boolean;
}

/** Marks an entry as discarded; undefined if it does not exist. */
export async function discardEntry(
  tx: CallerSql,
  { workspaceId, entryId }: RejectedEntryKey,
): Promise<DiscardedEntry | undefined> {
  const rows = await tx<{ entry: DiscardedEntry | null }[]>`
    select private.discard_entry(${workspaceId}, ${entryId}) as entry
  `;
  return rows[0]?.entry ?? undefined;
}

/** The entries of a reason, as `RejectionReason` has it. */
export interface DiscardFilter {
  workspaceId: string;
  reason: Pick<RejectionReason, "reason" | "code" | "origin" | "field" | "source_id">;
  until: string;
  limit: number;
}

/** Marks the oldest entries of a reason as discarded; returns their number. */
export async function discardEntries(
  tx: CallerSql,
  { workspaceId, reason, until, limit }: DiscardFilter,
): Promise<number> {
  const rows = await tx<{ discarded: number }[]>`
    select private.discard_entries(
      ${workspaceId}, ${JSON.stringify(reason)}::text::jsonb, ${until}::text::timestamptz, ${limit}
    ) as discarded
  `;
  return rows[0]!.discarded;
}

function columns(tx: CallerSql) {
  return tx`
    r.id, private.rfc3339(r.rejected_at) as rejected_at, r.origin, r.source_id, r.receipt_id,
    r.entry, r.is_truncated, r.code, r.error, r.field, r.request_id,
    private.rfc3339(r.resent_at) as resent_at, r.resent_event_id,
    private.rfc3339(r.discarded_at) as discarded_at
  `;
}
