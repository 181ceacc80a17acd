import type { Hono } from "hono";
import { createBatcher } from "../_shared/batcher.ts";
import type { Sql } from "../_shared/db/connect.ts";
import { ingestTexts } from "../_shared/db/ingest.ts";
import { takeTokens } from "../_shared/db/rate_limits.ts";
import { type AppVariables, createApp, mountRoutes, type Route } from "../_shared/http_app.ts";
import { errorFields, type Log } from "../_shared/log.ts";
import { createRateLimiter } from "../_shared/rate_limit.ts";
import type { SecretBox } from "../_shared/secrets.ts";
import { createReceiptBudget } from "./receipt_budget.ts";
import { receive } from "./receive.ts";
import type { InboundContext, InboundService } from "./service.ts";
import { createSourceBook } from "./source_book.ts";

export interface InboundDeps {
  sql: Sql;
  secrets: SecretBox;
  now: () => Date;
  log: Log;
}

interface InboundRoute extends Omit<Route<AppVariables>, "handler"> {
  handle: (c: InboundContext, service: InboundService) => Promise<Response>;
}

const routes: readonly InboundRoute[] = [
  { method: "POST", path: "/:source_id", handle: receive },
];

/** Other systems' webhooks: `POST /inbound/{source_id}`. */
export function createInboundApp(
  { sql, secrets, now, log }: InboundDeps,
): Hono<{ Variables: AppVariables }> {
  const app = createApp<AppVariables>({ name: "inbound", log });
  const service: InboundService = {
    sql,
    now,
    log,
    sources: createSourceBook({ sql, secrets, now }),
    limiter: createRateLimiter({
      bucket: "ingest",
      now,
      takeTokens: (request) => takeTokens(sql, request),
      onUnreachable: (error) => log.warn("rate limit unreachable", errorFields(error)),
    }),
    batcher: createBatcher({ store: (entries) => ingestTexts(sql, entries) }),
    budget: createReceiptBudget({ now }),
  };
  mountRoutes(
    app,
    routes.map(({ handle, ...route }) => ({ ...route, handler: (c) => handle(c, service) })),
  );
  return app;
}
