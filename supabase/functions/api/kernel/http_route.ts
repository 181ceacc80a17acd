import type { Context } from "hono";
import { z } from "zod";
import { readJson, readOptionalJson, readText } from "../../_shared/http/body.ts";
import { readBearer } from "../../_shared/access/auth.ts";
import { createAudit } from "./create_audit.ts";
import { asCaller, type CallerSql, type SessionCaller } from "./caller.ts";
import { databaseApiError } from "../../_shared/db/errors.ts";
import { DeadlineError, withDeadline } from "../../_shared/event_loop/with_deadline.ts";
import { isRecord } from "../../_shared/json/json.ts";
import type { Cells } from "../../_shared/config/cells.ts";
import { errorFields, type Log } from "../../_shared/log/log.ts";
import { validate } from "../../_shared/entries/validate.ts";
import { ApiError, type ErrorCode, invalidInput } from "../../_shared/errors/errors.ts";
import type { AppVariables, Route } from "../../_shared/http/http_app.ts";
import { setRateLimitHeaders } from "../../_shared/rate_limit/rate_limit.ts";
import { type Access, type AccessOptions, authorize, findAccess } from "./access.ts";
import { keyHeader, type OnceResult, readBodyKey, readKey, runOnce } from "./idempotency.ts";
import type { CallTurns } from "./call_turns.ts";
import { lockChanges, requireExpected, takesExpected } from "./expected_values.ts";
import type { ApiCell } from "./api_cell.ts";
import { copyAccount, updateDirectory } from "./directory.ts";
import type { ApiRoute, ApiService, Call, StreamedResponse } from "./route.ts";
import { streamResponse } from "./stream_response.ts";

/** Tags of routes that may change who belongs to a workspace. */
const memberTags: ReadonlySet<string> = new Set(["Invitations", "Members", "Workspaces"]);

export type ApiContext = Context<{ Variables: AppVariables }>;

export interface RunOptions {
  cells: Cells<ApiCell>;
  access: AccessOptions;
  turns: CallTurns;
  log: Log;
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
      return await countThrottled(access, () => runRoute(c, { route, access, options }));
    },
  };
}

/** Runs a call; counts it if a quota of its workspace refuses it. */
async function countThrottled(
  { cell, caller, workspaceId }: Access,
  run: () => Promise<Response>,
): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    if (typeof workspaceId === "string") {
      const { kind, id } = caller.kind === "key"
        ? { kind: "api_key", id: caller.key.id } as const
        : { kind: "user", id: caller.userId } as const;
      cell.throttles.note(error, { workspaceId, caller: { kind, id } });
    }
    throw error;
  }
}

/** Runs a call of a known caller: quota, rights, input, handler. */
async function runRoute(
  c: ApiContext,
  { route, access, options }: { route: ApiRoute; access: Access; options: RunOptions },
): Promise<Response> {
  setRateLimitHeaders(c, await access.cell.limiter.take(access.payerId, 1));
  authorize(route, access, route.selfParam && c.req.param(route.selfParam)?.toLowerCase());
  const headerKey = readKey(route, c.req.header(keyHeader));
  const input = await readInput(c, route);
  const key = headerKey ?? readBodyKey(route, input.body);
  const run: HandlerRun = { route, access, input, key, options, c, isCreated: false };
  const { response, isRepeat } = await options.turns.run(access.payerId, () => runInCells(run));
  if (isRepeat) c.header("Idempotent-Replayed", "true");
  if (route.streams !== undefined) return streamResponse(c, response as StreamedResponse);
  if (route.status === 204) return c.body(null, 204);
  return c.json(response, statusOf(run, response));
}

function statusOf({ route, isCreated }: HandlerRun, response: unknown) {
  if (isCreated) return 201;
  return route.isDeclined?.(response) ? 200 : route.status as 200 | 201 | 202;
}

function describeAccess(route: ApiRoute, { caller, workspaceId }: Access) {
  const who = caller.kind === "key" ? { api_key_id: caller.key.id } : { user_id: caller.userId };
  const where = typeof workspaceId === "string" ? { workspace_id: workspaceId } : {};
  return { route: route.operationId, ...who, ...where };
}

type Input = Pick<Call, "params" | "query" | "body">;

