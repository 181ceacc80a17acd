import type { Sql } from "../_shared/db/connect.ts";
import { retryLostRaces } from "../_shared/db/retry.ts";

/** Channel on which the database announces work where there is no pg_net. */
export const workChannel = "webhook_dispatch";

/** Why an attempt is made. */
export type DeliveryTrigger = "event" | "retry" | "replay" | "test";

/** A message to be sent to a destination now, under a lease. */
export interface ClaimedDelivery {
  /** Fences everything said of this delivery: void once the lease has run out. */
  claim: string;
  workspace_id: string;
  destination_id: string;
  message_id: string;
  message_created_at: Date;
  /** The message's type, text and the address; null when erased or deleted: nothing to send. */
  event_type: string | null;
  body: string | null;
  url: string | null;
  /** Ciphertexts of the live secrets, the current one first; null without any. */
  secrets: string[] | null;
  max_concurrency: number | null;
  /** 1-based, over all attempts of the message at the destination. */
  attempt_number: number;
  /** 1-based, within this run of the schedule. */
  try_number: number;
  trigger: DeliveryTrigger;
}

/** What a claimed delivery comes to, besides an attempt's outcome. */
export type ResultAction = "delivered" | "retry" | "exhausted" | "disable" | "release" | "drop";

/** What came of a claimed delivery. `release` and `drop` were no attempts and are not logged. */
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
  error: string | null;
  duration_ms: number | null;
  /** In whole milliseconds. */
  attempted_at: Date;
  next_attempt_at: Date | null;
  /** Why the destination is to be disabled. */
  reason: string | null;
}

/** Time for the database to go by; undefined for its own clock, as always outside of tests. */
export type DatabaseTime = Date | undefined;

export interface ClaimOptions {
  /** Names the dispatcher. */
  worker: string;
  /** About the most that is taken. */
  limit: number;
  leaseSeconds: number;
  /** Leaves out destinations whose last attempt was no success. @default false */
  isOnlyProven?: boolean;
  now?: DatabaseTime;
}

/** Takes deliveries that are due. */
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
 * Records results, in the order in which they ended, in one statement. May be told again: each
 * attempt is logged and counted once. Returns how many claims ended; the others ran out before.
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

/** Makes deliveries due again whose dispatcher is gone; returns how many. */
export async function expireClaims(sql: Sql, now?: DatabaseTime): Promise<number> {
  const rows = await sql<{ expired: number }[]>`
    select private.expire_claims(
      p_now => coalesce(${now?.toISOString() ?? null}::timestamptz, clock_timestamp())
    ) as expired
  `;
  return rows[0]?.expired ?? 0;
}

/**
 * Works one batch of the replay or recovery whose turn it is; returns 0 when none is left to do. One
 * that fails has lost its turn, for that is committed first.
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
 * Queues messages that their call left to be queued: one step, of one workspace. Returns how many
 * messages; 0 when none is left, or another dispatcher is at it.
 */
export async function workFanOuts(sql: Sql): Promise<number> {
  const rows = await sql<{ queued: number }[]>`select private.work_fan_outs() as queued`;
  return rows[0]?.queued ?? 0;
}

/** Milliseconds until there is work, 0 or less when there is some now; null when none is known. */
export async function findNextWork(sql: Sql, now?: DatabaseTime): Promise<number | null> {
  const rows = await sql<{ ms: number | null }[]>`
    select (extract(epoch from private.next_ready_at(n.now) - n.now) * 1000)::float8 as ms
    from (
      select coalesce(${now?.toISOString() ?? null}::timestamptz, clock_timestamp()) as now
    ) as n
  `;
  return rows[0]?.ms ?? null;
}

/** Wakes the next dispatcher when there is work for one now; the caller looks no more. */
export async function passOnWork(sql: Sql, now?: DatabaseTime): Promise<void> {
  await sql`
    select private.wake_if_due(
      coalesce(${now?.toISOString() ?? null}::timestamptz, clock_timestamp()), true
    )
  `;
}

/** Wakes a dispatcher, unless that was done three times within the last 200 ms. */
export async function wakeDispatcher(sql: Sql): Promise<void> {
  await sql`select private.wake_dispatcher()`;
}

/** Says that the caller looks for work for so long, and once more a second later. */
export async function watchQueue(sql: Sql, ms: number): Promise<void> {
  await sql`select private.watch_queue(${Math.round(ms)} * interval '1 millisecond')`;
}
