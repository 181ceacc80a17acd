import type { HmacSettings } from "./hmac.ts";

/** Ways in which senders sign the requests of a source. */
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

/** Settings that a scheme needs besides its secret. */
export interface SchemeSettings {
  /** Only for `hmac`. */
  hmac: HmacSettings | null;
  /** Only for `sns`. */
  topic_arn: string | null;
}

/** Payloads that need no mapping of the user. */
export const presets = ["shopify", "resend", "sendgrid", "postmark", "mailgun", "ses"] as const;

export type Preset = (typeof presets)[number];
