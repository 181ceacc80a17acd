import { ApiError } from "../_shared/errors/errors.ts";
import type { Claim, RequestLine, SchemeRule } from "./scheme_rule.ts";

/** Largest difference between a signed time and now in seconds, unless the scheme overrides it. */
const usualTolerance = { past: 300, future: 300 };

/**
 * Reads a request's claim from its headers, before its body is read; undefined if the claim is in
 * the body.
 *
 * @throws {ApiError} `unauthorized` if a header is missing or malformed, or the time is stale
 */
export function readClaim(
  { rule, headers, now }: { rule: SchemeRule; headers: Headers; now: Date },
): Claim | undefined {
  if (rule.readBody !== undefined) return undefined;
  const names = rule.headers.find((list) => headers.has(list[0] ?? "")) ?? rule.headers[0] ?? [];
  const missing = names.find((name) => !headers.has(name));
  const challenge = rule.challenge;
  if (missing !== undefined) {
    throw refused(`Signature is missing: send the header "${missing}"`, challenge);
  }
  const values = names.map((name) => headers.get(name) ?? "");
  const claim = rule.read(values);
  if (claim === undefined) {
    const isOfTime = values.length > 1 && !/^\d+$/.test(values[1] ?? "");
    const name = isOfTime ? names[1] : names[0];
    throw refused(`Signature is malformed: see the header "${name}"`, challenge);
  }
  requireFresh({ at: claim.at, now, tolerance: rule.tolerance });
  return claim;
}

/** Reads a request's claim from its body, like `readClaim`. */
export function readBodyClaim(
  { rule, body, now }: { rule: SchemeRule; body: Uint8Array; now: Date },
): Claim {
  const claim = rule.readBody?.(body);
  if (claim === undefined) {
    throw refused('Signature is missing or malformed: see "signature" in the body');
  }
  requireFresh({ at: claim.at, now, tolerance: rule.tolerance });
  return claim;
}

/**
 * Verifies a claim against the raw bytes with every live secret.
 *
 * @throws {ApiError} `unauthorized` if no secret made any of the signatures
 */
export function verifyClaim(
  { rule, claim, body, secrets, request }: {
    rule: SchemeRule;
    claim: Claim;
    body: Uint8Array;
    secrets: readonly string[];
    request: RequestLine;
  },
): void {
  // All are tried: stopping at the first match would reveal which secret or signature it was.
  const verdicts = secrets.flatMap((secret) =>
    claim.signatures.map(rule.matcher({ claim, secret, body, request }))
  );
  if (!verdicts.includes(true)) {
    throw refused("Signature does not match: check the secret of the source", rule.challenge);
  }
}

/** Throws `unauthorized` if a signed time, in Unix seconds, is too far from now. */
export function requireFresh(
  { at, now, tolerance = usualTolerance }: {
    at: number | undefined;
    now: Date;
    tolerance: { past: number; future: number } | undefined;
  },
): void {
  if (at === undefined) return;
  const age = now.getTime() / 1000 - at;
  const most = age > 0 ? tolerance.past : tolerance.future;
  if (Math.abs(age) <= most) return;
  throw refused(`Signature is stale: its time is over ${most} seconds off`);
}

/** Response to a request that does not verify. */
export function refused(message: string, challenge = "Signature"): ApiError {
  return new ApiError("unauthorized", message, { headers: { "WWW-Authenticate": challenge } });
}
