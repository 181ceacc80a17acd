import { createRoleCheck } from "../_shared/db/role_check.ts";
import type { Sql } from "../_shared/db/connect.ts";
import { ApiError, unavailable } from "../_shared/errors/errors.ts";
import { withDeadline } from "../_shared/event_loop/with_deadline.ts";

export interface HealthCheckOptions {
  sql: Sql;
  now: () => Date;
  /** Longest wait for the database, in milliseconds. @default 2000 */
  timeoutMs?: number;
}

/** One result serves every call of the next second, so that calls cannot load the database. */
const keptMs = 1000;

/**
 * Creates the check behind `GET /api/health`: the database responds in time to a login with the
 * expected rights. An instance asks at most once a second, one query at a time.
 *
 * @throws ApiError `unavailable`, whose message gives no reason
 */
export function createHealthCheck(
  { sql, now, timeoutMs = 2000 }: HealthCheckOptions,
): () => Promise<void> {
  const checkRole = createRoleCheck(sql);
  let asking: Promise<void> | undefined;
  let kept: { until: number; error: unknown } | undefined;

  async function ask(): Promise<void> {
    let error: unknown;
    try {
      await checkRole();
      await sql`select 1`;
    } catch (caught) {
      error = caught;
    }
    kept = { until: now().getTime() + keptMs, error };
    asking = undefined;
    if (error !== undefined) throw error;
  }

  return async () => {
    try {
      if (asking === undefined && kept !== undefined && now().getTime() < kept.until) {
        if (kept.error !== undefined) throw kept.error;
        return;
      }
      const message = `Cannot reach the database: no response within ${timeoutMs} ms`;
      await withDeadline(asking ??= ask(), { timeoutMs, message });
    } catch (error) {
      // The log names the problem with a login; the response does not.
      const cause = error instanceof ApiError ? error.cause : error;
      throw unavailable("Database is unavailable", cause);
    }
  };
}
