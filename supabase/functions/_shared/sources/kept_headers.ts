/**
 * Headers that a receipt stores and a mapping may read, in lower case: information about the event.
 * Never credentials or signatures.
 */
export const keptHeaders: readonly string[] = [
  "content-type",
  "linear-event",
  "user-agent",
  "webhook-id",
  "svix-id",
  "x-event-name",
  "x-gitea-event",
  "x-github-delivery",
  "x-github-event",
  "x-service-event",
  "x-shopify-event-id",
  "x-shopify-shop-domain",
  "x-shopify-topic",
  "x-shopify-webhook-id",
  "x-slack-retry-num",
  "x-wc-webhook-topic",
];

/** Picks the `keptHeaders` of a request. */
export function keepHeaders(headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of keptHeaders) {
    const value = headers.get(name);
    if (value !== null) kept[name] = value.slice(0, 500);
  }
  return kept;
}
