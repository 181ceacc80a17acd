import type { CallerSql } from "../../_shared/access/caller.ts";

export interface RequestClaim {
  /** The caller's `Idempotency-Key`. */
  key: string;
  /** SHA-256 of the route and its input, in hex. */
  fingerprint: string;
  /** The customer whose data the answer may hold. */
  customerId: string | undefined;
}

/**
 * Claims a key for this transaction; waits for a call with the same key that is under way. Returns
 * the encrypted answer of the first call, or undefined when this is the first.
 *
 * @throws SP409 when the first call was a different request.
 */
export async function claimRequest(
  tx: CallerSql,
  { key, fingerprint, customerId }: RequestClaim,
): Promise<string | undefined> {
  const rows = await tx<{ answer: string | null }[]>`
    select private.claim_request(${key}, ${fingerprint}, ${customerId ?? null}) as answer
  `;
  return rows[0]?.answer ?? undefined;
}

/** Keeps the encrypted answer of the call that claimed the key. */
export async function keepAnswer(
  tx: CallerSql,
  { key, answer }: { key: string; answer: string },
): Promise<void> {
  await tx`select private.keep_answer(${key}, ${answer})`;
}
