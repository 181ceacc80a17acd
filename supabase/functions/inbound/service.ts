import type { Context } from "hono";
import type { Batcher } from "../_shared/batching/batcher.ts";
import type { Sql } from "../_shared/db/connect.ts";
import type { AppVariables } from "../_shared/http/http_app.ts";
import type { Log } from "../_shared/platform/log.ts";
import type { RateLimiter } from "../_shared/rate_limit/rate_limit.ts";
import type { Gate } from "./gate.ts";
import type { ReceiptBudget } from "./receipt_budget.ts";
import type { SnsReader } from "./sns.ts";
import type { SourceBook } from "./source_book.ts";

export type InboundContext = Context<{ Variables: AppVariables }>;

/** What the handlers of this function share for its whole life. */
export interface InboundService {
  sql: Sql;
  now: () => Date;
  log: Log;
  /** The project's address, without a slash at its end. */
  baseUrl: string;
  sources: SourceBook;
  sns: SnsReader;
  limiter: RateLimiter;
  batcher: Batcher;
  budget: ReceiptBudget;
  /** Bounds the bytes of the bodies that are being worked on. */
  bodyGate: Gate;
  /** Bounds the characters of the entries that are being made and stored. */
  entryGate: Gate;
}
