import { createRoleCheck } from "../_shared/db/role_check.ts";
import type { Sql } from "../_shared/db/connect.ts";
import { ApiError, unavailable } from "../_shared/platform/errors.ts";

export interface HealthCheckOptions {
  sql: Sql;
  now: () => Date;
  /** How long the database may take to answer. @default 2000 */
  timeoutMs?: number;
}

/** An outcome serves every call of the next second, so that calls cannot load the database. */
const keptMs = 1000;

/**
 * Makes the check behind `GET /api/health`: the database answers in time, to a login with the
 * expected rights. However many calls arrive, an instance asks once a second, one question at a time.
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
      await withDeadline(asking ??= ask(), timeoutMs);
    } catch (error) {
      // The log tells what is wrong with a login; the answer does not.
      const cause = error instanceof ApiError ? error.cause : error;
      throw unavailable("Database is unavailable", cause);
    }
  };
}

function withDeadline(promise: Promise<void>, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const message = `Cannot reach the database: no answer within ${timeoutMs} ms`;
    const timer = setTimeout(() => reject(new Error(message)), timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
