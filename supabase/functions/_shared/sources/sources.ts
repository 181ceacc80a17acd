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
