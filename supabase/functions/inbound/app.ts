import type { Hono } from "hono";
import { createBatcher } from "../_shared/batching/batcher.ts";
import { type CellDatabases, listCells } from "../_shared/db/connect.ts";
import { createRoleCheck } from "../_shared/db/role_check.ts";
import { ingestTexts } from "../_shared/entries/ingest.ts";
import { takeTokens } from "../_shared/rate_limit/rate_limits.ts";
import { type AppVariables, createApp, mountRoutes, type Route } from "../_shared/http/http_app.ts";
import { type Cells, mapCells } from "../_shared/config/cells.ts";
import { errorFields, type Log } from "../_shared/log/log.ts";
import type { GuardedFetch } from "../_shared/outbound/guarded_fetch.ts";
import { createRateLimiter } from "../_shared/rate_limit/rate_limit.ts";
import { createThrottleLog, type Schedule } from "../_shared/rate_limit/throttle_log.ts";
import type { SecretBox } from "../_shared/secrets/secrets.ts";
import { createGate } from "./gate.ts";
import { createCallBudget } from "../_shared/rate_limit/call_budget.ts";
import { receive } from "./receive.ts";
import type { InboundContext, InboundService } from "./service.ts";
import { createSnsReader } from "./sns.ts";
import { createSourceBook } from "./source_book.ts";
import { createSourceFinder, type SourceFinder } from "./source_finder.ts";

export interface InboundDeps extends CellDatabases {
  secrets: SecretBox;
  /** Sends requests to SNS, and to nothing else. */
  fetch: Pick<GuardedFetch, "send">;
  /** The project's base URL, as senders use it. */
  baseUrl: string;
  now: () => Date;
  log: Log;
  /** Runs work later. @default at once */
  schedule?: Schedule | undefined;
}

interface InboundRoute extends Omit<Route<AppVariables>, "handler"> {
  handle: (c: InboundContext, finder: SourceFinder) => Promise<Response>;
}

// An instance has 256 MiB. A parsed body takes up to ten times its size, an entry twice its own.
const mebibyte = 1024 * 1024;

const routes: readonly InboundRoute[] = [
  { method: "POST", path: "/:source_id", handle: receive },
];

/** Creates the app that receives other systems' webhooks: `POST /inbound/{source_id}`. */
export function createInboundApp(deps: InboundDeps): Hono<{ Variables: AppVariables }> {
  const app = createApp<AppVariables>({ name: "inbound", log: deps.log, ...databasesOf(deps) });
  const finder = createSourceFinder(createInboundCells(deps));
  mountRoutes(
    app,
    routes.map(({ handle, ...route }) => ({ ...route, handler: (c) => handle(c, finder) })),
  );
  return app;
}

function databasesOf({ sql, otherCells }: InboundDeps): CellDatabases {
  return { sql, otherCells };
}

/** Creates the services of each cell. All cells share the memory of the instance. */
function createInboundCells(deps: InboundDeps): Cells<InboundService> {
  const { secrets, fetch, baseUrl, now, log, schedule } = deps;
  const shared = {
    now,
    log,
    baseUrl: baseUrl.replace(/\/+$/, ""),
    sns: createSnsReader({ fetch, now, budget: createCallBudget({ now }) }),
    budget: createCallBudget({ now }),
    bodyGate: createGate({ size: 4 * mebibyte, maxWaiting: 32 * mebibyte }),
    entryGate: createGate({ size: 16 * mebibyte, maxWaiting: 256 * mebibyte }),
  };
  return mapCells(listCells(deps), (sql) => ({
    ...shared,
    sql,
    sources: createSourceBook({ sql, secrets, now, otherCells: deps.otherCells }),
    checkRole: createRoleCheck(sql),
    limiter: createRateLimiter({
      bucket: "ingest",
      now,
      takeTokens: (request) => takeTokens(sql, request),
      onUnreachable: (error) => log.warn("rate limit unreachable", errorFields(error)),
    }),
    throttles: createThrottleLog({ sql, log, now, schedule }),
    batcher: createBatcher({ store: (entries) => ingestTexts(sql, entries) }),
  }));
}
