import type { z } from "zod";
import type { Scope } from "../../_shared/access/auth.ts";
import type { AllowedRanges } from "../../_shared/outbound/addresses.ts";
import type { Caller, CallerSql, Membership } from "./caller.ts";
import type { Role } from "../contract/roles.ts";
import type { ErrorCode } from "../../_shared/errors/errors.ts";
import type { SecretBox } from "../../_shared/secrets/secrets.ts";
import type { Simulator } from "./simulator.ts";
import type { SenderTester } from "../../_shared/senders/sender_test.ts";
import type { MjmlCompiler } from "../../_shared/templates/compiled_mjml.ts";
import type { TextLookup } from "./text_lookup.ts";

/** Dependencies that handlers share for the lifetime of the function. */
export interface ApiService {
  /** The cell, which new keys and source ids name. */
  cell: string;
  now: () => Date;
  secretBox: SecretBox;
  allowedRanges: AllowedRanges;
  compileMjml: MjmlCompiler;
  testSender: SenderTester;
  simulate: Simulator;
  lookUpText: TextLookup;
  /** True on the hosted platform. */
  isHosted: boolean;
  /** True in the local stack, which has an inbox. */
  hasInbox: boolean;
}

type Input = z.ZodObject;
type Parsed<Schema extends Input | undefined> = Schema extends Input ? z.output<Schema>
  : Record<never, never>;

/** One validated call, running in a transaction with the caller's rights. */
export interface Call<
  Params extends Input | undefined = Input | undefined,
  Query extends Input | undefined = Input | undefined,
  Body extends Input | undefined = Input | undefined,
> {
  params: Parsed<Params>;
  query: Parsed<Query>;
  body: Parsed<Body>;
  tx: CallerSql;
  caller: Caller;
  memberships: readonly Membership[];
  /** Workspace of the call; empty if the route has none. */
  workspaceId: string;
  service: ApiService;
  requestId: string;
  /** True for a list that is read for an export, where no count is shown. */
  isExport?: boolean;
  /** Aborts when the caller has left. */
  signal: AbortSignal;
  /** Reads from every cell in which the caller has workspaces, as the caller. */
  readCells<Row>(read: (tx: CallerSql) => Promise<Row[]>): Promise<Row[]>;
  /** Records that a PUT created its resource: the status is 201. */
  noteCreated(): void;
  /**
   * Runs work outside the database after the commit, so that no connection waits for it. The
   * handler returns the result of this call, a placeholder for the result of the work. Only for dry
   * routes: their response is not stored for repeats.
   */
  afterCommit<Result>(work: () => Promise<Result>): Result;
  /** Runs a later read of a streamed response, in a transaction of its own. */
  readLater<Result>(work: (tx: CallerSql) => Promise<Result>): Promise<Result>;
  /**
   * Adds the route's action to the audit log. Every route with an action calls it once. A route
   * with several actions passes the action with the id.
   */
  audit(entity: string | Audited, details?: Readonly<Record<string, unknown>>): Promise<void>;
}

/** An action and the entity it changed. */
export interface Audited {
  id: string;
  action: string;
}

/** A streamed response: its parts are read while the caller receives them. */
export interface StreamedResponse {
  mediaType: string;
  fileName: string;
  parts: AsyncIterable<string>;
}

/** A row of the route table, from which checks, documentation and the client are derived. */
export interface RouteSpec<
  Params extends Input | undefined = Input | undefined,
  Query extends Input | undefined = Input | undefined,
  Body extends Input | undefined = Input | undefined,
  ResponseBody extends z.ZodType | undefined = z.ZodType | undefined,
