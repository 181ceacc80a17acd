import type { HmacSettings } from "./hmac.ts";

/** How the requests of a source are signed. */
export const schemes = [
  "service",
  "standard-webhooks",
  "stripe",
  "shopify",
  "github",
  "slack",
  "sendgrid",
  "mailgun",
  "sns",
  "basic",
  "hmac",
] as const;

export type Scheme = (typeof schemes)[number];

/** What a scheme has to be told beside its secret. */
export interface SchemeSettings {
  /** Of `hmac` alone. */
  hmac: HmacSettings | null;
  /** Of `sns` alone. */
  topic_arn: string | null;
}

/** Which payloads are understood without a mapping of the user's own. */
export const presets = ["shopify", "resend", "sendgrid"] as const;

export type Preset = (typeof presets)[number];

/**
 * The headers that a receipt keeps and a mapping may read, in lower case: what a sender tells of
 * the event. Never credentials or signatures.
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

/** Those of `keptHeaders` that the request has. */
export function keepHeaders(headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of keptHeaders) {
    const value = headers.get(name);
    if (value !== null) kept[name] = value.slice(0, 500);
  }
  return kept;
}
