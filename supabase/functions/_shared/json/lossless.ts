import { ApiError } from "../errors/errors.ts";
import { isRecord, parseUninspected, suspiciousText } from "./json.ts";
import { quoteUnsafeNumbers } from "./numbers.ts";
import { nestsOver } from "./scan.ts";

// Far more than an entry may have, and far less than overflows the stack.
const maxLevels = 4000;

/**
 * Parses JSON whose sender cannot correct it, and keeps what `parseJson` would refuse: integers that
 * no double holds become strings of their digits, U+0000 and lone surrogates U+FFFD.
 *
 * @throws {ApiError} `invalid_json`, `payload_too_large`
 */
export function parseLossless(text: string): unknown {
  if (nestsOver(text, maxLevels)) {
    throw new ApiError("invalid_json", "Body is not valid JSON: it is nested too deeply");
  }
  const value = parseUninspected(text);
  const quoted = quoteUnsafeNumbers(text);
  const exact = quoted === text ? value : parseUninspected(quoted);
  return suspiciousText.test(text) ? toStorableValue(exact) : exact;
}

/** Replaces U+0000 and lone surrogates, which Postgres cannot store, by U+FFFD. */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

function toStorableValue(value: unknown): unknown {
  if (typeof value === "string") return toStorable(value);
  if (Array.isArray(value)) return value.map(toStorableValue);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [toStorable(key), toStorableValue(member)]),
  );
}
