import { ApiError } from "../_shared/errors.ts";
import type { Scheme } from "../_shared/inbound/sources.ts";
import { type Claim, schemeRules } from "./schemes.ts";

/** How far a signed time may lie from now, in either direction. */
const toleranceSeconds = 300;

/**
 * Reads what a request claims, before its body is read.
 *
 * @throws {ApiError} `unauthorized` when a header is missing or malformed, or the time is stale
 */
export function readClaim(
  { scheme, headers, now }: { scheme: Scheme; headers: Headers; now: Date },
): Claim {
  const rule = schemeRules[scheme];
  const names = rule.headers.find((list) => headers.has(list[0] ?? "")) ?? rule.headers[0] ?? [];
  const missing = names.find((name) => !headers.has(name));
  if (missing !== undefined) throw refused(`Signature is missing: send the header "${missing}"`);
  const claim = rule.read(names.map((name) => headers.get(name) ?? ""));
  if (claim === undefined) throw refused(`Signature is malformed: see the header "${names[0]}"`);
  if (claim.timestamp !== undefined) {
    const offset = Math.abs(now.getTime() / 1000 - Number(claim.timestamp));
    if (offset > toleranceSeconds) {
      throw refused(`Signature is stale: its time is over ${toleranceSeconds} seconds off`);
    }
  }
  return claim;
}

/**
 * Checks a claim against the raw bytes under every live secret.
 *
 * @throws {ApiError} `unauthorized` when none of the secrets made any of the signatures
 */
export function verifyClaim(
  { scheme, claim, body, secrets }: {
    scheme: Scheme;
    claim: Claim;
    body: Uint8Array;
    secrets: readonly string[];
  },
): void {
  const { matcher } = schemeRules[scheme];
  // All are tried: stopping at the first match would tell which secret or signature it was.
  const verdicts = secrets.flatMap((secret) =>
    claim.signatures.map(matcher({ claim, secret, body }))
  );
  if (!verdicts.includes(true)) {
    throw refused("Signature does not match: check the secret of the source");
  }
}

function refused(message: string): ApiError {
  return new ApiError("unauthorized", message, { headers: { "WWW-Authenticate": "Signature" } });
}