> {
  /** Name in the OpenAPI document and in the typed client. */
  operationId: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below `/api`, with parameters as `{id}`. */
  path: `/${string}`;
  tag: string;
  summary: string;
  description?: string;
  /** A key needs one of these scopes; empty for routes that only sessions may call. */
  scopes: readonly Scope[];
  /** Lowest role in the workspace that a session's user needs. */
  leastRole: Role;
  /** Place where a session names its workspace. @default "header" */
  workspace?: "header" | "path" | "none";
  /**
   * Marks a route about an entity that may be in any cell: the cells are tried until one knows it.
   * For a list, all cells are read.
   */
  isInAnyCell?: boolean;
  /** Path parameter with a user id: users may call this for themselves with any role. */
  selfParam?: string;
  params?: Params;
  /** Names the entity that the last id of `params` stands for, as an error does: `API key`. */
  entity?: string;
  query?: Query;
  body?: Body;
  /** Allows an empty body, which is read as an empty object. */
  isBodyOptional?: boolean;
  /** Media type of a body that is not JSON, and the field of `body` that gets its text. */
  textBody?: { mediaType: string; field: string };
  /** Body field that is parsed and checked as a document of its own. */
  envelope?: string;
  /** Most levels of JSON in the body. @default 10 */
  maxDepth?: number;
  /** Marks a POST whose body may carry the key that otherwise is a header: `idempotency_key`. */
  hasBodyKey?: boolean;
  status: 200 | 201 | 202 | 204;
  /** Marks an action whose status is 200 if its response says that nothing began. */
  isDeclined?: (response: unknown) => boolean;
  response?: ResponseBody;
  /** Marks a PUT that creates a resource which does not exist yet, with the status 201. */
  mayCreate?: boolean;
  /** Media types of a GET whose handler returns a `StreamedResponse` instead of a response. */
  streams?: readonly string[];
  /** Error codes besides those of every route. */
  errors?: readonly ErrorCode[];
  /** Marks a route that changes nothing: a repeat with the same `Idempotency-Key` runs again. */
  isDry?: boolean;
  /** Audit log action, `<noun>.<verb>`; several if it depends on the entity. */
  action?: string | readonly string[];
  /**
   * Route that reads the resource: the audit log gets its values before and after a change, and its
   * name when it is deleted.
   */
  shownBy?: ReadRoute;
  /** Calls other functions before the transaction; returns a service that has their results. */
  prepare?: (call: Pick<Call<Params, Query, Body>, "body" | "service">) => Promise<ApiService>;
  handle: (
    call: Call<Params, Query, Body>,
  ) => Promise<ResponseBody extends z.ZodType ? z.output<ResponseBody> : void | StreamedResponse>;
}

/** A GET route of one resource. */
type ReadRoute = RouteType<
  "GET",
  `/${string}`,
  Input | undefined,
  Input | undefined,
  undefined,
  z.ZodType | undefined,
  readonly string[] | undefined
>;

/** Any route of the table. */
export type ApiRoute = RouteSpec;

/** Types of a route for the client: input and response, without the handler. */
export interface RouteType<Method, Path, Params, Query, Body, ResponseBody, Streams> {
  readonly method: Method;
  readonly path: Path;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly response: ResponseBody;
  readonly streams: Streams;
}

/** Defines a route whose handler is type-checked against the route's schemas. */
export function defineRoute<
  const Method extends ApiRoute["method"],
  const Path extends ApiRoute["path"],
  Params extends Input | undefined = undefined,
  Query extends Input | undefined = undefined,
  Body extends Input | undefined = undefined,
  ResponseBody extends z.ZodType | undefined = undefined,
  Streams extends readonly string[] | undefined = undefined,
>(
  spec:
    & RouteSpec<Params, Query, Body, ResponseBody>
    & { method: Method; path: Path; streams?: Streams }
    & (Params extends Input ? { entity: string } : unknown),
): RouteType<Method, Path, Params, Query, Body, ResponseBody, Streams> {
  // The runner passes a handler only input that the route's own schemas parsed.
  return spec as unknown as RouteType<Method, Path, Params, Query, Body, ResponseBody, Streams>;
}
