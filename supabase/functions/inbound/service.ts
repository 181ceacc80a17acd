import type { Context } from "hono";
import type { Batcher } from "../_shared/batching/batcher.ts";
import type { Sql } from "../_shared/db/connect.ts";
import type { AppVariables } from "../_shared/http/http_app.ts";
import type { Log } from "../_shared/log/log.ts";
import type { RateLimiter } from "../_shared/rate_limit/rate_limit.ts";
import type { ThrottleLog } from "../_shared/rate_limit/throttle_log.ts";
import type { Gate } from "./gate.ts";
import type { CallBudget } from "../_shared/rate_limit/call_budget.ts";
import type { SnsReader } from "./sns.ts";
import type { SourceBook } from "./source_book.ts";

export type InboundContext = Context<{ Variables: AppVariables }>;

/** Dependencies of a cell that this function's handlers share for its lifetime. */
export interface InboundService {
  sql: Sql;
  now: () => Date;
  log: Log;
  /** The project's base URL, without a trailing slash. */
  baseUrl: string;
  sources: SourceBook;
  /** Checks the database role of the cell, once. */
  checkRole: () => Promise<void> | undefined;
  sns: SnsReader;
  limiter: RateLimiter;
  throttles: ThrottleLog;
  batcher: Batcher;
  budget: CallBudget;
  /** Limits the bytes of bodies in progress. */
  bodyGate: Gate;
  /** Limits the characters of entries that are built and stored. */
  entryGate: Gate;
}
