import type { SendOutcome } from "../_shared/outbound/guarded_fetch.ts";

/** A header that the owner of a destination added, decrypted. */
export type OwnHeader = readonly [name: string, value: string];

/** A shorter text is hardly a secret, and hiding it could make a response unreadable. */
const minHiddenLength = 8;
const hiddenValue = "…";

/** Adds a destination's own headers to those of the service, which win in any case. */
export function addHeaders(
  service: Record<string, string>,
  own: readonly OwnHeader[],
): Record<string, string> {
  if (own.length === 0) return service;
  const taken = new Set(Object.keys(service).map((name) => name.toLowerCase()));
  const added = own.filter(([name]) => !taken.has(name.toLowerCase()));
  // Unlike an assignment, this also keeps a header with the name "__proto__".
  return Object.fromEntries([...added, ...Object.entries(service)]);
}

/** Hides values of headers that a receiver repeats in its response, which members can read. */
export function hideValues(own: readonly OwnHeader[], outcome: SendOutcome): SendOutcome {
  const { response_snippet: snippet, response_headers: headers } = outcome;
  if (own.length === 0 || headers === null) return outcome;
  const secrets = listSecrets(own);
  return {
    ...outcome,
    response_snippet: snippet === null ? null : hideEnd(hideIn(snippet, secrets), secrets),
    response_headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, hideIn(value, secrets)]),
    ),
  };
}

/** Lists the values, without their scheme ("Bearer …") too, and how they read inside JSON. */
function listSecrets(own: readonly OwnHeader[]): string[] {
  const plain = own.flatMap(([, value]) => [value, value.slice(value.indexOf(" ") + 1)]);
  const quoted = plain.map((text) => JSON.stringify(text).slice(1, -1));
  return [...new Set([...plain, ...quoted])]
    .filter((text) => text.length >= minHiddenLength)
    .toSorted((a, b) => b.length - a.length);
}

function hideIn(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, hiddenValue), text);
}

/** Hides a value at the end: a response is kept only in part, and may be cut off inside one. */
function hideEnd(text: string, secrets: readonly string[]): string {
  for (const secret of secrets) {
    const start = secret.slice(0, minHiddenLength);
    for (
      let at = text.indexOf(start, text.length - secret.length);
      at >= 0;
      at = text.indexOf(start, at + 1)
    ) {
      if (secret.startsWith(text.slice(at))) return text.slice(0, at) + hiddenValue;
    }
  }
  return text;
}