async function readInput(c: ApiContext, route: ApiRoute): Promise<Input> {
  const params = parse(route.params, c.req.param(), (details) => {
    if (route.mayCreate) throw invalidInput(details);
    // A malformed id cannot name a row, so the entity does not exist.
    throw new ApiError("not_found", `${route.entity} does not exist`);
  });
  const query = parse(route.query, readQuery(c), (details) => {
    throw invalidInput(details);
  });
  return { params, query, body: await readBody(c, route) };
}

/** Reads the parameters of the address; throws `invalid_input` for one that is given twice. */
function readQuery(c: ApiContext): Record<string, string> {
  const given = Object.entries(c.req.queries());
  const repeated = given.filter(([, values]) => values.length > 1);
  if (repeated.length > 0) {
    throw invalidInput(repeated.map(([field]) => ({ field, message: "must be given once" })));
  }
  return Object.fromEntries(given.map(([name, [value = ""]]) => [name, value]));
}

/** A call that takes no body refuses one with fields, which would not do what they say. */
const noFields = z.strictObject({});

async function readBody(c: ApiContext, route: ApiRoute): Promise<Call["body"]> {
  if (route.method === "GET") return {};
  const text = await readTextBody(c, route);
  const read = route.body === undefined || route.isBodyOptional ? readOptionalJson : readJson;
  const { envelope, maxDepth } = route;
  const value = text ?? await read(c.req.raw, { envelope, maxDepth });
  return parse(route.body ?? noFields, value, (details) => {
    throw invalidInput(details);
  });
}

/** Reads a body of the route's other media type into its field; undefined for JSON. */
async function readTextBody(c: ApiContext, { textBody }: ApiRoute) {
  const [mediaType = ""] = (c.req.header("content-type") ?? "").toLowerCase().split(";");
  if (textBody === undefined || mediaType.trim() !== textBody.mediaType) return undefined;
  const text = await readText(c.req.raw, { mediaTypes: [textBody.mediaType] });
  return { [textBody.field]: text };
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
  /** True once the handler of a PUT has created the resource. */
  isCreated: boolean;
  /** Work that makes the response after the commit. */
  finish?: (() => Promise<unknown>) | undefined;
}

/** Runs the handler in the cell of the call, or in each until one knows the entity. */
async function runInCells(run: HandlerRun): Promise<OnceResult> {
  const { route, access, options, c } = run;
  const { caller } = access;
  try {
    if (options.cells.size === 1 || caller.kind === "key") return await runHandler(run);
    if (!route.isInAnyCell || route.method === "GET") return await runNoting(run);
    return await runInAnyCell(run, caller);
  } catch (error) {
    if (caller.kind === "key") {
      options.access.keyring.noteError(readBearer(c.req.header("authorization")), error);
    }
    throw error;
  }
}

async function runInAnyCell(run: HandlerRun, caller: SessionCaller): Promise<OnceResult> {
  const { cells } = run.options;
  let unknown: unknown;
  for (const cell of cells.values()) {
    await copyAccount(cells, { cell, caller });
    try {
      return await runNoting({ ...run, access: { ...run.access, cell } });
    } catch (error) {
      if (readCode(error) !== "not_found") throw error;
      unknown ??= error;
    }
  }
  throw unknown;
}

function readCode(error: unknown): ErrorCode | undefined {
  return error instanceof ApiError ? error.code : databaseApiError(error)?.code;
}

/** Runs the handler and, if it may have changed the members, updates the directory. */
async function runNoting(run: HandlerRun): Promise<OnceResult> {
  const { route, access: { cell, workspaceId }, options } = run;
  const result = await runHandler(run);
  if (route.method === "GET" || !memberTags.has(route.tag)) return result;
  const id = typeof workspaceId === "string" ? workspaceId : readId(result.response);
  if (id !== undefined) {
    await updateDirectory(options.cells, { cell, workspaceId: id }).catch((error) => {
      options.log.error("directory_stale", { workspace_id: id, ...errorFields(error) });
    });
  }
  return result;
}

function readId(answer: unknown): string | undefined {
  return isRecord(answer) && typeof answer.id === "string" ? answer.id : undefined;
}

async function runHandler(run: HandlerRun): Promise<OnceResult> {
  const { route, access: { caller, cell }, input, key } = run;
  const { sql } = cell;
  const service = await route.prepare?.({ ...input, service: cell.service }) ?? cell.service;
  const workspaceId = workspaceOf(run.access);
  const isReadOnly = route.method === "GET";
  const result = await asCaller({ sql, caller, workspaceId, isReadOnly }, async (tx) => {
    // Runs again after a lost race.
    run.isCreated = false;
    run.finish = undefined;
    const handle = () => runAudited(tx, run, service);
    if (key === undefined) return { response: await handle(), isRepeat: false };
    const { secretBox } = service;
    return await runOnce(tx, { key, route, input, caller, workspaceId, secretBox }, handle);
  });
  return run.finish === undefined ? result : { ...result, response: await run.finish() };
}

