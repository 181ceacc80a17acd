import type { z } from "zod";
import type { ErrorBody } from "../../_shared/errors/errors.ts";
// Type-only import: no server code ends up in a client.
import type { RouteTable } from "../routes.ts";

type Routes = { [R in RouteTable[number] as `${R["method"]} ${R["path"]}`]: R };

/** A route as `GET /customers/{id}`. */
export type RouteName = keyof Routes;

type Given<Name extends string, Schema> = Schema extends z.ZodType
  ? Record<never, never> extends z.input<Schema> ? { [Key in Name]?: z.input<Schema> }
  : { [Key in Name]: z.input<Schema> }
  : { [Key in Name]?: never };

// Query values are sent as text, so callers may pass numbers and booleans.
type GivenQuery<Schema> = Schema extends z.ZodType
  ? { query?: { [Key in keyof z.input<Schema>]?: z.input<Schema>[Key] | number | boolean } }
  : { query?: never };

/** Input of a call: params, query and body, as the route's schemas accept them. */
export type ApiInput<Name extends RouteName> =
  & Given<"params", Routes[Name]["params"]>
  & GivenQuery<Routes[Name]["query"]>
  & Given<"body", Routes[Name]["body"]>
  & {
    signal?: AbortSignal;
    /** Key of a POST, reused when the call is repeated. @default a new key per call */
    idempotencyKey?: string;
  };

/** Response body of a route; of a streamed one, the response whose body is still to be read. */
export type ApiResponse<Name extends RouteName> = Routes[Name]["streams"] extends readonly string[]
  ? Response
  : Routes[Name]["response"] extends z.ZodType ? z.output<Routes[Name]["response"]>
  : undefined;

/** An error response. */
export class ApiCallError extends Error {
  override name = "ApiCallError";
  readonly status: number;
  readonly body: Partial<ErrorBody>;

  constructor(status: number, body: Partial<ErrorBody>) {
    super(body.error ?? `The service responded with status ${status}`);
    this.status = status;
    this.body = body;
  }
}

export interface ApiClientOptions {
  /** Base URL of the functions: `https://<ref>.supabase.co/functions/v1`. */
  functionsUrl: string;
  /** Headers of each call: `Authorization`, and `X-Workspace-Id` if needed. */
  headers: () => HeadersInit | Promise<HeadersInit>;
  /** @default the global `fetch` */
  fetch?: typeof fetch;
}

/** Typed client of the api. */
export interface ApiClient {
  /**
   * Calls a route: `call("GET /customers/{id}", { params: { id } })`. A POST carries an
   * `Idempotency-Key` and is retried up to twice if no response arrives.
   *
   * @throws {ApiCallError} for every response outside 2xx.
   */
  call<Name extends RouteName>(route: Name, input: ApiInput<Name>): Promise<ApiResponse<Name>>;
}

interface UntypedInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
  idempotencyKey?: string;
}

/** Attempts per POST, including the first. */
const maxTries = 3;

/** Creates a client that knows every route with its input and response types. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { functionsUrl, fetch: send = fetch } = options;
  return {
    async call<ResponseBody>(route: string, input: UntypedInput): Promise<ResponseBody> {
      const [method = "", path = ""] = route.split(" ");
      const headers = new Headers(await options.headers());
      const isPost = method === "POST";
      if (input.body !== undefined) headers.set("content-type", "application/json");
      if (isPost) headers.set("idempotency-key", input.idempotencyKey ?? crypto.randomUUID());
      const init = {
        method,
        headers,
        body: input.body === undefined ? null : JSON.stringify(input.body),
        signal: input.signal ?? null,
      };
      const response = await sendRepeatedly(isPost ? maxTries : 1, () => {
        return send(`${functionsUrl}/api${fillPath(path, input)}`, init);
      });
      if (response.ok) return await readResponse(response) as ResponseBody;
      throw new ApiCallError(response.status, await response.json().catch(() => ({})));
    },
  } as ApiClient;
}

/** Returns the path and query of a call, below the address of the api. */
export function addressOf<Name extends RouteName>(route: Name, input: ApiInput<Name>): string {
  return fillPath(route.split(" ")[1] ?? "", input as UntypedInput);
}

async function readResponse(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return isJson ? await response.json() : response;
}

/** Retries until a response arrives; throws the last network error, or the caller's abort. */
async function sendRepeatedly(tries: number, send: () => Promise<Response>): Promise<Response> {
  for (let left = tries - 1;; left--) {
    try {
      return await send();
    } catch (error) {
      // `fetch` throws a TypeError when the network fails.
      if (left === 0 || !(error instanceof TypeError)) throw error;
    }
  }
}

function fillPath(path: string, { params = {}, query = {} }: UntypedInput): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ""));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return search.size === 0 ? filled : `${filled}?${search}`;
}
