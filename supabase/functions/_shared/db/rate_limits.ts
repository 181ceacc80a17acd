import type { Sql } from "./connect.ts";

/** The two quotas of a plan: ingest counts entries, api counts requests. */
export type Bucket = "ingest" | "api";

/** What a bucket gave and what it is like. */
export interface TokenGrant {
  granted: number;
  /** Below zero where more than a bucket was taken at once. */
  remaining: number;
  perSecond: number;
  burst: number;
}

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
    select t.granted, t.remaining, t.per_second as "perSecond", t.burst
    from private.take_tokens(${workspaceId}, ${bucket}, ${needed}, ${wanted}, ${debt}) as t
  `;
  return rows[0];
}
