import { hmacSenders } from "../../../../supabase/functions/api/contract/hmac_senders.ts";
import type { Source } from "../../api/types.ts";
import { findSender, type HmacValues, valuesOf } from "./hmac_settings.ts";

type Scheme = Source["scheme"];

interface SchemeWords {
  label: string;
  /** Hint for finding or choosing the secret. */
  secret: string;
  /** True if the sender creates the secret, so that the user must enter it. */
  isSenders: boolean;
  /** Set for a sender that signs with a certificate instead of a secret. */
  isWithoutSecret?: true;
}

export const schemeTexts: Record<Scheme, SchemeWords> = {
  "standard-webhooks": {
    label: "Standard Webhooks (Svix, Resend, Clerk, Supabase Auth)",
    secret: "The whsec_… secret that the sender shows for this URL. Leave empty to generate one",
    isSenders: false,
  },
  shopify: {
    label: "Shopify",
    secret: "Settings → Notifications → Webhooks, below the list",
    isSenders: true,
  },
  stripe: {
    label: "Stripe",
    secret: "Developers → Webhooks → your endpoint → Signing secret",
    isSenders: true,
  },
  github: {
    label: "GitHub",
    secret: "Any secret you choose. Leave empty to generate one",
    isSenders: false,
  },
  slack: {
    label: "Slack",
    secret: "Your app → Basic Information → Signing Secret",
    isSenders: true,
  },
  sendgrid: {
    label: "SendGrid",
    secret: "Mail Settings → Signed Event Webhook → Verification Key",
    isSenders: true,
  },
  mailgun: {
    label: "Mailgun",
    secret: "Sending → Webhooks → HTTP webhook signing key",
    isSenders: true,
  },
  basic: {
    label: "Postmark, or any sender with a username and password",
    secret: "username:password, as the sender will send them. Leave empty to generate them",
    isSenders: false,
  },
  sns: {
    label: "Amazon SNS",
    secret: "None: SNS signs with a certificate",
    isSenders: false,
    isWithoutSecret: true,
  },
  hmac: {
    label: "Any sender with HMAC signatures (Linear, Paddle, HubSpot, Typeform, …)",
    secret: "In the sender’s webhook or app settings",
    isSenders: true,
  },
  service: {
    label: "Another Signalpost workspace",
    secret: "The secret of the destination that sends here. Leave empty to generate one",
    isSenders: false,
  },
};

/** Returns the name of a scheme's secret. */
export const secretLabel = (scheme: Scheme) =>
  scheme === "basic" ? "Username and password" : "Signing secret";

/** Returns where to find a source's secret, as precisely as its sender is known. */
export function secretHint(scheme: Scheme, hmac: Source["hmac"] | HmacValues): string {
  const sender = scheme === "hmac" && hmac ? findSender(valuesOf(hmac)) : undefined;
  return sender ? hmacSenders[sender].secret : schemeTexts[scheme].secret;
}

/** Returns the name of a source's sender, such as "Linear" or "Shopify". */
export function senderLabel({ scheme, hmac }: Pick<Source, "scheme" | "hmac">): string {
  const sender = hmac ? findSender(valuesOf(hmac)) : undefined;
  return sender ? hmacSenders[sender].label : schemeTexts[scheme].label;
}

/** Senders with known settings for the scheme `hmac`. */
export const hmacSenderOptions = Object.entries(hmacSenders).map(([value, { label }]) => ({
  value,
  label,
}));

export const presetOptions = [
  { value: "shopify", label: "Shopify orders" },
  { value: "resend", label: "Resend email events" },
  { value: "sendgrid", label: "SendGrid email events" },
  { value: "postmark", label: "Postmark email events" },
  { value: "mailgun", label: "Mailgun email events" },
  { value: "ses", label: "Amazon SES email events" },
];
