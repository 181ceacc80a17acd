import {
  type AttemptResult,
  claimDeliveries,
  type ClaimedDelivery,
  completeDeliveries,
} from "../../supabase/functions/webhook-dispatch/dispatch_queue.ts";
import { createUuidV7 } from "../../supabase/functions/_shared/ids/uuid_v7.ts";
import type { DispatchWorld } from "../service/dispatch_world.ts";

/** The queue as a dispatcher uses it, without the sending. */
export interface Worker {
  claim(limit?: number): Promise<ClaimedDelivery[]>;
  /** Reports the results of deliveries; returns how many claims were still standing. */
  complete(deliveries: ClaimedDelivery[], result?: Partial<AttemptResult>): Promise<number>;
  /** As `complete`, with failures that are due again in 5 s. */
  fail(deliveries: ClaimedDelivery[], result?: Partial<AttemptResult>): Promise<number>;
}

/** One dispatcher, going by the world's clock. */
export function createWorker(world: DispatchWorld): Worker {
  const { sql, clock } = world;
  const worker = crypto.randomUUID();
  const complete: Worker["complete"] = (deliveries, result = {}) =>
    completeDeliveries(sql, deliveries.map((d) => describe(d, clock.now, result)), clock.now);
  return {
    claim: (limit = 500) =>
      claimDeliveries(sql, { worker, limit, leaseSeconds: 60, now: clock.now }),
    complete,
    fail: (deliveries, result = {}) =>
      complete(deliveries, {
        action: "retry",
        ok: false,
        status_code: 500,
        next_attempt_at: new Date(clock.now.getTime() + 5_000),
        ...result,
      }),
  };
}

/** A successful attempt, unless told otherwise. */
export function describe(
  delivery: Omit<
    ClaimedDelivery,
    "body" | "url" | "secrets" | "headers" | "max_concurrency" | "try_number"
  >,
  now: Date,
  result: Partial<AttemptResult> = {},
): AttemptResult {
  const { claim, workspace_id, destination_id, message_id, message_created_at } = delivery;
  const { event_type, attempt_number, trigger } = delivery;
  return {
    claim,
    id: createUuidV7(now),
    workspace_id,
    destination_id,
    message_id,
    message_created_at,
    event_type,
    attempt_number,
    trigger,
    action: "delivered",
    ok: true,
    status_code: 200,
    response_snippet: null,
    response_headers: null,
    error: null,
    duration_ms: 5,
    attempted_at: now,
    next_attempt_at: null,
    reason: null,
    ...result,
  };
}

/** State of a destination's lane. */
export interface LaneRow {
  is_enabled: boolean;
  in_flight: number;
  ready_at: Date | null;
  due_at: Date | null;
  open_until: Date | null;
  probes: number | null;
  failures: number;
  is_failing: boolean;
  capacity: number;
}

/** Reads the lane of a destination. */
export async function readLane(world: DispatchWorld, destinationId: string): Promise<LaneRow> {
  const [lane] = await world.sql<LaneRow[]>`
    select * from private.lanes where destination_id = ${destinationId}
  `;
  return lane!;
}

/** Counts the messages in the queue. */
export async function countQueue(world: DispatchWorld): Promise<number> {
  const [row] = await world.sql<{ rows: number }[]>`
    select count(*)::int as rows from private.webhook_queue
  `;
  return row!.rows;
}
