import type { CallerSql } from "./caller.ts";

/** Claim of an `Idempotency-Key` for a request. */
export interface RequestClaim {
  /** The caller's `Idempotency-Key`. */
  key: string;
  /** SHA-256 of the route and its input, in hex. */
  fingerprint: string;
  /** Customer whose data the response may contain. */
  customerId: string | undefined;
}

/**
 * Claims a key for this transaction; waits for a running call with the same key. Returns the
 * encrypted response of the first call, or undefined if this is the first.
 *
 * @throws SP409 if the first call was a different request.
 */
export async function claimRequest(
  tx: CallerSql,
  { key, fingerprint, customerId }: RequestClaim,
): Promise<string | undefined> {
  const rows = await tx<{ response: string | null }[]>`
    select private.claim_request(${key}, ${fingerprint}, ${customerId ?? null}) as response
  `;
  return rows[0]?.response ?? undefined;
}

/** Stores the encrypted response of the call that claimed the key. */
export async function keepResponse(
  tx: CallerSql,
  { key, response }: { key: string; response: string },
): Promise<void> {
  await tx`select private.keep_response(${key}, ${response})`;
}
