import type { ErrorCode } from "../platform/errors.ts";
import type { Sql } from "../db/connect.ts";
import { maskApiKeys } from "../access/keys.ts";

/** Way by which an entry arrived. It decides how the entry is read when it is resent. */
export type Origin = "track" | "segment" | "inbound";

/** An entry that was refused, and why. */
export interface Rejection {
  workspace_id: string;
  origin: Origin;
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

/** Keeps refused entries with their reasons, for seven days: each the storable text of one. */
export async function rejectEntries(sql: Sql, rejections: readonly string[]): Promise<void> {
  await sql`select private.reject_entries(${`[${rejections.join(",")}]`})`;
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
