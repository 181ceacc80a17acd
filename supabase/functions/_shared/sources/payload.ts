import { requireUtf8 } from "../http/body.ts";
import { ApiError } from "../errors/errors.ts";
import { isRecord } from "../json/json.ts";
import { parseLossless, toStorable } from "../json/lossless.ts";
import type { Scheme } from "./sources.ts";

const maxFields = 1000;

/**
 * Parses a sender's body: JSON, or a form whose field `payload` may contain JSON. Senders cannot be
 * asked to fix their payloads, so unstorable values are converted: integers beyond a double become
 * strings of their digits, U+0000 and lone surrogates become U+FFFD.
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
 * Returns the payload of a message as mappings see it; SNS sends JSON inside text, which is parsed
 * too.
 *
 * @throws {ApiError} like `parsePayload`
 */
export function readPayload(
  { scheme, body, contentType }: {
    scheme: Scheme;
    body: Uint8Array;
    contentType: string | undefined;
  },
): unknown {
  // It was verified as JSON: parsed as a form, it could contain another token than the signed one.
  if (scheme === "mailgun") return parsePayload(body, "application/json");
  // SNS labels its JSON "text/plain".
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

/**
 * Splits a payload with several events: an array becomes its members, anything else is one event.
 */
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
