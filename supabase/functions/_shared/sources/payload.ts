import { requireUtf8 } from "../http/body.ts";
import { ApiError } from "../platform/errors.ts";
import { isRecord } from "../json/json.ts";
import { parseLossless, toStorable } from "../json/lossless.ts";
import type { Scheme } from "./sources.ts";

const maxFields = 1000;

/**
 * Parses what a sender sent: JSON, or a form whose field `payload` may hold JSON. Senders cannot be
 * asked to mend their payloads, so what cannot be kept as it is is kept as nearly as it can be:
 * integers that no double holds become strings of their digits, U+0000 and lone surrogates U+FFFD.
 *
 * @throws {ApiError} `invalid_json`, `unsupported_media_type`
 */
export function parsePayload(body: Uint8Array, contentType: string | undefined): unknown {
  const [sent = "", ...parameters] = (contentType ?? "application/json").split(";");
  const mediaType = sent.trim().toLowerCase();
  requireUtf8(parameters);
  const text = decode(body);
  if (/^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(mediaType)) return parseLossless(text);
  if (mediaType !== "application/x-www-form-urlencoded") {
    const message = `Content-Type is "${mediaType.slice(0, 100)}": send application/json`;
    throw new ApiError("unsupported_media_type", message);
  }
  if (text.split("&", maxFields + 1).length > maxFields) {
    throw new ApiError("payload_too_large", `Form must not have over ${maxFields} fields`);
  }
  const form = Object.fromEntries(new URLSearchParams(toStorable(text)));
  return form.payload === undefined ? form : parseLossless(form.payload);
}

/**
 * The payload of a message, as mappings see it: that of SNS is JSON in a text, which is parsed too.
 *
 * @throws {ApiError} as `parsePayload`
 */
export function readPayload(
  { scheme, body, contentType }: {
    scheme: Scheme;
    body: Uint8Array;
    contentType: string | undefined;
  },
): unknown {
  // It was verified as JSON: read as a form it could hold another token than the one signed.
  if (scheme === "mailgun") return parsePayload(body, "application/json");
  // SNS says "text/plain" of its JSON.
  if (scheme !== "sns") return parsePayload(body, contentType);
  const envelope = parsePayload(body, "application/json");
  const message = isRecord(envelope) ? envelope.Message : undefined;
  if (typeof message !== "string" || !/^\s*[[{]/.test(message)) return envelope;
  try {
    return { ...envelope as object, Message: parseLossless(message) };
  } catch {
    return envelope;
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
