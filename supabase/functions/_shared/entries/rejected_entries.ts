import type { ErrorCode } from "../errors/errors.ts";
import type { Sql } from "../db/connect.ts";
import { maskApiKeys } from "../access/keys.ts";

/** Way by which an entry arrived. It decides how the entry is read when it is resent. */
export type Origin = "track" | "segment" | "inbound";

/** A rejected entry with its errors. */
export interface Rejection {
  workspace_id: string;
  origin: Origin;
  /** The entry as sent, in JSON; see `cutEntry`. */
  entry: string;
  is_truncated: boolean;
  code: ErrorCode;
  error: string;
  field?: string | undefined;
  request_id: string;
  /** Inbound only: the source, the item's headers and id, and the position among its entries. */
  source_id?: string;
  headers?: Readonly<Record<string, string>>;
  message_id?: string;
  part?: number | null;
}

/**
 * Most characters of an entry that are kept, so that an oversized entry can be viewed and fixed.
 */
export const maxKeptCharacters = 64 * 1024;
// Ten times the levels of an entry. JSON.stringify overflows the stack at some thousands.
const maxLevels = 100;

/** Keeps rejected entries, given as storable JSON texts, for seven days. */
export async function rejectEntries(sql: Sql, rejections: readonly string[]): Promise<void> {
  await sql`select private.reject_entries(${`[${rejections.join(",")}]`})`;
}

/**
 * Converts to JSON that Postgres can store and every viewer may read: U+0000 and lone surrogates
 * become U+FFFD, and API keys are masked except for their last four characters.
 */
export function toStorableText(value: unknown): string {
  const text = JSON.stringify(value, (_key, member: unknown) => {
    return typeof member === "string" ? member.toWellFormed().replaceAll("\0", "\ufffd") : member;
  });
  return maskApiKeys(text);
}

/**
 * Returns an entry as JSON, truncated if it is nested too deeply or too long to keep. A truncated
 * entry cannot be resent.
 */
export function cutEntry(value: unknown): Pick<Rejection, "entry" | "is_truncated"> {
  const isDeep = isDeeperThan(maxLevels, value);
  // Masked before truncation, because a truncated key would no longer be recognized.
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

/** Copies a value, with "…" instead of arrays and objects nested deeper than `levels`. */
function cutBelow(levels: number, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return "…";
  if (Array.isArray(value)) return value.map((member) => cutBelow(levels - 1, member));
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([key, member]) => [key, cutBelow(levels - 1, member)]));
}
