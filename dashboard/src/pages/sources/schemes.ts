import { hmacSenders } from "../../../../supabase/functions/api/contract/hmac_senders.ts";
import type { Source } from "../../api/types.ts";

type Scheme = Source["scheme"];

interface SchemeWords {
  label: string;
  /** Whose secret it is, and where to find it. */
  secret: string;
  /** The sender makes the secret, so it has to be given. */
  isSenders: boolean;
  /** There is no secret: the sender signs with a certificate. */
  isWithoutSecret?: true;
}

export const SCHEMES: Record<Scheme, SchemeWords> = {
  "standard-webhooks": {
    label: "Standard Webhooks (Svix, Resend, Clerk, Supabase Auth)",
    secret: "The whsec_… that the sender shows for this address; leave empty to generate one",
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
    secret: "Any secret you choose; leave empty to generate one",
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
    label: "Postmark, or another sender with a user name and password",
    secret: "user:password, as the sender will send them; leave empty to generate them",
    isSenders: false,
  },
  sns: {
    label: "Amazon SNS",
    secret: "None: SNS signs with a certificate",
    isSenders: false,
    isWithoutSecret: true,
  },
  hmac: {
    label: "Another sender that signs with HMAC (Linear, Paddle, HubSpot, Typeform, …)",
    secret: "In the sender's webhook or app settings",
    isSenders: true,
  },
  service: {
    label: "Another workspace of this service",
    secret: "The secret of the destination that sends here; leave empty to generate one",
    isSenders: false,
  },
};

/** What the secret of a scheme is called. */
export const secretLabel = (scheme: Scheme) =>
  scheme === "basic" ? "User name and password" : "Signing secret";

export const SCHEME_OPTIONS = Object.entries(SCHEMES).map(([value, { label }]) => ({
  value,
  label,
}));

/** Senders whose settings of `hmac` are known. */
export const HMAC_SENDER_OPTIONS = Object.entries(hmacSenders).map(([value, { label }]) => ({
  value,
  label,
}));

export const PRESET_OPTIONS = [
  { value: "shopify", label: "Shopify orders" },
  { value: "resend", label: "Resend email events" },
  { value: "sendgrid", label: "SendGrid email events" },
];
