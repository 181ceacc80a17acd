import type { Context } from "hono";
import type { Batcher } from "../_shared/batcher.ts";
import type { Sql } from "../_shared/db/connect.ts";
import type { AppVariables } from "../_shared/http_app.ts";
import type { Log } from "../_shared/log.ts";
import type { RateLimiter } from "../_shared/rate_limit.ts";
import type { ReceiptBudget } from "./receipt_budget.ts";
import type { SourceBook } from "./source_book.ts";

export type InboundContext = Context<{ Variables: AppVariables }>;

/** What the handlers of this function share for its whole life. */
export interface InboundService {
  sql: Sql;
  now: () => Date;
  log: Log;
  sources: SourceBook;
  limiter: RateLimiter;
  batcher: Batcher;
  budget: ReceiptBudget;
}
