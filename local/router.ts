import { Hono } from "hono";
import { createDashboard } from "../dashboard/serve.ts";
import { createDocsPage } from "./docs_page.ts";
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
  const config = { supabase_url: "/", publishable_key: publishableKey };
  app.route("/", createDashboard({ config, ...directory ? { directory } : {} }));
  return (request, info) => {
    if (!isHost(request)) return badHost();
    const path = new URL(request.url).pathname;
    const { remoteAddr } = info;
    const peerAddress = "hostname" in remoteAddr ? remoteAddr.hostname : "";
    if (`${path}/`.startsWith(`${functionsPrefix}/`)) {
      return callFunction(functions, tellAddress(request, peerAddress));
    }
    return app.fetch(request, { peerAddress });
  };
}

/** Returns true for a valid host: the server accepts any text, even one that changes the path. */
function isHost(request: Request): boolean {
  const host = request.headers.get("host");
  return (host === null || /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host)) &&
    URL.canParse(request.url);
}

function badHost(): Response {
  const error = { error: "Header Host must be a host name", code: "invalid_input", details: [] };
  return Response.json({ ...error, request_id: crypto.randomUUID() }, { status: 400 });
}

/** As the platform's gateway: a browser's address is the one it called from, not one that it claims. */
function tellAddress(request: Request, peerAddress: string): Request {
  // Only browsers are asked for theirs, and a copy of the headers of each request would cost time.
  if (!request.headers.has("origin")) return request;
  const headers = new Headers(request.headers);
  headers.set("cf-connecting-ip", peerAddress);
  return Object.defineProperty(request, "headers", { value: headers });
}

/** Address of a function that needs no parsing: a plain host and plain names. */
const plainAddress = /^(https?:\/\/[\w.-]+(?::\d+)?)\/functions\/v1(\/([\w-]+)[\w/-]*)$/;

/** As the platform's gateway: the function sees its own name as the first part of the path. */
function callFunction(
  functions: Map<string, EdgeFunction>,
  request: Request,
): Response | Promise<Response> {
  const { name, address } = readAddress(request.url);
  const edgeFunction = functions.get(name);
  if (edgeFunction) {
    // A copy with another address would read its body as a stream, at half the throughput.
    return edgeFunction(Object.defineProperty(request, "url", { value: address }));
  }
  return unknownFunction.fetch(request);
}

function readAddress(sent: string): { name: string; address: string } {
  const [, origin, path, plainName] = plainAddress.exec(sent) ?? [];
  if (plainName !== undefined) return { name: plainName, address: `${origin}${path}` };
  const url = new URL(sent);
  url.pathname = url.pathname.slice(functionsPrefix.length);
  return { name: url.pathname.split("/")[1] ?? "", address: url.href };
}
