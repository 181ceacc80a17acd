import { maskApiKeys } from "../access/keys.ts";
import { outboundLimits } from "./limits.ts";

/** Headers of a response by lower-case name; several of one name are an array. */
export type ReceivedHeaders = Record<string, string | string[] | undefined>;

/** Headers whose values are secrets between the receiver and its clients. */
const secretNames: ReadonlySet<string> = new Set(["set-cookie"]);
const hiddenValue = "…";
const plainText = /^[\t\x20-\x7e]*$/;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Returns the first headers of a response as text that Postgres can store: at most 50, with names
 * and values of at most 2 KiB in all. The first that exceeds this and all after it are left out.
 */
export function keepResponseHeaders(received: ReceivedHeaders): Record<string, string> {
  const { maxHeaders, headerBytes } = outboundLimits;
  const kept: [name: string, value: string][] = [];
  let left = headerBytes;
  for (const [name, values] of Object.entries(received).slice(0, maxHeaders)) {
    const value = secretNames.has(name) ? hiddenValue : clean([values ?? []].flat().join(", "));
    left -= countBytes(name) + countBytes(value);
    if (left < 0) break;
    kept.push([name, value]);
  }
  // Unlike an assignment, this also keeps a header with the name "__proto__".
  return Object.fromEntries(kept);
}

/** Reads a value as UTF-8, of which undici made one character per byte. */
function clean(value: string): string {
  return maskApiKeys(plainText.test(value) ? value : decodeBytes(value));
}

function decodeBytes(value: string): string {
  const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0));
  return decoder.decode(bytes).replaceAll("\0", "\ufffd");
}

function countBytes(text: string): number {
  return plainText.test(text) ? text.length : encoder.encode(text).length;
}
