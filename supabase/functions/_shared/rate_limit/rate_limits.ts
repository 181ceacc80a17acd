import type { Sql } from "../db/connect.ts";

/** The two quotas of a plan: `ingest` counts entries, `api` counts requests. */
export type Bucket = "ingest" | "api";

/** Tokens that a bucket granted, and its state afterwards. */
export interface TokenGrant {
  granted: number;
  /** Below zero if more than a bucket was taken at once. */
  remaining: number;
  perSecond: number;
  burst: number;
  /** Seconds without any grant because the plan's daily bytes are used up; null if they are not. */
  blockedSeconds: number | null;
  /** Null for the bucket `api`. */
  bytesPerDay: number | null;
  planId: string;
}

/** Request for tokens of a bucket. */
export interface TokenRequest {
  workspaceId: string;
  bucket: Bucket;
  /** Grants nothing if the bucket has fewer tokens. */
  needed: number;
  /** Most tokens to grant. */
  wanted: number;
  /** Tokens taken in addition to the grant, even if the bucket is empty. */
  debt: number;
}

/** Takes tokens from a workspace's bucket; undefined for an unknown workspace. */
export async function takeTokens(sql: Sql, request: TokenRequest): Promise<TokenGrant | undefined> {
  const { workspaceId, bucket, needed, wanted, debt } = request;
  const rows = await sql<TokenGrant[]>`
    select ${columns(sql)}
    from private.take_tokens(${workspaceId}, ${bucket}, ${needed}, ${wanted}, ${debt}) as t
  `;
  return rows[0];
}

/**
 * Takes `ingest` tokens within the caller's transaction, which locks the bucket until it ends: call
 * it last. A rollback or a retry costs nothing.
 */
export async function takeIngestTokens(
  tx: Sql,
  { workspaceId, needed, wanted, debt }: TokenRequest,
): Promise<TokenGrant | undefined> {
  const rows = await tx<TokenGrant[]>`
    select ${columns(tx)}
    from private.take_ingest_tokens(${workspaceId}, ${needed}, ${wanted}, ${debt}) as t
  `;
  return rows[0];
}

function columns(sql: Sql) {
  return sql`
    t.granted, t.remaining, t.per_second as "perSecond", t.burst,
    t.blocked_seconds as "blockedSeconds", t.bytes_per_day::double precision as "bytesPerDay",
    t.plan_id as "planId"
  `;
}
