import type { Sql } from "../_shared/db/connect.ts";
import type { Log } from "../_shared/log/log.ts";
import type { Task, Work } from "../_shared/work/work.ts";
import {
  type AttemptResult,
  claimDeliveries,
  type ClaimedDelivery,
  completeDeliveries,
  expireClaims,
  findNextWork,
  passOnWork,
  watchQueue,
} from "./dispatch_queue.ts";
import { createSendDelivery, endUnsent, type SendDeps } from "./send_delivery.ts";

export interface DispatchWorkDeps extends SendDeps {
  sql: Sql;
  /** Time for the database. @default its own clock */
  databaseNow?: () => Date;
}

/** Longer than a delivery may take to wait here, be sent and be recorded. */
const leaseSeconds = 60;

/** Creates the work of one run: deliveries, one lane per destination. */
export function createDispatchWork(
  deps: DispatchWorkDeps,
  tasks: readonly Task[],
): Work<ClaimedDelivery, AttemptResult> {
  const { sql, log } = deps;
  const now = () => deps.databaseNow?.();
  const worker = crypto.randomUUID();
  const send = createSendDelivery(deps);
  return {
    failedEvent: "dispatch_failed",
    claim: (request) => claimDeliveries(sql, { ...request, worker, leaseSeconds, now: now() }),
    async run(delivery, signal) {
      const result = await send(delivery, signal);
      if (isAttempt(result)) logDelivery(log, result);
      return result;
    },
    giveBack: (delivery) => endUnsent(delivery, "release"),
    record: (results) => completeDeliveries(sql, results, now()),
    // Without the receiver's text, the rest is our own data in a known form.
    simplify: (result) =>
      result.response_snippet === null && result.response_headers === null
        ? undefined
        : { ...result, response_snippet: null, response_headers: null },
    laneOf: ({ destination_id }) => destination_id,
    concurrencyOf: ({ max_concurrency }) => max_concurrency ?? 1,
    isLaneFailing: (result) => isAttempt(result) && !result.ok,
    expireClaims: () => expireClaims(sql, now()),
    findNextWork: () => findNextWork(sql, now()),
    watch: (ms) => watchQueue(sql, ms),
    passOn: () => passOnWork(sql, now()),
    tasks,
  };
}

function isAttempt({ action }: AttemptResult): boolean {
  return action !== "drop" && action !== "release";
}

/** Logs a delivery, without address, body, secret or response. */
function logDelivery(log: Log, result: AttemptResult): void {
  const { action, status_code, error } = result;
  log.event({
    msg: "delivery",
    level: "info",
    kind: result.ok ? "success" : "failure",
    id: result.id,
    durationMs: result.duration_ms,
    group: { action, status_code, error },
    fields: {
      delivery_id: result.id,
      workspace_id: result.workspace_id,
      destination_id: result.destination_id,
      message_id: result.message_id,
      event_type: result.event_type,
      attempt_number: result.attempt_number,
      trigger: result.trigger,
      action,
      status_code,
      error,
      duration_ms: result.duration_ms,
      next_attempt_at: result.next_attempt_at,
    },
  });
}
