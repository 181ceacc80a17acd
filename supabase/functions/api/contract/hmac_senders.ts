import type { z } from "zod";
import type { hmacSchema } from "../../_shared/sources/hmac.ts";

/** A sender that signs with HMAC, and the source settings that verify it. */
export interface HmacSender {
  label: string;
  settings: z.input<typeof hmacSchema>;
  /** Place where the user finds the secret. */
  secret: string;
}

/** `hmac` settings per sender, taken from each sender's documentation. */
export const hmacSenders = {
  calendly: {
    label: "Calendly",
    settings: {
      header: "Calendly-Webhook-Signature",
      separator: ",",
      prefix: "v1=",
      timestamp_prefix: "t=",
      signed: "{timestamp}.{body}",
    },
    secret: "The signing_key that you set when you create the webhook subscription",
  },
  customerio: {
    label: "Customer.io",
    settings: {
      header: "X-CIO-Signature",
      timestamp_header: "X-CIO-Timestamp",
      signed: "v0:{timestamp}:{body}",
    },
    secret: "The signing key on the page of the reporting webhook",
  },
  gitea: {
    label: "Gitea, Forgejo",
    settings: { header: "X-Gitea-Signature" },
    secret: "The secret that you set when you add the webhook",
  },
  hubspot: {
    label: "HubSpot (signature v3)",
    settings: {
      header: "X-HubSpot-Signature-v3",
      encoding: "base64",
      timestamp_header: "X-HubSpot-Request-Timestamp",
      timestamp_unit: "milliseconds",
      signed: "{method}{url}{body}{timestamp}",
    },
    secret: "The client secret of your app, under Auth",
  },
  intercom: {
    label: "Intercom",
    settings: { header: "X-Hub-Signature", algorithm: "sha1", prefix: "sha1=" },
    secret: "The client secret of your app, under Basic information",
  },
  lemonsqueezy: {
    label: "Lemon Squeezy",
    settings: { header: "X-Signature" },
    secret: "The signing secret that you set when you create the webhook",
  },
  linear: {
    label: "Linear",
    settings: { header: "Linear-Signature" },
    secret: "The signing secret on the page of the webhook",
  },
  meta: {
    label: "Meta (Facebook, Instagram, WhatsApp)",
    settings: { header: "X-Hub-Signature-256", prefix: "sha256=" },
    secret: "The app secret, under Settings, Basic",
  },
  paddle: {
    label: "Paddle",
    settings: {
      header: "Paddle-Signature",
      separator: ";",
      prefix: "h1=",
      timestamp_prefix: "ts=",
      signed: "{timestamp}:{body}",
    },
    secret: "The secret key of the notification destination",
  },
  pagerduty: {
    label: "PagerDuty",
    settings: { header: "X-PagerDuty-Signature", separator: ",", prefix: "v1=" },
    secret: "The secret that PagerDuty shows once, when you create the subscription",
  },
  typeform: {
    label: "Typeform",
    settings: { header: "Typeform-Signature", encoding: "base64", prefix: "sha256=" },
    secret: "The secret in the webhook's settings",
  },
  woocommerce: {
    label: "WooCommerce",
    settings: { header: "X-WC-Webhook-Signature", encoding: "base64" },
    secret: "The secret that you set when you add the webhook",
  },
} as const satisfies Readonly<Record<string, HmacSender>>;
