import { ApiError } from "../errors.ts";
import { isRecord } from "../json.ts";

/**
 * Parses what a sender sent: JSON, or a form whose field `payload` may hold JSON. Senders cannot be
 * asked to mend their payloads, so what cannot be kept as it is is kept as nearly as it can be:
 * integers that no double holds become strings of their digits, U+0000 and lone surrogates U+FFFD.
 *
 * @throws {ApiError} `invalid_json`, `unsupported_media_type`
 */
export function parsePayload(body: Uint8Array, contentType: string | undefined): unknown {
  const mediaType = (contentType ?? "application/json").split(";")[0]?.trim().toLowerCase() ?? "";
  const text = decode(body);
  if (/^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(mediaType)) return parseLossless(text);
  if (mediaType !== "application/x-www-form-urlencoded") {
    const message = `Content-Type is "${mediaType.slice(0, 100)}": send application/json`;
    throw new ApiError("unsupported_media_type", message);
  }
  const form = Object.fromEntries(new URLSearchParams(mend(text)));
  return form.payload === undefined ? form : parseLossless(form.payload);
}

/** Parses JSON text; see `parsePayload` for what is changed on the way. */
export function parseLossless(text: string): unknown {
  try {
    return JSON.parse(text, keepNumber);
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : "it is nested too deeply";
    throw new ApiError("invalid_json", `Body is not valid JSON: ${reason}`);
  }
}

/** The events of a payload that holds several: an array is taken apart, all else is one. */
export function splitPayload(payload: unknown): readonly unknown[] {
  return Array.isArray(payload) ? payload : [payload];
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw new ApiError("invalid_json", "Body is not valid UTF-8");
  }
}

function keepNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === "string") return mend(value);
  if (isRecord(value)) return mendKeys(value);
  if (typeof value !== "number" || context?.source === undefined) return value;
  const { source } = context;
  if (!Number.isFinite(value)) return source;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? source : value;
}

function mend(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

function mendKeys(object: Record<string, unknown>): Record<string, unknown> {
  const keys = Object.keys(object);
  if (keys.every((key) => mend(key) === key)) return object;
  return Object.fromEntries(keys.map((key) => [mend(key), object[key]]));
}
