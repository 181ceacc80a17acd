import type { Sql } from "../_shared/db/connect.ts";
import { retryLostRaces } from "../_shared/db/retry.ts";

/** Channel on which the database announces work without pg_net. */
export const workChannel = "webhook_dispatch";

/** Reason for an attempt. */
export type DeliveryTrigger = "event" | "retry" | "replay" | "test";

/** A message to be sent to a destination now, under a lease. */
export interface ClaimedDelivery {
  /** Token of the claim: results with it are void once the lease has expired. */
  claim: string;
  workspace_id: string;
  destination_id: string;
  message_id: string;
  message_created_at: Date;
  /** The message's type, text and URL; null if erased or deleted, so that nothing is sent. */
  event_type: string | null;
  body: string | null;
  url: string | null;
  /** Ciphertexts of the live secrets, the current one first; null if there are none. */
  secrets: string[] | null;
  /** Ciphertexts of the destination's own headers by name; null if there are none. */
  headers: Record<string, string> | null;
  max_concurrency: number | null;
  /** 1-based, over all attempts of the message at the destination. */
  attempt_number: number;
  /** 1-based, within this run of the schedule. */
  try_number: number;
  trigger: DeliveryTrigger;
}

/** Result of a claimed delivery, besides an attempt's outcome. */
export type ResultAction = "delivered" | "retry" | "exhausted" | "disable" | "release" | "drop";

/** Result of a claimed delivery. `release` and `drop` are not attempts and are not logged. */
export interface AttemptResult {
  claim: string;
  /** The delivery's id in the log: a version 7 UUID of `attempted_at`. */
  id: string;
  workspace_id: string;
  destination_id: string;
  message_id: string;
  message_created_at: Date;
  event_type: string | null;
  attempt_number: number;
  trigger: DeliveryTrigger;
  action: ResultAction;
  ok: boolean;
  status_code: number | null;
  response_snippet: string | null;
  response_headers: Record<string, string> | null;
  error: string | null;
  duration_ms: number | null;
  /** In whole milliseconds. */
  attempted_at: Date;
  next_attempt_at: Date | null;
  /** Reason for disabling the destination. */
  reason: string | null;
}

/** Time for the database to use; undefined for its own clock, as always outside tests. */
export type DatabaseTime = Date | undefined;

export interface ClaimOptions {
  /** Name of the dispatcher. */
  worker: string;
  /** Approximate maximum of deliveries. */
  limit: number;
  leaseSeconds: number;
  /** Leaves out destinations whose last attempt failed. @default false */
  isOnlyProven?: boolean;
  now?: DatabaseTime;
}

/** Claims due deliveries. */
export async function claimDeliveries(
  sql: Sql,
  { worker, limit, leaseSeconds, isOnlyProven = false, now }: ClaimOptions,
): Promise<ClaimedDelivery[]> {
  const rows = await sql<ClaimedDelivery[]>`
    select * from private.claim_deliveries(
      ${worker}, ${limit}, make_interval(secs => ${leaseSeconds}), ${isOnlyProven},
      coalesce(${now?.toISOString() ?? null}::timestamptz, clock_timestamp())
    )
  `;
  return [...rows];
}

/**
 * Records results in one statement, in the order in which they ended. Safe to repeat: each attempt
 * is logged and counted once. Returns the number of ended claims; the others had expired.
 */
export async function completeDeliveries(
  sql: Sql,
  results: readonly AttemptResult[],
  now?: DatabaseTime,
): Promise<number> {
  const batch = JSON.stringify(results.map((result, i) => ({ position: i + 1, ...result })));
  const rows = await retryLostRaces(() =>
    sql<{ ended: number }[]>`
      select private.complete_deliveries(
        ${batch}, coalesce(${now?.toISOString() ?? null}::timestamptz, clock_timestamp())
      ) as ended
    `
  );
  return rows[0]?.ended ?? 0;
}

/** Makes deliveries of lost dispatchers due again; returns how many. */
export async function expireClaims(sql: Sql, now?: DatabaseTime): Promise<number> {
  const rows = await sql<{ expired: number }[]>`
    select private.expire_claims(
      p_now => coalesce(${now?.toISOString() ?? null}::timestamptz, clock_timestamp())
    ) as expired
  `;
  return rows[0]?.expired ?? 0;
}

/**
 * Runs one batch of the replay or recovery whose turn it is; returns 0 if there is none. A failed
 * batch loses its turn, because the turn is committed first.
 */
export async function workJobs(sql: Sql, now?: DatabaseTime): Promise<number> {
  const at = now?.toISOString() ?? null;
  const [job] = await sql<{ workspace_id: string; job_id: string }[]>`
    select j.workspace_id, j.job_id
    from private.take_job(coalesce(${at}::timestamptz, clock_timestamp())) as j
  `;
  if (job === undefined) return 0;
  const [batch] = await sql<{ queued: number }[]>`
    select private.work_job(
      ${job.workspace_id}, ${job.job_id},
      p_now => coalesce(${at}::timestamptz, clock_timestamp())
    ) as queued
  `;
  return Math.max(1, batch!.queued);
}

/**
 * Queues messages that their call left for later: one step, for one workspace. Returns the number
 * of messages; 0 if none are left, or another dispatcher is queuing them.
 */
export async function workFanOuts(sql: Sql): Promise<number> {
  const rows = await sql<{ queued: number }[]>`select private.work_fan_outs() as queued`;
  return rows[0]?.queued ?? 0;
}

/** Milliseconds until there is work, 0 or less if there is some now; null if none is known. */
export async function findNextWork(sql: Sql, now?: DatabaseTime): Promise<number | null> {
  const rows = await sql<{ ms: number | null }[]>`
    select (extract(epoch from private.next_ready_at(n.now) - n.now) * 1000)::float8 as ms
    from (
      select coalesce(${now?.toISOString() ?? null}::timestamptz, clock_timestamp()) as now
    ) as n
  `;
  return rows[0]?.ms ?? null;
}

/** Wakes the next dispatcher if there is work for one now; the caller stops looking for work. */
export async function passOnWork(sql: Sql, now?: DatabaseTime): Promise<void> {
  await sql`
    select private.wake_if_due(
      coalesce(${now?.toISOString() ?? null}::timestamptz, clock_timestamp()), true
    )
  `;
}

/** Wakes a dispatcher, unless that happened three times within the last 10 ms. */
export async function wakeDispatcher(sql: Sql): Promise<void> {
  await sql`select private.wake_dispatcher()`;
}

/** Announces that the caller looks for work for this time, and once more a second later. */
export async function watchQueue(sql: Sql, ms: number): Promise<void> {
  await sql`select private.watch_queue(${Math.round(ms)} * interval '1 millisecond')`;
}
