import { type AllowedRanges, resolveAndCheck, type ResolveHost } from "./addresses.ts";
import { type ConnectionPools, createConnectionPools } from "./connection_pools.ts";
import { exchange, type ExchangeRequest, type ExchangeResponse } from "./exchange.ts";
import { outboundLimits } from "./limits.ts";
import { cacheResolveHost, resolveSystemHost } from "./resolve_host.ts";
import { keepResponseHeaders } from "./response_headers.ts";
import { readResponseSnippet } from "./response_snippet.ts";
import type { SendError } from "./send_errors.ts";

const { deadlineMs, connectTimeoutMs, maxResponseBytes, snippetBytes } = outboundLimits;
const maxDestinations = 256;
const defaults: Record<
  "deadlineMs" | "connectTimeoutMs" | "maxResponseBytes" | "snippetBytes" | "maxDestinations",
  number
> = { deadlineMs, connectTimeoutMs, maxResponseBytes, snippetBytes, maxDestinations };

/** Connection errors that another address of the same name may not have. */
const nextAddressErrors: ReadonlySet<SendError | null> = new Set(
  ["connection_refused", "connection_reset", "unreachable", "timeout"] as const,
);
const maxRetryAfterLength = 128;

export interface GuardedFetchOptions extends Partial<typeof defaults> {
  /** Ranges that `DESTINATION_ALLOWED_CIDRS` allows; none by default. */
  allowed?: AllowedRanges;
  /** @default the system's resolver, cached for 5 s */
  resolve?: ResolveHost;
  /** Certificate authorities in PEM, trusted instead of the public ones. */
  ca?: string;
}

/** One request to a destination. */
export interface SendRequest {
  /** @default POST */
  method?: "POST" | "GET";
  /** The destination's id: connections are kept alive per key and shared with no other. */
  key: string;
  url: string;
  /** Complete headers, except for `host`, `content-length` and `accept-encoding`. */
  headers: Record<string, string>;
  body: Uint8Array;
  /**
   * Most concurrent requests to the destination, 10 by default; others wait, within the deadline.
   */
  concurrency?: number;
  /** Cancels the request; the outcome's error is then `cancelled`. */
  signal?: AbortSignal;
}

/** Result of a request. Contains no address and no error text. */
export interface SendOutcome {
  /** True for a complete 2xx response; a response over the byte limit counts as complete there. */
  ok: boolean;
  /** Also set if the response broke off after its headers. */
  status_code: number | null;
  /**
   * The response's first 2 KiB, or `snippetBytes`, as text; `null` without a response or in an
   * unknown encoding.
   */
  response_snippet: string | null;
  /** The first 50 headers, up to 2 KiB, by lower-case name; `null` without a response. */
  response_headers: Record<string, string> | null;
  error: SendError | null;
  /** Time from the call to the outcome, in whole milliseconds. */
  duration_ms: number;
  /** The header as received, unchecked; `parseRetryAfter` interprets it. */
  retry_after: string | null;
  /** False if no connection was open, so that the receiver cannot have seen the request. */
  is_sent: boolean;
}

/** HTTP client that connects to checked addresses only. */
export interface GuardedFetch {
  /** Sends a request; never rejects, because every failure is an outcome. */
  send(request: SendRequest): Promise<SendOutcome>;
  /** Closes all connections; running requests end as `connection_reset`. */
  close(): Promise<void>;
}

type Settings = Required<Omit<GuardedFetchOptions, "ca">> & { pools: ConnectionPools };

/**
 * Creates the only way to send a request to an address that a user chose. The host is resolved and
 * checked at every attempt, and the connection goes to a checked address. Redirects are not
 * followed. One deadline covers lookup, connection, TLS, request, headers and body.
 */
