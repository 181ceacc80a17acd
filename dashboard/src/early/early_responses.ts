/** Responses that were requested before the page's own script ran, each for one call. */
const responses = new Map<string, Promise<Response>>();

/** A request without a body. */
export interface EarlyRequest {
  method: string;
  headers: HeadersInit;
}

/** Longest time for which an early response may be used. */
const keptMs = 30_000;

/**
 * Sends a request whose response the first call like it receives. The function returned reads a copy
 * of the response.
 */
export function requestEarly(url: string, request: EarlyRequest): () => Promise<unknown> {
  const key = keyOf(url, request);
  const response = fetch(url, request);
  // The call that takes it sees the error.
  response.catch(() => {});
  const copy = response.then((each) => each.clone());
  copy.catch(() => {});
  responses.set(key, response);
  setTimeout(() => responses.delete(key), keptMs);
  return async () => await (await copy).json();
}

/** Returns the response to a request that was sent early, at most once. */
export function takeEarlyResponse(
  url: string,
  request: EarlyRequest,
): Promise<Response> | undefined {
  const key = keyOf(url, request);
  const response = responses.get(key);
  responses.delete(key);
  return response;
}

/** Tells requests apart by their method, address, user and workspace. */
function keyOf(url: string, { method, headers }: EarlyRequest): string {
  const given = new Headers(headers);
  return [method, url, given.get("authorization"), given.get("x-workspace-id")].join("\n");
}
