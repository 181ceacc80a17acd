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
  /** Selects entries that were or were not resent. */
  resent?: boolean | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** Lists rejected entries, newest first. */
export async function listRejectedEntries(
  tx: CallerSql,
  filter: RejectedEntryFilter,
): Promise<RejectedEntry[]> {
  const { workspaceId, origin, code, field, source_id, resent, since, until } = filter;
  const { limit, after, sort } = filter;
  const { start, by } = orderByTime(
    tx,
    { time: tx`r.rejected_at`, id: tx`r.id`, of: chooseValue(tx, { code, field }) },
    { after, sort },
  );
  return await tx<RejectedEntry[]>`
    select ${columns(tx)}
    from public.rejected_entries as r
    where r.workspace_id = ${workspaceId}
      ${start}
      ${origin === undefined ? tx`` : tx`and r.origin = ${origin}`}
      ${code === undefined || field === undefined ? tx`` : tx`and r.code = ${code}`}
      ${source_id === undefined ? tx`` : tx`and r.source_id = ${source_id}`}
      ${resent === undefined ? tx`` : tx`and r.resent_at is ${resent ? tx`not null` : tx`null`}`}
      ${since === undefined ? tx`` : tx`and r.rejected_at >= ${since}::text::timestamptz`}
      ${until === undefined ? tx`` : tx`and r.rejected_at < ${until}::text::timestamptz`}
    order by ${by}
    limit ${limit + 1}
  `;
}

function chooseValue(
  tx: CallerSql,
  { code, field }: Pick<RejectedEntryFilter, "code" | "field">,
): OneValue | undefined {
  if (field !== undefined) return { column: tx`r.field_in_entry`, value: field };
  return code && { column: tx`r.code`, value: code };
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

function columns(tx: CallerSql) {
  return tx`
    r.id, private.rfc3339(r.rejected_at) as rejected_at, r.origin, r.source_id, r.receipt_id,
    r.entry, r.is_truncated, r.code, r.error, r.field, r.request_id,
    private.rfc3339(r.resent_at) as resent_at, r.resent_event_id
  `;
}
