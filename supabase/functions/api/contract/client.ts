import type { z } from "zod";
import type { ErrorBody } from "../../_shared/platform/errors.ts";
// Types alone: nothing of the server ends up with a client.
import type { RouteTable } from "../routes.ts";

type Routes = { [R in RouteTable[number] as `${R["method"]} ${R["path"]}`]: R };

/** A route as `GET /customers/{id}`. */
export type RouteName = keyof Routes;

type Given<Name extends string, Schema> = Schema extends z.ZodType
  ? Record<never, never> extends z.input<Schema> ? { [Key in Name]?: z.input<Schema> }
  : { [Key in Name]: z.input<Schema> }
  : { [Key in Name]?: never };

// In a query everything is text in the end, so numbers and booleans may be given as they are.
type GivenQuery<Schema> = Schema extends z.ZodType
  ? { query?: { [Key in keyof z.input<Schema>]?: z.input<Schema>[Key] | number | boolean } }
  : { query?: never };

/** What a call of a route is given: parameters, query and body as its schemas take them. */
export type ApiInput<Name extends RouteName> =
  & Given<"params", Routes[Name]["params"]>
  & GivenQuery<Routes[Name]["query"]>
  & Given<"body", Routes[Name]["body"]>
  & {
    signal?: AbortSignal;
    /** Of a POST, for a repeat across calls. @default a new one for each call */
    idempotencyKey?: string;
  };

/** What a route answers with. */
export type ApiAnswer<Name extends RouteName> = Routes[Name]["answer"] extends z.ZodType
  ? z.output<Routes[Name]["answer"]>
  : undefined;

/** An answer that is an error. */
export class ApiCallError extends Error {
  override name = "ApiCallError";
  readonly status: number;
  readonly body: Partial<ErrorBody>;

  constructor(status: number, body: Partial<ErrorBody>) {
    super(body.error ?? `The service answered with status ${status}`);
    this.status = status;
    this.body = body;
  }
}

export interface ApiClientOptions {
  /** Address of the functions: `https://<ref>.supabase.co/functions/v1`. */
  functionsUrl: string;
  /** Headers of each call: `Authorization`, and `X-Workspace-Id` where it is needed. */
  headers: () => HeadersInit | Promise<HeadersInit>;
  /** @default the global one */
  fetch?: typeof fetch;
}

export interface ApiClient {
  /**
   * Calls a route: `call("GET /customers/{id}", { params: { id } })`. A POST carries an
   * `Idempotency-Key`, and is sent again, twice at most, when no answer arrives.
   *
   * @throws {ApiCallError} for every answer but a 2xx.
   */
  call<Name extends RouteName>(route: Name, input: ApiInput<Name>): Promise<ApiAnswer<Name>>;
}

interface UntypedInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
  idempotencyKey?: string;
}

/** How often a POST is sent when no answer arrives. */
const maxTries = 3;

/** A client that knows every route, its input and its answer. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { functionsUrl, fetch: send = fetch } = options;
  return {
    async call<Answer>(route: string, input: UntypedInput): Promise<Answer> {
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
      const answer = await sendRepeatedly(isPost ? maxTries : 1, () => {
        return send(`${functionsUrl}/api${fillPath(path, input)}`, init);
      });
      if (answer.ok) return answer.status === 204 ? undefined as Answer : await answer.json();
      throw new ApiCallError(answer.status, await answer.json().catch(() => ({})));
    },
  } as ApiClient;
}

/** Sends until an answer arrives; throws the last failure, or the caller's own abort. */
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
