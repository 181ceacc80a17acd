import type { z } from "zod";
import type { Scope } from "../../_shared/access/auth.ts";
import type { AllowedRanges } from "../../_shared/outbound/addresses.ts";
import type { Caller, CallerSql, Membership, Role } from "../../_shared/access/caller.ts";
import type { ErrorCode } from "../../_shared/platform/errors.ts";
import type { SecretBox } from "../../_shared/secrets/secrets.ts";

/** What handlers share for the whole life of the function. */
export interface ApiService {
  now: () => Date;
  secretBox: SecretBox;
  allowedRanges: AllowedRanges;
}

type Input = z.ZodObject;
type Parsed<Schema extends Input | undefined> = Schema extends Input ? z.output<Schema>
  : Record<never, never>;

/** One call, as a handler sees it: validated, and within a transaction that is the caller. */
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
  /** The workspace the call is about; empty on a route that is about none. */
  workspaceId: string;
  service: ApiService;
  requestId: string;
  /**
   * Adds the route's action to the audit log; once, in every route that has one. A route that has
   * several names it beside the id.
   */
  audit(entity: string | Audited, details?: Readonly<Record<string, unknown>>): Promise<void>;
}

/** What was done to which entity. */
export interface Audited {
  id: string;
  action: string;
}

/** A row of the route table: everything that is checked, documented and generated from it. */
export interface RouteSpec<
  Params extends Input | undefined = Input | undefined,
  Query extends Input | undefined = Input | undefined,
  Body extends Input | undefined = Input | undefined,
  Answer extends z.ZodType | undefined = z.ZodType | undefined,
> {
  /** Name in the OpenAPI document and in the typed client. */
  operationId: string;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below `/api`, with parameters as `{id}`. */
  path: `/${string}`;
  tag: string;
  summary: string;
  description?: string;
  /** A key needs one of these; none: sessions only. */
  scopes: readonly Scope[];
  /** What a session's user must be in the workspace at least. */
  leastRole: Role;
  /** Where the workspace of a session is named. @default "header" */
  workspace?: "header" | "path" | "none";
  /** Users may do this to themselves whatever their role: the parameter that holds a user's id. */
  selfParam?: string;
  params?: Params;
  /** Names the entity that the last id of `params` stands for, as an error does: `API key`. */
  entity?: string;
  query?: Query;
  body?: Body;
  /** The body may be left out: no bytes are an empty object. */
  isBodyOptional?: boolean;
  /** The field of the body that is inspected as a document of its own. */
  envelope?: string;
  status: 200 | 201 | 202 | 204;
  answer?: Answer;
  /** Besides those that every route may answer with. */
  errors?: readonly ErrorCode[];
  /** Changes nothing: a repeat with the same `Idempotency-Key` is run again, and no answer is kept. */
  isDry?: boolean;
  /** What the audit log calls it, `<noun>.<verb>`; several where it depends on the entity. */
  action?: string | readonly string[];
  handle: (
    call: Call<Params, Query, Body>,
  ) => Promise<Answer extends z.ZodType ? z.output<Answer> : void>;
}

/** Any route of the table. */
export type ApiRoute = RouteSpec;

/** What a route is called by and with, for the typed client; says nothing of how it is handled. */
export interface RouteType<Method, Path, Params, Query, Body, Answer> {
  readonly method: Method;
  readonly path: Path;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly answer: Answer;
}

/** A route whose handler is checked against its own schemas. */
export function defineRoute<
  const Method extends ApiRoute["method"],
  const Path extends ApiRoute["path"],
  Params extends Input | undefined = undefined,
  Query extends Input | undefined = undefined,
  Body extends Input | undefined = undefined,
  Answer extends z.ZodType | undefined = undefined,
>(
  spec:
    & RouteSpec<Params, Query, Body, Answer>
    & { method: Method; path: Path }
    & (Params extends Input ? { entity: string } : unknown),
): RouteType<Method, Path, Params, Query, Body, Answer> {
  // A handler takes what its own schemas make, which the runner hands to it and to no other.
  return spec as unknown as RouteType<Method, Path, Params, Query, Body, Answer>;
}
