import { type Context, Hono, type MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { Sql } from "../db/connect.ts";
import { databaseApiError } from "../db/errors.ts";
import { anyCaseUuidForm } from "../ids/uuid.ts";
import { createUuidV7 } from "../ids/uuid_v7.ts";
import { createRoleCheck } from "../db/role_check.ts";
import type { Cells } from "../config/cells.ts";
import { ApiError, errorBody } from "../errors/errors.ts";
import type { Log, LogFields } from "../log/log.ts";
import { version } from "../config/version.ts";

/** Values that every handler finds in `c.var`. */
export interface AppVariables {
  requestId: string;
  /** Added to the request's log line. No secrets, no bodies. */
  fields: LogFields;
  /** Cause of a response with a status of 500 or more. */
  error?: unknown;
  /** Path of the matched route with its parameter names; undefined if none matched. */
  route: string | undefined;
}

export interface AppOptions {
  /** Name of the function: its folder, and the first segment of its paths. */
  name: string;
  log: Log;
  /** Database pool: calls are refused while its role is not the expected role. */
  sql?: Sql;
  /** Pools of other cells: then each call checks the role of the cell that it uses. */
  otherCells?: Cells<Sql> | undefined;
  /** Allows calls from browsers of any origin. @default false */
  cors?: boolean;
  /** Returns true for paths that need no database, and so no role check. @default never */
  isWithoutSql?: (path: string) => boolean;
  /** Returns true for paths whose errors repeat their text as `message`. @default never */
  repeatsMessage?: (path: string) => boolean;
}

/**
 * A row of a function's route table. `path` is relative to the function's name: `/` or `/devices`.
 */
export interface Route<Variables extends AppVariables> {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  path: string;
  handler: (c: Context<{ Variables: Variables }>) => Response | Promise<Response>;
}

const allowedHeaders = [
  "authorization",
  "content-type",
  "content-encoding",
  "apikey",
  "idempotency-key",
  "x-client-info",
  "x-workspace-id",
  "x-request-id",
  "x-retry-count",
];
const exposedHeaders = [
  "X-Request-Id",
  "X-Service-Version",
  "Idempotent-Replayed",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "Retry-After",
];

/**
 * Creates a Hono app with the features that every function shares: request id, CORS, error
 * responses, 404, and one log line per request. Add routes with `mountRoutes`.
 */
export function createApp<Variables extends AppVariables>(
  options: AppOptions,
): Hono<{ Variables: Variables }> {
  const { name, log, sql, cors: isCors = false, repeatsMessage = () => false } = options;
  const root = new Hono<{ Variables: Variables }>({ strict: false });
  root.use(identifyRequest(log));
  if (isCors) root.use(allowAnyOrigin());
  const app = root.basePath(`/${name}`);
  const isSingleCell = (options.otherCells?.size ?? 0) === 0;
  if (sql !== undefined && isSingleCell) app.use(requireRole(sql, options.isWithoutSql));
  const respond = (c: Context<{ Variables: Variables }>, error: unknown) =>
    respondWithError(c, { error, isRepeated: repeatsMessage(c.req.path) });
  app.onError((error, c) => respond(c, error));
  app.notFound((c) => {
    const message = `Route does not exist: "${c.req.method} ${c.req.path}"`;
    return respond(c, new ApiError("not_found", message));
  });
  return app;
}

/** Adds routes; any other method on their paths is 405 with `Allow`. */
export function mountRoutes<Variables extends AppVariables>(
  app: Hono<{ Variables: Variables }>,
  routes: readonly Route<Variables>[],
): void {
  const methods = new Map<string, string[]>();
  for (const { method, path, handler } of routes) {
    app.on(method, path, (c) => {
      c.set("route", path);
      return handler(c);
    });
    methods.set(path, [...methods.get(path) ?? [], method]);
  }
  for (const [path, allowed] of methods) {
    app.all(path, (c) => {
      c.set("route", path);
      const allow = allowed.join(", ");
      const message = `Method "${c.req.method}" is not allowed here: use ${allow}`;
      throw new ApiError("method_not_allowed", message, { headers: { Allow: allow } });
    });
  }
}

/** Allows calls of pages of any origin. */
function allowAnyOrigin(): MiddlewareHandler {
  const answerPreflight = cors({
    origin: "*",
    allowMethods: ["GET", "POST", "PATCH", "PUT", "DELETE"],
    allowHeaders: allowedHeaders,
    exposeHeaders: exposedHeaders,
    maxAge: 86400,
  });
  const exposed = exposedHeaders.join(",");
  return async (c, next) => {
    if (c.req.method === "OPTIONS") return await answerPreflight(c, next);
    await next();
    // Set on the response: the middleware would build a second one for each call.
    c.res.headers.set("Access-Control-Allow-Origin", "*");
    c.res.headers.set("Access-Control-Expose-Headers", exposed);
  };
}

function requireRole<Variables extends AppVariables>(
  sql: Sql,
  isWithoutSql: (path: string) => boolean = () => false,
): MiddlewareHandler<{ Variables: Variables }> {
  const check = createRoleCheck(sql);
  return async (c, next) => {
    if (!isWithoutSql(c.req.path)) await check();
    await next();
  };
}

function identifyRequest<Variables extends AppVariables>(
  log: Log,
): MiddlewareHandler<{ Variables: Variables }> {
  return async (c, next) => {
    const startedAt = performance.now();
    const sent = c.req.header("x-request-id") ?? "";
    const requestId = anyCaseUuidForm.test(sent) ? sent : createUuidV7(new Date());
    const fields: LogFields = {};
    c.set("requestId", requestId);
    c.set("fields", fields);
    await next();
    c.res.headers.set("X-Request-Id", requestId);
    c.res.headers.set("X-Service-Version", version);
    const { status } = c.res;
    const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
    const { method } = c.req;
    log.event({
      msg: "request",
      level: status >= 500 ? "error" : "info",
      kind: status >= 500 ? "failure" : status >= 400 ? "refusal" : "success",
      id: requestId,
      durationMs,
      group: { method, route: c.get("route"), status, code: fields.code },
      fields: {
        request_id: requestId,
        method,
        path: c.req.path,
        status,
        duration_ms: durationMs,
        ...fields,
      },
      error: c.get("error"),
    });
  };
}

/** Sends the error body, and hides internal details from the caller. */
function respondWithError<Variables extends AppVariables>(
  c: Context<{ Variables: Variables }>,
  { error, isRepeated }: { error: unknown; isRepeated: boolean },
): Response {
  const known = error instanceof ApiError ? error : databaseApiError(error);
  const shown = known ?? new ApiError("internal_error", "Internal error", { cause: error });
  const fields: LogFields = c.get("fields");
  fields.code = shown.code;
  if (shown.status >= 500) c.set("error", shown.cause ?? shown);
  for (const [name, value] of Object.entries(shown.headers)) c.header(name, value);
  const body = errorBody(shown, c.get("requestId"));
  return c.json(isRepeated ? { ...body, message: body.error } : body, shown.status);
}
