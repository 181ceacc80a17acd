import type { Sql } from "../_shared/db/connect.ts";
import type { Log } from "../_shared/log/log.ts";
import type { WorkListener } from "../_shared/work/listener.ts";
import type { RunLimits, Work } from "../_shared/work/work.ts";
import { type ClaimWorker, createWorker } from "../_shared/work/worker.ts";
import { createFindTemplate } from "./find_template.ts";
import { groupCalls } from "./group_calls.ts";
import { createSendMessage, endUnsent, type SendDeps } from "./send_message.ts";
import {
  beginSends,
  type ClaimedSend,
  claimSends,
  completeSends,
  expireSendClaims,
  findNextSend,
  passOnSends,
  type SendResult,
  type SendStart,
  watchSends,
} from "./send_queue.ts";

export interface SendWorkerDeps extends SendDeps {
  sql: Sql;
  /** Time for the database. @default its own clock */
  databaseNow?: () => Date;
  limits?: Partial<RunLimits>;
  /**
   * Creates the listener for the database's announcements; without it, runs ask many times per
   * second.
   */
  listen?: (tell: () => void) => WorkListener;
}

/** Longer than a message may take to wait here, be handed over and be recorded. */
const leaseSeconds = 90;

/** Creates a worker that sends messages, one lane per sender. Any number of them may run at once. */
export function createSendWorker(deps: SendWorkerDeps): ClaimWorker {
  const { limits, listen, log } = deps;
  const findTemplate = createFindTemplate(deps.sql);
  const begin = groupCalls((starts: readonly SendStart[]) =>
    beginSends(deps.sql, starts, deps.databaseNow?.())
  );
  const send = createSendMessage(deps, { findTemplate, begin });
  return createWorker({ startWork: () => createSendWork(deps, send), limits, listen, log });
}

function createSendWork(
  deps: SendWorkerDeps,
  send: ReturnType<typeof createSendMessage>,
): Work<ClaimedSend, SendResult> {
  const { sql, log } = deps;
  const now = () => deps.databaseNow?.();
  const worker = crypto.randomUUID();
  return {
    failedEvent: "send_dispatch_failed",
    claim: (request) => claimSends(sql, { ...request, worker, leaseSeconds, now: now() }),
    async run(claimed, signal) {
      const result = await send(claimed, signal);
      if (result.attempt !== null) logSend(log, claimed, result);
      return result;
    },
    giveBack: (claimed) => endUnsent(claimed, "release"),
    record: (results) => completeSends(sql, results, now()),
    // Without the provider's text, the rest is our own data in a known form.
    simplify: (result) =>
      result.attempt === null || result.attempt.response === null
        ? undefined
        : { ...result, provider_id: null, attempt: { ...result.attempt, response: null } },
    laneOf: ({ sender_id }) => sender_id,
    concurrencyOf: ({ sender }) => sender.max_concurrency ?? 1,
    isLaneFailing: (result) => result.is_sender_failure || result.paused_until !== null,
    expireClaims: () => expireSendClaims(sql, now()),
    findNextWork: () => findNextSend(sql, now()),
    watch: (ms) => watchSends(sql, ms),
    passOn: () => passOnSends(sql, now()),
  };
}

/** Logs an attempt, without address, body, secret or response. */
function logSend(log: Log, { attempt_number, sender }: ClaimedSend, result: SendResult): void {
  const { action, reason, send_id, workspace_id, sender_id, next_attempt_at } = result;
  const status_code = result.attempt?.status_code ?? null;
  log.event({
    msg: "send",
    level: "info",
    kind: action === "sent" ? "success" : "failure",
    id: send_id,
    durationMs: result.duration_ms,
    group: { action, status_code, reason },
    fields: {
      send_id,
      workspace_id,
      sender_id,
      provider: sender.provider,
      attempt_number,
      action,
      reason,
      status_code,
      duration_ms: result.duration_ms,
      next_attempt_at,
    },
  });
}
