import type { Hono } from "hono";
import { createBatcher } from "../_shared/batching/batcher.ts";
import type { Sql } from "../_shared/db/connect.ts";
import { ingestTexts } from "../_shared/entries/ingest.ts";
import { takeTokens } from "../_shared/rate_limit/rate_limits.ts";
import { type AppVariables, createApp, mountRoutes, type Route } from "../_shared/http/http_app.ts";
import { errorFields, type Log } from "../_shared/log/log.ts";
import type { GuardedFetch } from "../_shared/outbound/guarded_fetch.ts";
import { createRateLimiter } from "../_shared/rate_limit/rate_limit.ts";
import type { SecretBox } from "../_shared/secrets/secrets.ts";
import { createGate } from "./gate.ts";
import { createReceiptBudget } from "./receipt_budget.ts";
import { receive } from "./receive.ts";
import type { InboundContext, InboundService } from "./service.ts";
import { createSnsReader } from "./sns.ts";
import { createSourceBook } from "./source_book.ts";

export interface InboundDeps {
  sql: Sql;
  secrets: SecretBox;
  /** Sends requests to SNS, and to nothing else. */
  fetch: Pick<GuardedFetch, "send">;
  /** The project's base URL, as senders use it. */
  baseUrl: string;
  now: () => Date;
  log: Log;
}

interface InboundRoute extends Omit<Route<AppVariables>, "handler"> {
  handle: (c: InboundContext, service: InboundService) => Promise<Response>;
}

// An instance has 256 MiB. A parsed body takes up to ten times its size, an entry twice its own.
const mebibyte = 1024 * 1024;

const routes: readonly InboundRoute[] = [
  { method: "POST", path: "/:source_id", handle: receive },
];

/** Creates the app that receives other systems' webhooks: `POST /inbound/{source_id}`. */
export function createInboundApp(
  { sql, secrets, fetch, baseUrl, now, log }: InboundDeps,
): Hono<{ Variables: AppVariables }> {
  const app = createApp<AppVariables>({ name: "inbound", log, sql });
  const service: InboundService = {
    sql,
    now,
    log,
    baseUrl: baseUrl.replace(/\/+$/, ""),
    sources: createSourceBook({ sql, secrets, now }),
    sns: createSnsReader({ fetch, now, budget: createReceiptBudget({ now }) }),
    limiter: createRateLimiter({
      bucket: "ingest",
      now,
      takeTokens: (request) => takeTokens(sql, request),
      onUnreachable: (error) => log.warn("rate limit unreachable", errorFields(error)),
    }),
    batcher: createBatcher({ store: (entries) => ingestTexts(sql, entries) }),
    budget: createReceiptBudget({ now }),
    bodyGate: createGate({ size: 4 * mebibyte, maxWaiting: 32 * mebibyte }),
    entryGate: createGate({ size: 16 * mebibyte, maxWaiting: 256 * mebibyte }),
  };
  mountRoutes(
    app,
    routes.map(({ handle, ...route }) => ({ ...route, handler: (c) => handle(c, service) })),
  );
  return app;
}
