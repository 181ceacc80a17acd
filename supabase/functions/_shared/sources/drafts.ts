import type { EntryEffect } from "../entries/effects.ts";
import { entryTooLarge } from "../entries/read_entry.ts";
import type { ErrorCode } from "../errors/errors.ts";
import { isRecord } from "../json/json.ts";

/** A track call that an item of a payload became, not yet validated. */
export interface Draft {
  /** The entry in the format of `POST /track`; without ids if `email` identifies the customer. */
  entry: Record<string, unknown>;
  /** E-mail address that identifies the customer if the entry has no id. */
  email?: string;
  /** The sender's own id, unique within the source. */
  key: string;
  /** The message that the event is about, if a provider reports on one. */
  send?: SendClaim;
  /** Consequences of the event, once its send is known. */
  effect?: EntryEffect;
}

/** Ids of a message, by which its send is found. */
export interface SendClaim {
  /** Our own id of the send. */
  sendId?: string;
  /** The provider's id of the message. */
  providerId?: string;
  /** True if the message had one recipient: then its ids decide, not the address. */
  isOnly: boolean;
  /** True if the event is ignored when no send is found. */
  isRequired: boolean;
}

/** Result of mapping an item: calls, an item to ignore, or an item that could not be read. */
export type MappedItem =
  | { kind: "drafts"; drafts: readonly Draft[] }
  | { kind: "ignored"; reason: string }
  | { kind: "refused"; field: string; message: string; code?: ErrorCode };

/** Returns the result for an item that needs no entry. */
export function ignore(reason: string): MappedItem {
  return { kind: "ignored", reason };
}

/** Returns the result for an item that has a faulty field. */
export function refuse(field: string, message: string): MappedItem {
  return { kind: "refused", field, message };
}

/** Rejects an item over the size limit of an entry. */
export function refuseTooLarge(): MappedItem {
  return { kind: "refused", ...entryTooLarge() };
}

/** Returns non-empty text, or a number as text; undefined for anything else. */
export function asText(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns a number, or the number that a text represents; undefined for anything else. */
export function asNumber(value: unknown): number | undefined {
  const text = asText(value)?.trim();
  if (text === undefined || text === "") return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** Returns the value if it is an object, otherwise an empty one. */
export function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** Returns the value if it is an array, otherwise an empty one. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

// Seconds up to the year 5138, which as milliseconds would be March 1973.
const mostSeconds = 1e11;

/**
 * Converts a sender's time to RFC 3339: RFC 3339, Unix seconds or milliseconds, or another format
 * that includes an offset. Other values are returned unchanged, so that validation can report them.
 */
export function asInstant(value: unknown): string | undefined {
  const text = asText(value);
  if (text === undefined) return undefined;
  const number = asNumber(text);
  if (number !== undefined) {
    const at = new Date(number < mostSeconds ? number * 1000 : number);
    return Number.isNaN(at.getTime()) ? text : at.toISOString();
  }
  // "2026-02-22 23:41:11.894719+00" is the format of Postgres, which many senders use.
  const iso = text.replace(/^(\d{4}-\d\d-\d\d) (\d\d:)/, "$1T$2").replace(/([+-]\d\d)$/, "$1:00");
  return /(?:Z|[+-]\d\d:?\d\d|GMT)$/i.test(iso) && !Number.isNaN(Date.parse(iso))
    ? new Date(iso).toISOString()
    : text;
}

/** Returns the members that have a value. */
export function dropMissing(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined && value !== null),
  );
}