function workspaceOf({ workspaceId }: Access): string | undefined {
  return typeof workspaceId === "string" ? workspaceId : undefined;
}

/** Runs one read of a stream like a call of its own, so that no connection waits for the caller. */
function readLater<Result>(
  { access, options }: HandlerRun,
  work: (tx: CallerSql) => Promise<Result>,
): Promise<Result> {
  const { caller, payerId } = access;
  const transaction = {
    sql: access.cell.sql,
    caller,
    workspaceId: workspaceOf(access),
    isReadOnly: true,
  };
  return options.turns.run(payerId, () => asCaller(transaction, work));
}

async function runAudited(
  tx: CallerSql,
  run: HandlerRun,
  service: ApiService,
): Promise<unknown> {
  const { route, access, input, c } = run;
  const { expected, ...body }: Record<string, unknown> = input.body;
  const log = createAudit(tx, route, c.get("requestId"));
  const call: Call = {
    ...input,
    body,
    tx,
    caller: access.caller,
    memberships: access.memberships,
    workspaceId: workspaceOf(access) ?? "",
    service,
    requestId: c.get("requestId"),
    get signal() {
      return c.req.raw.signal;
    },
    readCells: createCellReader(tx, run),
    noteCreated: () => void (run.isCreated = true),
    afterCommit: (work) => {
      if (route.method === "POST" && !route.isDry) {
        throw new Error(`Cannot finish "${route.operationId}" after the commit: it is not dry`);
      }
      run.finish = work;
      return undefined as Awaited<ReturnType<typeof work>>;
    },
    readLater: (work) => readLater(run, work),
    audit: log.audit,
  };
  if (takesExpected(route)) await lockChanges(tx, { route, ...call });
  const before = await readBefore(route, call);
  const response = await route.handle(call);
  requireExpected(route, { expected, before, after: response, fields: Object.keys(body) });
  await log.finish({ before, after: response });
  if (route.action !== undefined && !log.isWritten()) {
    throw new Error(
      `Cannot finish "${route.operationId}": the handler did not write to the audit log`,
    );
  }
  return response;
}

/** Reads the resource that a call is about to change; undefined for one that does not exist yet. */
async function readBefore({ shownBy, query: own }: ApiRoute, call: Call): Promise<unknown> {
  if (shownBy === undefined) return undefined;
  try {
    const query = shownBy.query === own ? call.query : {};
    return await (shownBy as unknown as ApiRoute).handle({ ...call, query, body: {} });
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") return undefined;
    throw error;
  }
}

/** Longest wait for another cell, in milliseconds: a list of the caller's own rows takes a few. */
const otherCellMs = 2_000;

/**
 * Reads in all cells of the caller. A list lacks what is in a cell that is out of reach or hangs.
 */
function createCellReader(tx: CallerSql, { route, access, options }: HandlerRun) {
  const { caller, cell: own } = access;
  return async <Row>(read: (tx: CallerSql) => Promise<Row[]>): Promise<Row[]> => {
    const cells = route.isInAnyCell ? [...options.cells.values()] : access.ownCells;
    const readOther = async (cell: ApiCell): Promise<Row[]> => {
      if (route.isInAnyCell && caller.kind === "session") {
        await copyAccount(options.cells, { cell, caller });
      }
      await cell.checkRole();
      const { sql } = cell;
      return await asCaller({ sql, caller, workspaceId: undefined, isReadOnly: true }, read);
    };
    const lists = await Promise.all(cells.map(async (cell) => {
      if (cell === own) return await read(tx);
      const message = `Cannot read in cell "${cell.id}": no response within ${otherCellMs} ms`;
      const limit = { timeoutMs: otherCellMs, message };
      return await withDeadline(readOther(cell), limit).catch((error) => {
        const isGone = error instanceof DeadlineError ||
          databaseApiError(error)?.code === "unavailable";
        if (!isGone) throw error;
        options.log.error("cell_unavailable", { cell: cell.id, ...errorFields(error) });
        return [];
      });
    }));
    return lists.flat();
  };
}
