import { retryLostRaces } from "../_shared/db/retry.ts";
import type { Sql } from "../_shared/db/connect.ts";
import type { Definition } from "../_shared/journeys/definition.ts";
import type { RunState, Turn } from "./facts.ts";

/** Channel on which the database announces due runs without pg_net. */
export const runChannel = "automation";

/** A run to look at now, under a lease. */
export interface ClaimedRun extends RunState {
  /** Token of the claim: a result with this token is void if another worker has moved the run. */
  claim: string;
  workspace_id: string;
  entered_at: Date;
  /**
   * Number of events about the run so far; if it has grown when the claim ends, the run is due
   * again.
   */
  wakes: number;
}

/** Version of a journey. */
export interface VersionKey {
  workspace_id: string;
  journey_id: string;
  version: number;
}

/** Result of a claimed run. */
export interface RunResult extends VersionKey, Turn {
  claim: string;
  run_id: string;
  customer_id: string;
  entered_at: Date;
  wakes: number;
}

/** Time for the database to use; undefined for its own clock, as always outside tests. */
export type DatabaseTime = Date | undefined;

const timeOf = (now: DatabaseTime) => now?.toISOString() ?? null;

/** Claims about `limit` runs that are due. */
export async function claimRuns(
  sql: Sql,
  { limit, leaseSeconds, now }: { limit: number; leaseSeconds: number; now?: DatabaseTime },
): Promise<ClaimedRun[]> {
  const rows = await sql<ClaimedRun[]>`
    select * from private.claim_runs(
      ${limit}, make_interval(secs => ${leaseSeconds}),
      coalesce(${timeOf(now)}::timestamptz, clock_timestamp())
    )
  `;
  return [...rows];
}

/** Returns the definitions of these versions. */
export async function findDefinitions(
  sql: Sql,
  versions: readonly VersionKey[],
): Promise<(VersionKey & { definition: Definition })[]> {
  return await sql<(VersionKey & { definition: Definition })[]>`
    select * from private.find_definitions(${JSON.stringify(versions)}::text::jsonb)
  `;
}

/** Records results in one transaction; returns how many claims still stood. */
export async function completeRuns(
  sql: Sql,
  results: readonly RunResult[],
  now?: DatabaseTime,
): Promise<number> {
  const rows = await retryLostRaces(() =>
    sql<{ ended: number }[]>`
      select private.complete_runs(
        ${JSON.stringify(results)}, coalesce(${timeOf(now)}::timestamptz, clock_timestamp())
      ) as ended
    `
  );
  return rows[0]?.ended ?? 0;
}

/** Makes runs of lost workers due again; returns how many. */
export async function expireClaims(sql: Sql, now?: DatabaseTime): Promise<number> {
  const rows = await sql<{ expired: number }[]>`
    select private.expire_run_claims(
      coalesce(${timeOf(now)}::timestamptz, clock_timestamp())
    ) as expired
  `;
  return rows[0]?.expired ?? 0;
}

/** Milliseconds until there is work, 0 or less if there is some now; null if none is known. */
export async function findNextWork(sql: Sql, now?: DatabaseTime): Promise<number | null> {
  const rows = await sql<{ ms: number | null }[]>`
    select (extract(epoch from nullif(private.next_run_at(n.now), 'infinity') - n.now) * 1000)::float8 as ms
    from (
      select coalesce(${timeOf(now)}::timestamptz, clock_timestamp()) as now
    ) as n
  `;
  return rows[0]?.ms ?? null;
}

/** Wakes the next worker if there is work for one now; the caller stops looking for work. */
export async function passOnWork(sql: Sql, now?: DatabaseTime): Promise<void> {
  await sql`
    select private.wake_automation_if_due(
      coalesce(${timeOf(now)}::timestamptz, clock_timestamp()), true
    )
  `;
}

/** Announces that the caller looks for work for this time, and once more a second later. */
export async function watchRuns(sql: Sql, ms: number): Promise<void> {
  await sql`select private.watch_runs(${Math.round(ms)} * interval '1 millisecond')`;
}

/** Works one step of a job; returns 0 when none is due. */
export async function workJobs(sql: Sql, now?: DatabaseTime): Promise<number> {
  const rows = await retryLostRaces(() =>
    sql<{ done: number }[]>`
      select private.work_journey_jobs(
        coalesce(${timeOf(now)}::timestamptz, clock_timestamp())
      ) as done
    `
  );
  return rows[0]?.done ?? 0;
}