export function createGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const { ca, ...rest } = options;
  const settings = {
    ...defaults,
    allowed: [],
    resolve: cacheResolveHost(resolveSystemHost),
    ...rest,
  };
  const pools = createConnectionPools({ maxPools: settings.maxDestinations, ca });
  return {
    send: (request) => send({ ...settings, pools }, request),
    close: () => pools.close(),
  };
}

async function send(settings: Settings, request: SendRequest): Promise<SendOutcome> {
  const startedAt = performance.now();
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort("timeout"), settings.deadlineMs);
  const cancel = () => abort.abort("cancelled");
  request.signal?.addEventListener("abort", cancel);
  if (request.signal?.aborted) cancel();
  try {
    const response = await sendGuarded(settings, request, abort.signal);
    const response_snippet = response.statusCode === null
      ? null
      : await readResponseSnippet({ ...response, maxBytes: settings.snippetBytes });
    return {
      ok: response.error === null && isSuccess(response.statusCode),
      status_code: response.statusCode,
      response_snippet,
      response_headers: response.statusCode === null ? null : keepResponseHeaders(response.headers),
      error: response.error,
      // The duration of a lookup would distinguish a name on our network from an unknown one.
      duration_ms: response.error === "dns" ? 0 : Math.round(performance.now() - startedAt),
      retry_after: response.retryAfter?.slice(0, maxRetryAfterLength) ?? null,
      is_sent: response.isSent,
    };
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener("abort", cancel);
  }
}

async function sendGuarded(
  settings: Settings,
  request: SendRequest,
  signal: AbortSignal,
): Promise<ExchangeResponse> {
  const { allowed, resolve } = settings;
  const check = await beforeAbort(resolveAndCheck({ url: request.url, allowed, resolve }), signal);
  if (check === null) return failUnsent(signal.reason as SendError);
  if (!check.ok) return failUnsent(check.error);
  const { url } = check;
  const addresses = chooseAddresses(check.addresses, settings.pools.addressOf(request.key, url));
  const target = {
    key: request.key,
    url,
    maxConnections: request.concurrency ?? outboundLimits.defaultConcurrency,
    connectTimeoutMs: settings.connectTimeoutMs / addresses.length,
  };
  const toSend: ExchangeRequest = {
    method: request.method ?? "POST",
    path: url.pathname + url.search,
    headers: { ...request.headers, "accept-encoding": "identity" },
    body: request.body,
    maxResponseBytes: settings.maxResponseBytes,
    signal,
  };
  let response = failUnsent("network");
  for (const address of addresses) {
    response = await exchange(settings.pools.get({ ...target, address }), toSend);
    const mayTryNext = !response.isSent && nextAddressErrors.has(response.error);
    if (!mayTryNext || signal.aborted) break;
  }
  return response;
}

/**
 * Chooses at most two addresses to share the time to connect: the address of the live connections
 * first, or else one of each kind. IPv4 comes first, because many function hosts have no IPv6.
 */
function chooseAddresses(addresses: readonly string[], live: string | undefined): string[] {
  const v4 = addresses.filter((address) => !address.includes(":"));
  const v6 = addresses.filter((address) => address.includes(":"));
  const ordered = [v4[0], v6[0], ...v4.slice(1), ...v6.slice(1)].filter((entry) =>
    entry !== undefined
  );
  if (live !== undefined && addresses.includes(live)) ordered.unshift(live);
  return [...new Set(ordered)].slice(0, 2);
}

/** Resolves with the value, or `null` if the signal aborts first: a lookup cannot be cancelled. */
async function beforeAbort<T>(value: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return null;
  const aborted = Promise.withResolvers<null>();
  const onAbort = () => aborted.resolve(null);
  signal.addEventListener("abort", onAbort);
  try {
    return await Promise.race([value, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function failUnsent(error: SendError): ExchangeResponse {
  const body = new Uint8Array();
  return {
    statusCode: null,
    headers: {},
    retryAfter: null,
    encoding: null,
    body,
    error,
    isSent: false,
  };
}

function isSuccess(statusCode: number | null): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300;
}
