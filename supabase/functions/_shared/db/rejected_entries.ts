import type { ErrorCode } from "../errors.ts";
import type { Sql } from "./connect.ts";

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
  /** Inbound: the source, the headers and id of the message, and which entry of the item it was. */
  source_id?: string;
  headers?: Readonly<Record<string, string>>;
  message_id?: string;
  part?: number;
}

// Twice what an entry may have: what is over the limit can still be looked at and mended.
const maxCharacters = 64 * 1024;

/** Keeps refused entries with their reasons, for seven days. */
export async function rejectEntries(sql: Sql, rejections: readonly Rejection[]): Promise<void> {
  await sql`select private.reject_entries(${toStorableJson(rejections)})`;
}

/** JSON whose strings Postgres can hold: U+0000 and lone surrogates become U+FFFD. */
export function toStorableJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    return typeof member === "string" ? member.toWellFormed().replaceAll("\0", "\ufffd") : member;
  });
}

/** An entry as JSON, cut where it is too long to be kept; one that was cut cannot be sent again. */
export function cutEntry(value: unknown): Pick<Rejection, "entry" | "is_truncated"> {
  const text = JSON.stringify(value) ?? "null";
  if (text.length <= maxCharacters) return { entry: text, is_truncated: false };
  return { entry: text.slice(0, maxCharacters).toWellFormed(), is_truncated: true };
}
