import { Hono } from "hono";
import { createDashboard } from "../dashboard/serve.ts";
import { createDocsPage } from "./docs_page.ts";
import { BoundedMap } from "../supabase/functions/_shared/cache/bounded_map.ts";
import { createApp } from "../supabase/functions/_shared/http/http_app.ts";
import { createLog } from "../supabase/functions/_shared/log/log.ts";
import type { EdgeFunction } from "./functions.ts";
import type { SupabaseApi } from "./platform/supabase_api.ts";

export interface RouterOptions {
  api: Pick<SupabaseApi, "fetch">;
  functions: Map<string, EdgeFunction>;
  publishableKey: string;
  /** The pages below `/inbox`. @default none */
  inbox?: Hono;
  /** Directory of the built dashboard. @default dashboard/dist */
  dashboard?: string;
}

const functionsPrefix = "/functions/v1";
/** Most addresses of functions kept in memory. */
const maxAddresses = 1_000;

/** Has no routes, and so responds with 404 in the form of every function. */
const unknownFunction = createApp({
  name: "gateway",
  log: createLog({ name: "gateway", level: "warn" }),
  cors: true,
});

/** Everything on one address: functions, Auth, Data API, `/docs`, `/inbox`, the dashboard at `/`. */
export function createRouter(options: RouterOptions): Deno.ServeHandler {
  const { api, functions, publishableKey, inbox, dashboard: directory } = options;
  const app = new Hono<{ Bindings: { peerAddress: string } }>();
  app.all("/auth/v1/*", (c) => api.fetch(c.req.raw, c.env.peerAddress));
  app.all("/rest/v1/*", (c) => api.fetch(c.req.raw, c.env.peerAddress));
  app.route("/", createDocsPage());
  if (inbox !== undefined) app.route("/", inbox);
  const config = {
    supabase_url: "/",
    publishable_key: publishableKey,
    has_inbox: inbox !== undefined,
  };
  app.route("/", createDashboard({ config, ...directory ? { directory } : {} }));
  const findTarget = createTargets();
  return (request, info) => {
    const target = findTarget(request);
    if (target === undefined) return badHost();
    return target === "page"
      ? app.fetch(request, { peerAddress: readPeerAddress(info) })
      : callFunction(functions, target, tellAddress(request, info));
  };
}

/** A function, and the address that it sees. */
interface FunctionTarget {
  name: string;
  address: string;
}

/**
 * Returns a function that finds out where a request goes; undefined for a bad host. Addresses of
 * functions are remembered: parsing one takes longer than most of the rest of a call.
 */
function createTargets(): (request: Request) => FunctionTarget | "page" | undefined {
  const known = new BoundedMap<string, FunctionTarget & { host: string | null }>(maxAddresses);
  return (request) => {
    const { url } = request;
    const host = request.headers.get("host");
    const target = known.get(url);
    if (target !== undefined && target.host === host) return target;
    if (!isHost(host, url)) return undefined;
    const path = new URL(url).pathname;
    if (!`${path}/`.startsWith(`${functionsPrefix}/`)) return "page";
    const found = { ...readAddress(url), host };
    if (plainAddress.test(url)) known.set(url, found);
    return found;
  };
}

/** Returns true for a valid host: the server accepts any text, even one that changes the path. */
function isHost(host: string | null, url: string): boolean {
  return (host === null || /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host)) &&
    URL.canParse(url);
}

function badHost(): Response {
  const error = { error: "Header Host must be a host name", code: "invalid_input", details: [] };
  return Response.json({ ...error, request_id: crypto.randomUUID() }, { status: 400 });
}

/** As the platform's gateway: a browser's address is the one it called from, not one that it claims. */
function tellAddress(request: Request, info: Deno.ServeHandlerInfo): Request {
  // Only browsers are asked for theirs, and a copy of the headers of each request would cost time.
  if (!request.headers.has("origin")) return request;
  const headers = new Headers(request.headers);
  headers.set("cf-connecting-ip", readPeerAddress(info));
  return Object.defineProperty(request, "headers", { value: headers });
}

function readPeerAddress({ remoteAddr }: Deno.ServeHandlerInfo): string {
  return "hostname" in remoteAddr ? remoteAddr.hostname : "";
}

/** Address of a function without a query or ids: there are few of these. */
const plainAddress = /^https?:\/\/[\w.-]+(?::\d+)?\/functions\/v1(?:\/[a-z-]+)+$/;

/** As the platform's gateway: the function sees its own name as the first part of the path. */
function callFunction(
  functions: Map<string, EdgeFunction>,
  { name, address }: FunctionTarget,
  request: Request,
): Response | Promise<Response> {
  const edgeFunction = functions.get(name);
  if (edgeFunction) {
    // A copy with another address would read its body as a stream, at half the throughput.
    return edgeFunction(Object.defineProperty(request, "url", { value: address }));
  }
  return unknownFunction.fetch(request);
}

function readAddress(sent: string): FunctionTarget {
  const url = new URL(sent);
  url.pathname = url.pathname.slice(functionsPrefix.length);
  return { name: url.pathname.split("/")[1] ?? "", address: url.href };
}
