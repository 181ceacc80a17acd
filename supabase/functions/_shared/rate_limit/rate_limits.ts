import type { CallerSql } from "../access/caller.ts";
import type { Sql } from "../db/connect.ts";

/** The two quotas of a plan: ingest counts entries, api counts requests. */
export type Bucket = "ingest" | "api";

/** Tokens that a bucket granted, and its state afterwards. */
export interface TokenGrant {
  granted: number;
  /** Below zero where more than a bucket was taken at once. */
  remaining: number;
  perSecond: number;
  burst: number;
  /** How long nothing is granted because the plan's bytes a day are used up; null: they are not. */
  blockedSeconds: number | null;
  /** Null for the api's bucket. */
  bytesPerDay: number | null;
  planId: string;
}

/** Request for tokens of a bucket. */
export interface TokenRequest {
  workspaceId: string;
  bucket: Bucket;
  /** With fewer than this in the bucket, nothing is granted. */
  needed: number;
  /** The most that is granted. */
  wanted: number;
  /** Taken on top of what is granted, whatever is left. */
  debt: number;
}

/** Takes tokens out of a workspace's bucket; undefined for an unknown workspace. */
export async function takeTokens(sql: Sql, request: TokenRequest): Promise<TokenGrant | undefined> {
  const { workspaceId, bucket, needed, wanted, debt } = request;
  const rows = await sql<TokenGrant[]>`
    select ${columns(sql)}
    from private.take_tokens(${workspaceId}, ${bucket}, ${needed}, ${wanted}, ${debt}) as t
  `;
  return rows[0];
}

/**
 * Takes tokens of `ingest` within the caller's transaction, whose end frees the bucket: the last
 * thing to be done in it. What is rolled back, or run again, costs nothing.
 */
export async function takeIngestTokens(
  tx: CallerSql,
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
