import type { GuardedFetch, SendOutcome } from "../../_shared/outbound/guarded_fetch.ts";

/** An email, rendered and ready to be handed over. */
export interface EmailMessage {
  /** Id of the send: the provider gets it as idempotency key, or as tag. */
  sendId: string;
  /** The `Message-ID` in angle brackets: `<send id@domain of the sender>`. */
  messageId: string;
  /** `Acme <hello@acme.example>` or the address alone. */
  from: string;
  replyTo: string | null;
  to: string;
  /** One line. */
  subject: string;
  html: string | null;
  text: string | null;
  /** Further headers, such as `List-Unsubscribe`. */
  headers: Readonly<Record<string, string>>;
}

/** Result of handing a message over. */
export interface HandOver {
  /**
   * `sent`: the provider took it. `retry`: it did not, and may later. `failed`: it never will.
   * `unknown`: the connection ended after the message was on its way, also if the provider takes
   * an idempotency key.
   */
  outcome: "sent" | "retry" | "failed" | "unknown";
  /** Reason in a word, such as `rate_limited`; null if sent. */
  reason: string | null;
  /** The provider's own id of the message. */
  providerId: string | null;
  /** Status of HTTP, or reply code of SMTP. */
  statusCode: number | null;
  /** Beginning of the provider's response. */
  response: string | null;
  /** The header `Retry-After` as received. */
  retryAfter: string | null;
  durationMs: number;
}

/** One call of a provider. */
export interface HandOverCall<Config> {
  message: EmailMessage;
  config: Config;
  /** Id of the sender: connections are shared with no other. */
  senderId: string;
  concurrency: number;
  signal?: AbortSignal;
}

/** A service that takes messages over HTTP. */
export interface HttpProvider<Config> {
  /** True if the same key twice sends one message. */
  takesIdempotencyKey: boolean;
  /** Makes the request that hands a message over. */
  toRequest(message: EmailMessage, config: Config): HttpRequest | Promise<HttpRequest>;
  /** Reads the provider's id from a response; null if it has none. */
  readId(response: string): string | null;
  /** Reads a refusal by its response; undefined for the usual reading of its status. */
  readRefusal?(
    statusCode: number,
    response: string,
  ): Pick<HandOver, "outcome" | "reason"> | undefined;
}

export interface HttpRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Reason of an outcome that no further attempt can settle: the key belongs to another request. */
export const keyTaken = "idempotency_conflict";

/** Hands a message to an HTTP provider. Never rejects for a failure of the network. */
export async function handOverByHttp<Config>(
  provider: HttpProvider<Config>,
  http: GuardedFetch,
  call: HandOverCall<Config>,
): Promise<HandOver> {
  const request = await provider.toRequest(call.message, call.config);
  const outcome = await http.send({
    key: call.senderId,
    url: request.url,
    headers: request.headers,
    body: new TextEncoder().encode(request.body),
    concurrency: call.concurrency,
    ...(call.signal === undefined ? {} : { signal: call.signal }),
  });
  const response = outcome.response_snippet;
  const decided = decideHandOver(provider, outcome);
  return {
    ...decided,
    providerId: decided.outcome === "sent" ? provider.readId(response ?? "") : null,
    statusCode: outcome.status_code,
    response,
    retryAfter: outcome.retry_after,
    durationMs: outcome.duration_ms,
  };
}

/** Reads the outcome of a request: see `HandOver.outcome`. */
export function decideHandOver(
  { readRefusal }: Pick<HttpProvider<never>, "readRefusal">,
  { status_code, error, response_snippet, is_sent }: Pick<
    SendOutcome,
    "status_code" | "error" | "response_snippet" | "is_sent"
  >,
): Pick<HandOver, "outcome" | "reason"> {
  if (status_code === null) {
    if (error === "address_not_allowed") return { outcome: "failed", reason: error };
    return { outcome: is_sent ? "unknown" : "retry", reason: error };
  }
  // The status is decisive, also if the rest of the response is missing.
  if (status_code >= 200 && status_code < 300) return { outcome: "sent", reason: null };
  const refusal = readRefusal?.(status_code, response_snippet ?? "");
  if (refusal !== undefined) return refusal;
  if (status_code === 429) return { outcome: "retry", reason: "rate_limited" };
  if (status_code === 408 || status_code >= 500) {
    return { outcome: "retry", reason: "provider_error" };
  }
  const isDenied = status_code === 401 || status_code === 403;
  return { outcome: "failed", reason: isDenied ? "unauthorized" : "rejected" };
}

/** Reads a field of a JSON object; null if the text is something else. */
export function readJsonText(text: string, name: string): string | null {
  try {
    const value = JSON.parse(text)?.[name];
    return typeof value === "string" || typeof value === "number" ? `${value}` : null;
  } catch {
    return null;
  }
}

/** Joins a base URL and a path. */
export function joinUrl(base: string, path: string): string {
  return base.replace(/\/+$/, "") + path;
}
