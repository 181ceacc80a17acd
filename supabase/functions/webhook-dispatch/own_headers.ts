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
  const secrets = listSecrets(own);
  const { response_snippet: snippet, response_headers: headers } = outcome;
  if (secrets.length === 0 || headers === null) return outcome;
  const hide = (text: string) => hideIn(text, secrets);
  return {
    ...outcome,
    response_snippet: snippet === null ? null : hide(snippet),
    response_headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, hide(value)]),
    ),
  };
}

/** Lists the values, their words ("Bearer …"), and how both read inside JSON; long ones first. */
function listSecrets(own: readonly OwnHeader[]): string[] {
  const plain = own.flatMap(([, value]) => [value, ...value.split(" ")])
    .filter((text) => text.length >= minHiddenLength);
  const quoted = plain.map((text) => JSON.stringify(text).slice(1, -1));
  return [...new Set([...plain, ...quoted])].toSorted((a, b) => b.length - a.length);
}

function hideIn(text: string, secrets: readonly string[]): string {
  const hidden = secrets.reduce((rest, secret) => rest.replaceAll(secret, hiddenValue), text);
  // A response is kept only in part, so a value can be cut off at its end.
  for (const secret of secrets) {
    for (let length = secret.length - 1; length >= minHiddenLength; length--) {
      if (hidden.endsWith(secret.slice(0, length))) return hidden.slice(0, -length) + hiddenValue;
    }
  }
  return hidden;
}
