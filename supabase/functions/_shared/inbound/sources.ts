/** How the requests of a source are signed. */
export const schemes = [
  "service",
  "standard-webhooks",
  "stripe",
  "shopify",
  "github",
  "slack",
  "sendgrid",
] as const;

export type Scheme = (typeof schemes)[number];

/** Which payloads are understood without a mapping of the user's own. */
export const presets = ["shopify", "resend", "sendgrid"] as const;

export type Preset = (typeof presets)[number];

/**
 * The headers that a receipt keeps and a mapping may read, in lower case: what a sender tells of
 * the event. Never credentials or signatures.
 */
export const keptHeaders: readonly string[] = [
  "content-type",
  "user-agent",
  "webhook-id",
  "svix-id",
  "x-github-delivery",
  "x-github-event",
  "x-service-event",
  "x-shopify-event-id",
  "x-shopify-shop-domain",
  "x-shopify-topic",
  "x-shopify-webhook-id",
  "x-slack-retry-num",
];

/** Those of `keptHeaders` that the request has. */
export function keepHeaders(headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of keptHeaders) {
    const value = headers.get(name);
    if (value !== null) kept[name] = value.slice(0, 500);
  }
  return kept;
}
