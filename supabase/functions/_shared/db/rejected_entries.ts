import type { ErrorCode } from "../errors.ts";
import type { CallerSql } from "./caller.ts";
import type { Sql } from "./connect.ts";
import type { IngestResult } from "./ingest.ts";
import { maskApiKeys } from "../keys.ts";
import { type PageRequest, startAfter } from "./pages.ts";

/** Through which way an entry came in: it decides how it is read when it is sent again. */
export type Door = "track" | "segment" | "inbound";

/** An entry that was refused, and why. */
export interface Rejection {
  workspace_id: string;
  door: Door;
  /** JSON as it was sent; see `cutEntry`. */
  entry: string;
  is_truncated: boolean;
  code: ErrorCode;
  error: string;
  field?: string | undefined;
  request_id: string;
  /** Inbound: the source, the headers and id of the item, and which of its entries it was. */
  source_id?: string;
  headers?: Readonly<Record<string, string>>;
  message_id?: string;
  part?: number | null;
}

/** Most of an entry that is kept: one over the limit can still be looked at and mended. */
export const maxKeptCharacters = 64 * 1024;
// Ten times what an entry may have. JSON.stringify overflows the stack at some thousands.
const maxLevels = 100;

/** Keeps refused entries with their reasons, for seven days. */
export async function rejectEntries(sql: Sql, rejections: readonly Rejection[]): Promise<void> {
  await sql`select private.reject_entries(${toStorableText(rejections)})`;
}

/**
 * JSON that Postgres can hold and every viewer may read: U+0000 and lone surrogates become U+FFFD,
 * and of API keys only the last four characters are left.
 */
export function toStorableText(value: unknown): string {
  const text = JSON.stringify(value, (_key, member: unknown) => {
    return typeof member === "string" ? member.toWellFormed().replaceAll("\0", "\ufffd") : member;
  });
  return maskApiKeys(text);
}

/**
 * An entry as JSON, cut where it is nested too deeply or too long to be kept; one that was cut
 * cannot be sent again.
 */
export function cutEntry(value: unknown): Pick<Rejection, "entry" | "is_truncated"> {
  const isDeep = isDeeperThan(maxLevels, value);
  // Before it is cut: the beginning of a key has not the form of one.
  const text = maskApiKeys(JSON.stringify(isDeep ? cutBelow(maxLevels, value) : value) ?? "null");
  if (text.length <= maxKeptCharacters) return { entry: text, is_truncated: isDeep };
  return { entry: text.slice(0, maxKeptCharacters).toWellFormed(), is_truncated: true };
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  const members = Array.isArray(value) ? value : Object.values(value);
  return members.some((member) => isDeeperThan(levels - 1, member));
}

/** A copy in which "…" stands for every array and object below `levels` levels of them. */
function cutBelow(levels: number, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return "…";
  if (Array.isArray(value)) return value.map((member) => cutBelow(levels - 1, member));
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([key, member]) => [key, cutBelow(levels - 1, member)]));
}

/** A refused entry as the api shows it. */
export interface RejectedEntry {
  id: string;
  rejected_at: string;
  door: Door;
  source_id: string | null;
  receipt_id: string | null;
  /** JSON as it was sent. */
  entry: string;
  is_truncated: boolean;
  code: ErrorCode;
  error: string;
  field: string | null;
  request_id: string;
  resent_at: string | null;
  resent_event_id: string | null;
}

/** With what is needed to send it again. */
export interface RejectedEntryDetail extends RejectedEntry {
  part: number | null;
  headers: Record<string, string>;
  message_id: string | null;
}

export interface RejectedEntryFilter extends PageRequest {
  workspaceId: string;
  door?: Door | undefined;
  source_id?: string | undefined;
  /** Whether it was sent again. */
  resent?: boolean | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** Refused entries, newest first. */
export async function listRejectedEntries(
  tx: CallerSql,
  filter: RejectedEntryFilter,
): Promise<RejectedEntry[]> {
  const { workspaceId, door, source_id, resent, since, until, limit, after } = filter;
  return await tx<RejectedEntry[]>`
    select ${columns(tx)}
    from public.rejected_entries as r
    where r.workspace_id = ${workspaceId}
      ${startAfter(tx, { time: tx`r.rejected_at`, id: tx`r.id` }, after)}
      ${door === undefined ? tx`` : tx`and r.door = ${door}`}
      ${source_id === undefined ? tx`` : tx`and r.source_id = ${source_id}`}
      ${resent === undefined ? tx`` : tx`and r.resent_at is ${resent ? tx`not null` : tx`null`}`}
      ${since === undefined ? tx`` : tx`and r.rejected_at >= ${since}::text::timestamptz`}
      ${until === undefined ? tx`` : tx`and r.rejected_at < ${until}::text::timestamptz`}
    order by r.rejected_at desc, r.id desc
    limit ${limit + 1}
  `;
}

export interface RejectedEntryKey {
  workspaceId: string;
  entryId: string;
}

/** One refused entry; its id tells when it was, and so its partition. */
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

/** Stores what a refused entry became (JSON texts for ingest), and marks it as sent again. */
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
    r.id, private.rfc3339(r.rejected_at) as rejected_at, r.door, r.source_id, r.receipt_id,
    r.entry, r.is_truncated, r.code, r.error, r.field, r.request_id,
    private.rfc3339(r.resent_at) as resent_at, r.resent_event_id
  `;
}
