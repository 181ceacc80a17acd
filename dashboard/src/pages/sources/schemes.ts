import type { Source } from "../../api/types.ts";

type Scheme = Source["scheme"];

interface SchemeWords {
  label: string;
  /** Whose secret it is, and where to find it. */
  secret: string;
  /** The sender makes the secret, so it has to be given. */
  isSenders: boolean;
}

export const SCHEMES: Record<Scheme, SchemeWords> = {
  "standard-webhooks": {
    label: "Standard Webhooks (Svix, Resend, Clerk, Supabase Auth)",
    secret: "The whsec_… that the sender shows for this address; one is made if left empty",
    isSenders: false,
  },
  shopify: {
    label: "Shopify",
    secret: "Settings → Notifications → Webhooks shows it below the list",
    isSenders: true,
  },
  stripe: {
    label: "Stripe",
    secret: "Developers → Webhooks → your endpoint → Signing secret",
    isSenders: true,
  },
  github: {
    label: "GitHub",
    secret: "You choose it; one is made if left empty",
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
  service: {
    label: "Another workspace of this service",
    secret: "The secret of the destination that sends here; one is made if left empty",
    isSenders: false,
  },
};

export const SCHEME_OPTIONS = Object.entries(SCHEMES).map(([value, { label }]) => ({
  value,
  label,
}));

export const PRESET_OPTIONS = [
  { value: "shopify", label: "Shopify orders" },
  { value: "resend", label: "Resend e-mail events" },
  { value: "sendgrid", label: "SendGrid e-mail events" },
];
