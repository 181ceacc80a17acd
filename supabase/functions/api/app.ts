import type { Hono } from "hono";
import type { AllowedRanges } from "../_shared/outbound/addresses.ts";
import { createCellKeyring, createKeyCell } from "../_shared/access/cell_keyring.ts";
import { type CellDatabases, listCells } from "../_shared/db/connect.ts";
import { type Cells, mapCells } from "../_shared/config/cells.ts";
import type { ApiCell } from "./kernel/api_cell.ts";
import { createSessionFinder } from "./kernel/directory.ts";
import { takeTokens } from "../_shared/rate_limit/rate_limits.ts";
import { type AppVariables, createApp, mountRoutes } from "../_shared/http/http_app.ts";
import { errorFields, type Log } from "../_shared/log/log.ts";
import { createRateLimiter } from "../_shared/rate_limit/rate_limit.ts";
import { createThrottleLog, type Schedule } from "../_shared/rate_limit/throttle_log.ts";
import { createSecretBox } from "../_shared/secrets/secrets.ts";
import type { SenderTester } from "../_shared/senders/sender_test.ts";
import type { MjmlCompiler } from "../_shared/templates/compiled_mjml.ts";
import { version } from "../_shared/config/version.ts";
import { createHealthCheck } from "./health.ts";
import { createCallTurns } from "./kernel/call_turns.ts";
import { compressJson } from "./kernel/compress_json.ts";
import type { Simulator } from "./kernel/simulator.ts";
import type { ApiRoute } from "./kernel/route.ts";
import { routes as allRoutes } from "./routes.ts";
import { type RunOptions, toHttpRoute } from "./kernel/http_route.ts";
import { createSessionVerifier } from "./kernel/sessions.ts";
import type { TextLookup } from "./kernel/text_lookup.ts";

export interface ApiDeps extends CellDatabases {
  now: () => Date;
  log: Log;
  compileMjml: MjmlCompiler;
  testSender: SenderTester;
  simulate: Simulator;
  lookUpText: TextLookup;
  /** Runs work later. @default at once */
  schedule?: Schedule | undefined;
  config: {
    supabaseUrl: string;
    jwks?: string | undefined;
    issuer?: string | undefined;
    secretsEncryptionKey: string;
    allowedRanges: AllowedRanges;
    isHosted: boolean;
    hasInbox: boolean;
  };
  /** @default every route of the table */
  routes?: readonly ApiRoute[];
}

/** The api function: every route of `routes.ts`, `GET /api/health` and `GET /api/openapi.json`. */
export async function createApiApp(deps: ApiDeps): Promise<Hono<{ Variables: AppVariables }>> {
  const app = createApp<AppVariables>({
    name: "api",
    log: deps.log,
    sql: deps.sql,
    otherCells: deps.otherCells,
    cors: true,
    // It checks the role within its own deadline.
    isWithoutSql: (path) => path === "/api/health",
  });
  app.use(compressJson());
  const options = await createRunOptions(deps);
  const checkHealth = createHealthCheck(deps);
  mountRoutes(app, [
    ...(deps.routes ?? allRoutes).map((route) => toHttpRoute(route, options)),
    {
      method: "GET",
      path: "/health",
      async handler(c) {
        await checkHealth();
        c.header("Cache-Control", "no-store");
        return c.json({ status: "ok", version });
      },
    },
    {
      method: "GET",
      path: "/openapi.json",
      // Loaded on demand: no other call needs the generator.
      async handler(c) {
        const { createOpenApi } = await import("./openapi/document.ts");
        return c.json(createOpenApi(`${deps.config.supabaseUrl}/functions/v1`));
      },
    },
  ]);
  return app;
}

async function createRunOptions(deps: ApiDeps): Promise<RunOptions> {
  const { now, log, config } = deps;
  const cells = await createApiCells(deps);
  return {
    cells,
    log,
    turns: createCallTurns(),
    access: {
      cells,
      keyring: createCellKeyring(cells),
      verifySession: createSessionVerifier({ ...config, now, log }),
      findSession: createSessionFinder(cells),
    },
  };
}

async function createApiCells(deps: ApiDeps): Promise<Cells<ApiCell>> {
  const { now, log, schedule, config, compileMjml, testSender, simulate, lookUpText, otherCells } =
    deps;
  const { allowedRanges, isHosted, hasInbox } = config;
  const secretBox = await createSecretBox(config.secretsEncryptionKey);
  return mapCells(listCells(deps), (sql, id) => ({
    ...createKeyCell({ sql, otherCells, now }),
    id,
    sql,
    limiter: createRateLimiter({
      bucket: "api",
      now,
      takeTokens: (request) => takeTokens(sql, request),
      onUnreachable: (error) => log.warn("rate limit unreachable", errorFields(error)),
    }),
    throttles: createThrottleLog({ sql, log, now, schedule }),
    service: {
      cell: id,
      now,
      secretBox,
      allowedRanges,
      compileMjml,
      testSender,
      simulate,
      lookUpText,
      isHosted,
      hasInbox,
    },
  }));
}
