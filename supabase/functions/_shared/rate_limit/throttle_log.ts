import type { Sql } from "../db/connect.ts";
import { errorFields, type Log } from "../log/log.ts";
import { QuotaError, type QuotaReason } from "./quota_error.ts";
import type { Bucket } from "./rate_limits.ts";

/** The caller of a request that a quota refused. */
export interface ThrottledCaller {
  kind: "api_key" | "source" | "user";
  id: string;
}

/** A caller's requests that a quota refused; the row of one hour. */
interface ThrottledRequests {
  workspace_id: string;
  /** The first of them. */
  at: string;
  bucket: Bucket;
  reason: QuotaReason;
  caller_kind: ThrottledCaller["kind"];
  caller_id: string;
  requests: number;
}

/** Counts the requests that quotas refused. */
export interface ThrottleLog {
  /** Counts a request of a workspace if the error is a `QuotaError`; never fails. */
  note(error: unknown, call: { workspaceId: string; caller: ThrottledCaller }): void;
}

/** Runs work after a pause in milliseconds. */
export type Schedule = (work: () => unknown, ms: number) => void;

export interface ThrottleLogOptions {
  sql: Sql;
  log: Log;
  now: () => Date;
  /** Runs work later; at most one is scheduled. @default at once */
  schedule?: Schedule | undefined;
}

/** Pause between two statements, in milliseconds. */
const pauseMs = 1000;
/** More callers in one pause are not counted. */
const maxRows = 1000;
const hourMs = 3_600_000;

/**
 * Creates a count of refused requests. It is added up in memory and stored once per second by one
 * statement, so that a caller far over the quota causes no work per request.
 */
export function createThrottleLog(
  { sql, log, now, schedule = (work) => void work() }: ThrottleLogOptions,
): ThrottleLog {
  let rows = new Map<string, ThrottledRequests>();
  let isScheduled = false;

  async function store(): Promise<void> {
    const stored = [...rows.values()];
    rows = new Map();
    isScheduled = false;
    try {
      await sql`select private.add_throttled(${JSON.stringify(stored)}::text::jsonb)`;
    } catch (error) {
      const requests = stored.reduce((sum, row) => sum + row.requests, 0);
      log.warn("throttled requests not counted", { requests, ...errorFields(error) });
    }
  }

  return {
    note(error, { workspaceId, caller }) {
      if (!(error instanceof QuotaError)) return;
      const { bucket, reason } = error;
      const at = now();
      const hour = Math.floor(at.getTime() / hourMs);
      const key = [workspaceId, hour, bucket, reason, caller.kind, caller.id].join(" ");
      const row = rows.get(key);
      if (row !== undefined) return void row.requests++;
      if (rows.size >= maxRows) return;
      rows.set(key, {
        workspace_id: workspaceId,
        at: at.toISOString(),
        bucket,
        reason,
        caller_kind: caller.kind,
        caller_id: caller.id,
        requests: 1,
      });
      if (isScheduled) return;
      isScheduled = true;
      schedule(store, pauseMs);
    },
  };
}
