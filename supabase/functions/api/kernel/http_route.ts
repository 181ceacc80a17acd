import type { Context } from "hono";
import type { z } from "zod";
import { readJson, readOptionalJson } from "../../_shared/http/body.ts";
import { asCaller, type CallerSql, writeAudit } from "./caller.ts";
import type { Sql } from "../../_shared/db/connect.ts";
import { validate } from "../../_shared/entries/validate.ts";
import { ApiError, invalidInput } from "../../_shared/errors/errors.ts";
import type { AppVariables, Route } from "../../_shared/http/http_app.ts";
import { type RateLimiter, setRateLimitHeaders } from "../../_shared/rate_limit/rate_limit.ts";
import { type Access, type AccessOptions, authorize, findAccess } from "./access.ts";
import { keyHeader, type OnceResult, readKey, runOnce } from "./idempotency.ts";
import type { CallTurns } from "./call_turns.ts";
import type { ApiRoute, ApiService, Audited, Call } from "./route.ts";

export type ApiContext = Context<{ Variables: AppVariables }>;

export interface RunOptions {
  sql: Sql;
  access: AccessOptions;
  limiter: RateLimiter;
  turns: CallTurns;
  service: ApiService;
}

/**
 * Runs every call in the same order: credential, quota, rights, input, then the handler in a
 * transaction with the caller's rights.
 */
export function toHttpRoute(route: ApiRoute, options: RunOptions): Route<AppVariables> {
  return {
    method: route.method,
    path: route.path.replaceAll(/\{(\w+)\}/g, ":$1"),
    async handler(c) {
      const access = await findAccess(route, {
        authorization: c.req.header("authorization"),
        workspaceId: c.req.header("x-workspace-id"),
        pathId: c.req.param("id"),
      }, options.access);
      Object.assign(c.get("fields"), describeAccess(route, access));
      setRateLimitHeaders(c, await options.limiter.take(access.payerId, 1));
      authorize(route, access, route.selfParam && c.req.param(route.selfParam)?.toLowerCase());
      const key = readKey(route, c.req.header(keyHeader));
      const input = await readInput(c, route);
      const { response, isRepeat } = await options.turns.run(
        access.payerId,
        () => runHandler({ route, access, input, key, options, c }),
      );
      if (isRepeat) c.header("Idempotent-Replayed", "true");
      return route.status === 204 ? c.body(null, 204) : c.json(response, route.status);
    },
  };
}

function describeAccess(route: ApiRoute, { caller, workspaceId }: Access) {
  const who = caller.kind === "key" ? { api_key_id: caller.key.id } : { user_id: caller.userId };
  const where = typeof workspaceId === "string" ? { workspace_id: workspaceId } : {};
  return { route: route.operationId, ...who, ...where };
}

type Input = Pick<Call, "params" | "query" | "body">;

async function readInput(c: ApiContext, route: ApiRoute): Promise<Input> {
  // A malformed id cannot name a row, so the entity does not exist.
  const params = parse(route.params, c.req.param(), () => {
    throw new ApiError("not_found", `${route.entity} does not exist`);
  });
  const query = parse(route.query, c.req.query(), (details) => {
    throw invalidInput(details);
  });
  return { params, query, body: await readBody(c, route) };
}

async function readBody(c: ApiContext, route: ApiRoute): Promise<Call["body"]> {
  if (route.body === undefined) return {};
  const read = route.isBodyOptional ? readOptionalJson : readJson;
  const value = await read(c.req.raw, { envelope: route.envelope });
  return parse(route.body, value, (details) => {
    throw invalidInput(details);
  });
}

type Details = Parameters<typeof invalidInput>[0];

function parse(
  schema: z.ZodObject | undefined,
  value: unknown,
  fail: (details: Details) => never,
): Record<string, unknown> {
  if (schema === undefined) return {};
  const validated = validate(schema, value);
  return validated.ok ? validated.value : fail(validated.details);
}

interface HandlerRun {
  route: ApiRoute;
  access: Access;
  input: Input;
  /** The caller's `Idempotency-Key`. */
  key: string | undefined;
  options: RunOptions;
  c: ApiContext;
}

function runHandler(run: HandlerRun): Promise<OnceResult> {
  const { route, access: { caller, ...access }, input, key, options } = run;
  const workspaceId = typeof access.workspaceId === "string" ? access.workspaceId : undefined;
  const isReadOnly = route.method === "GET";
  return asCaller({ sql: options.sql, caller, workspaceId, isReadOnly }, async (tx) => {
    const handle = () => runAudited(tx, { ...run, workspaceId });
    if (key === undefined) return { response: await handle(), isRepeat: false };
    const { secretBox } = options.service;
    return await runOnce(tx, { key, route, input, caller, workspaceId, secretBox }, handle);
  });
}

async function runAudited(
  tx: CallerSql,
  { route, access, input, options, c, workspaceId }: HandlerRun & {
    workspaceId: string | undefined;
  },
): Promise<unknown> {
  const log = createAudit(tx, route, c.get("requestId"));
  const response = await route.handle({
    ...input,
    tx,
    caller: access.caller,
    memberships: access.memberships,
    workspaceId: workspaceId ?? "",
    service: options.service,
    requestId: c.get("requestId"),
    audit: log.audit,
  });
  if (route.action !== undefined && !log.isWritten()) {
    throw new Error(
      `Cannot finish "${route.operationId}": the handler did not write to the audit log`,
    );
  }
  return response;
}

function createAudit(tx: CallerSql, { action }: ApiRoute, requestId: string) {
  const actions = [action ?? []].flat();
  let isWritten = false;
  return {
    isWritten: () => isWritten,
    async audit(entity: string | Audited, details: Readonly<Record<string, unknown>> = {}) {
      const { id, action } = typeof entity === "string"
        ? { id: entity, action: actions[0] }
        : entity;
      if (action === undefined || !actions.includes(action)) {
        throw new Error("Cannot write to the audit log: the route does not list this action");
      }
      isWritten = true;
      await writeAudit(tx, { action, entityId: id, details, requestId });
    },
  };
}
